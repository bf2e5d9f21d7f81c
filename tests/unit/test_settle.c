/* SPDX-License-Identifier: MIT */
/* Who is best, as history tells it. */
#include "tap.h"

#include "evolve/settle.h"

enum { CANDIDATES = 2, PAIRS = 2 };

/* A run of two candidates that passed, `score` ahead of the baseline. */
struct box {
	struct ao_search search;
	struct ao_task task;
	struct ao_case cases[2];
	struct ao_history_run run;
	struct ao_candidate candidates[CANDIDATES];
	struct ao_profile profiles[CANDIDATES];
	struct ao_pair pairs[CANDIDATES][PAIRS];
};

static char main_case[] = "main", other_case[] = "other";

static void add(struct box *box, size_t i, char name, double score)
{
	struct ao_candidate *c = &box->candidates[i];
	struct ao_profile *profile = &box->profiles[i];

	memset(c->commit, name, AO_ID_SIZE - 1);
	memset(c->kernel, name, AO_ID_SIZE - 1);
	c->profile = profile;
	profile->score = score;
	profile->score_variance = 0.0001;
	profile->result.verdict = AO_VERDICT_PASSED;
	profile->result.pairs = box->pairs[i];
	profile->result.pair_count = PAIRS;
	for (size_t k = 0; k < PAIRS; k++)
		box->pairs[i][k] = (struct ao_pair){
			.case_name = main_case,
			.decision = AO_DECISION_FASTER,
		};
}

static void fill(struct box *box)
{
	*box = (struct box){ .cases = { { .name = main_case },
					{ .name = other_case } } };
	box->task.cases = box->cases;
	box->task.case_count = 2;
	box->search.task = &box->task;
	memset(box->run.run.base, '0', AO_ID_SIZE - 1);
	box->run.candidates = box->candidates;
	box->run.candidate_count = CANDIDATES;
	box->search.self = &box->run;
	add(box, 0, 'a', 0.5);
	add(box, 1, 'b', 0.7);
}

static bool is_best(const struct box *box, char name)
{
	return box->search.best[0] == name;
}

static void the_best_is_who_has_won_a_duel_and_scores_highest(void)
{
	struct box box;

	fill(&box);
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'b'));
	EXPECT(box.search.best_gain.log_gain == 0.7);
	EXPECT(box.search.best_gain.log_low < 0.7 &&
	       box.search.best_gain.log_low > 0.6);
}

static void being_faster_than_its_parent_is_no_duel(void)
{
	struct box box;

	fill(&box);
	box.profiles[1].result.pair_count = 1;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
}

static void a_duel_that_is_lost_does_not_count(void)
{
	struct box box;

	fill(&box);
	box.pairs[1][1].decision = AO_DECISION_TIE;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
}

static char drop_a_step[] = "drop 0.1", another_move[] = "tile rows=6";

static void with_a_step_left_out_a_tie_is_enough(void)
{
	struct ao_plan plan = { .move = drop_a_step };
	struct box box;

	fill(&box);
	box.pairs[1][1].decision = AO_DECISION_TIE;
	box.candidates[1].plan = &plan;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'b'));
	plan.move = another_move;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
}

static void with_a_step_left_out_slower_is_slower(void)
{
	struct ao_plan plan = { .move = drop_a_step };
	struct box box;

	fill(&box);
	box.pairs[1][1].decision = AO_DECISION_SLOWER;
	box.candidates[1].plan = &plan;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
}

static void with_a_step_left_out_no_protected_case_may_pay(void)
{
	struct ao_plan plan = { .move = drop_a_step };
	struct ao_pair pairs[] = {
		{ .case_name = main_case, .decision = AO_DECISION_TIE },
		{ .case_name = main_case, .decision = AO_DECISION_TIE },
		{ .case_name = other_case, .decision = AO_DECISION_SLOWER },
	};
	struct box box;

	fill(&box);
	box.candidates[1].plan = &plan;
	box.profiles[1].result.pairs = pairs;
	box.profiles[1].result.pair_count = 3;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'b'));
	box.cases[1].is_protected = true;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
	/* Against somebody else it may have been. */
	memset(pairs[2].against, 'x', AO_ID_SIZE - 1);
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'b'));
}

static void winning_on_another_case_is_no_win(void)
{
	struct box box;

	fill(&box);
	box.pairs[1][1].case_name = other_case;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
}

static void who_failed_later_is_not_best(void)
{
	struct box box;

	fill(&box);
	box.profiles[1].result.verdict = AO_VERDICT_INCORRECT_NUMERICAL;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, 'a'));
}

static void without_a_winner_the_baseline_is_best(void)
{
	struct box box;

	fill(&box);
	box.run.candidate_count = 0;
	box.search.best_gain.log_gain = 0.3;
	ao_settle_recall(&box.search);
	EXPECT(is_best(&box, '0'));
	EXPECT(box.search.best_gain.log_gain == 0.0);
}

int main(void)
{
	RUN(the_best_is_who_has_won_a_duel_and_scores_highest);
	RUN(being_faster_than_its_parent_is_no_duel);
	RUN(a_duel_that_is_lost_does_not_count);
	RUN(with_a_step_left_out_a_tie_is_enough);
	RUN(with_a_step_left_out_slower_is_slower);
	RUN(with_a_step_left_out_no_protected_case_may_pay);
	RUN(winning_on_another_case_is_no_win);
	RUN(who_failed_later_is_not_best);
	RUN(without_a_winner_the_baseline_is_best);
	return tap_done();
}
