/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "evolve/select.h"

static void the_best_of_each_plan_is_ranked_best_first(void)
{
	const struct ao_scored scored[] = {
		{ "p", "a", "k0", 0.1 },
		{ "p", "a", "k1", 0.3 },
		{ "p", "b", "k2", 0.2 },
		{ "q", "a", "k3", 0.4 },
	};
	size_t ranked[4];

	EXPECT(ao_select_rank(ranked, scored, 4) == 3);
	EXPECT(ranked[0] == 3);
	EXPECT(ranked[1] == 1);
	EXPECT(ranked[2] == 2);
}

static void a_kernel_takes_one_place_only(void)
{
	const struct ao_scored scored[] = {
		{ "p", "a", "same", 0.3 },
		{ "q", "b", "same", 0.2 },
		{ "q", "c", "other", 0.1 },
	};
	size_t ranked[3];

	EXPECT(ao_select_rank(ranked, scored, 3) == 2);
	EXPECT(ranked[0] == 0);
	EXPECT(ranked[1] == 2);
}

static void who_did_not_pass_is_not_ranked(void)
{
	const struct ao_scored scored[] = {
		{ "", "", "base", 0.0 },
		{ "p", "a", "k", NAN },
		{ "p", "b", "l", -0.5 },
	};
	size_t ranked[3];

	EXPECT(ao_select_rank(ranked, scored, 3) == 2);
	EXPECT(ranked[0] == 0);
	EXPECT(ranked[1] == 2);
}

static void equal_scores_go_to_the_earlier_candidate(void)
{
	const struct ao_scored scored[] = {
		{ "p", "a", "k0", 0.5 },
		{ "p", "b", "k1", 0.5 },
	};
	size_t ranked[2];

	EXPECT(ao_select_rank(ranked, scored, 2) == 2);
	EXPECT(ranked[0] == 0);
}

static void nobody_is_ranked_of_none(void)
{
	size_t ranked[1];

	EXPECT(ao_select_rank(ranked, NULL, 0) == 0);
}

static void lessons_are_half_wins_then_losses_then_more_wins(void)
{
	const struct ao_timed timed[] = {
		{ "p", "a", 0.5 },  { "p", "b", 0.9 }, { "p", "c", 0.7 },
		{ "p", "d", -0.4 }, { "p", "e", NAN }, { "p", "f", 0.6 },
	};
	struct ao_lesson lessons[4];

	EXPECT(ao_select_lessons(lessons, 4, timed, 6, 1.04, 1.15) == 4);
	EXPECT(lessons[0].index == 1 && lessons[0].is_positive);
	EXPECT(lessons[1].index == 2 && lessons[1].is_positive);
	EXPECT(lessons[2].index == 3 && !lessons[2].is_positive);
	EXPECT(lessons[3].index == 5 && lessons[3].is_positive);
}

static void a_group_is_stood_for_by_its_best_or_its_slowest_sample(void)
{
	const struct ao_timed timed[] = {
		{ "p", "win", 0.2 },   { "p", "win", 0.4 },
		{ "p", "loss", -0.3 }, { "p", "loss", -0.6 },
		{ "p", "mixed", 0.3 }, { "p", "mixed", -0.9 },
	};
	struct ao_lesson lessons[8];

	EXPECT(ao_select_lessons(lessons, 8, timed, 6, 1.04, 1.15) == 3);
	EXPECT(lessons[0].index == 1 && lessons[0].is_positive);
	EXPECT(lessons[1].index == 4 && lessons[1].is_positive);
	EXPECT(lessons[2].index == 3 && !lessons[2].is_positive);
}

static void a_small_effect_teaches_nothing(void)
{
	const struct ao_timed timed[] = {
		{ "p", "a", log(1.04) },
		{ "p", "b", -log(1.15) },
	};
	struct ao_lesson lessons[2];

	EXPECT(ao_select_lessons(lessons, 2, timed, 2, 1.04, 1.15) == 0);
}

static void no_more_lessons_are_drawn_than_asked_for(void)
{
	const struct ao_timed timed[] = {
		{ "p", "a", 0.5 },
		{ "p", "b", -0.5 },
	};
	struct ao_lesson lessons[1];

	EXPECT(ao_select_lessons(lessons, 0, timed, 2, 1.04, 1.15) == 0);
	EXPECT(ao_select_lessons(lessons, 1, timed, 2, 1.04, 1.15) == 1);
	EXPECT(!lessons[0].is_positive);
}

int main(void)
{
	RUN(the_best_of_each_plan_is_ranked_best_first);
	RUN(a_kernel_takes_one_place_only);
	RUN(who_did_not_pass_is_not_ranked);
	RUN(equal_scores_go_to_the_earlier_candidate);
	RUN(nobody_is_ranked_of_none);
	RUN(lessons_are_half_wins_then_losses_then_more_wins);
	RUN(a_group_is_stood_for_by_its_best_or_its_slowest_sample);
	RUN(a_small_effect_teaches_nothing);
	RUN(no_more_lessons_are_drawn_than_asked_for);
	return tap_done();
}
