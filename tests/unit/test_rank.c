/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "agents/rank.h"

static struct ao_proposal proposals[] = {
	{ .move = (char[]){ "tile" },
	  .params = (char[]){ "site=0 rows=6" },
	  .features = (char[]){ "contraction" },
	  .prior = 1.0 },
	{ .move = (char[]){ "tile" },
	  .params = (char[]){ "site=0 rows=4" },
	  .features = (char[]){ "contraction" },
	  .prior = 0.9 },
	{ .move = (char[]){ "tile" },
	  .params = (char[]){ "site=0 rows=2" },
	  .features = (char[]){ "contraction" },
	  .prior = 0.8 },
	{ .move = (char[]){ "exp" },
	  .params = (char[]){ "" },
	  .features = (char[]){ "libm" },
	  .prior = 0.5 },
};
enum { COUNT = AO_ARRAY_SIZE(proposals) };

static const struct ao_memory nothing;
static const struct ao_strs none_tried;

static struct ao_plan_stat stat_of(char *move, char *params, char *features,
				   uint32_t tries, double gain)
{
	return (struct ao_plan_stat){ .move = move,
				      .params = params,
				      .features = features,
				      .tries = tries,
				      .sum_faster = gain };
}

/* Expect this of one proposal, with one line of history. */
static double expect_after(size_t proposal, struct ao_plan_stat stat)
{
	struct ao_memory memory = { .stats = &stat, .stat_count = 1 };

	return ao_rank_expect(&proposals[proposal], &memory);
}

static size_t choose(size_t *chosen, size_t most,
		     const struct ao_memory *memory,
		     const struct ao_strs *tried)
{
	return ao_rank_choose(chosen, most, false, proposals, COUNT, memory,
			      tried);
}

/*
 * Choose among moves of one letter each, as many as there are, with a place
 * "0" to "9" and a prior for each; nothing is remembered.
 */
static size_t choose_of(size_t *chosen, const char *moves, const char *places,
			const double *priors)
{
	struct ao_proposal offers[8];
	char names[8][2], params[8][32], features[] = "";
	size_t count = strlen(moves);

	for (size_t i = 0; i < count; i++) {
		names[i][0] = moves[i];
		names[i][1] = '\0';
		snprintf(params[i], sizeof(params[i]), "site=%c n=%zu",
			 places[i], i);
		offers[i] = (struct ao_proposal){ .move = names[i],
						  .params = params[i],
						  .features = features,
						  .prior = priors[i] };
	}
	return ao_rank_choose(chosen, count, false, offers, count, &nothing,
			      &none_tried);
}

static void without_history_the_prior_is_expected(void)
{
	EXPECT(ao_rank_expect(&proposals[0], &nothing) == 1.0);
}

static void history_draws_the_expectation_to_its_mean(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	double few = expect_after(0, stat_of(tile, rows, features, 1, 0.0));
	double many = expect_after(0, stat_of(tile, rows, features, 9, 0.0));
	double good = expect_after(0, stat_of(tile, rows, features, 10, 20.0));

	EXPECT(few < 1.0 && few > many && many > 0);
	EXPECT(good > 1.5 && good < 2.0);
}

static void no_history_silences_the_author_altogether(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	struct ao_plan_stat stat = stat_of(tile, rows, features, 1000000, 0.0);
	struct ao_memory memory = { .stats = &stat, .stat_count = 1 };

	EXPECT(ao_rank_expect(&proposals[0], &memory) > 0.002);
}

static void the_nearer_the_history_the_more_it_weighs(void)
{
	char tile[] = "tile", four[] = "rows=4";
	char same[] = "contraction", other[] = "contraction,strided";
	double features = expect_after(0, stat_of(tile, four, same, 4, 0.0));
	double move = expect_after(0, stat_of(tile, four, other, 4, 0.0));

	EXPECT(features < move && move < 1.0);
}

static void variants_share_a_poor_start_and_differ_by_what_sets_them_apart(void)
{
	char tile[] = "tile", six[] = "site=9 rows=6", four[] = "rows=4";
	char features[] = "contraction";
	struct ao_plan_stat stats[] = { stat_of(tile, six, features, 4, 2.0),
					stat_of(tile, four, features, 4, 1.0) };
	struct ao_memory memory = { .stats = stats, .stat_count = 1 };
	double alone = ao_rank_expect(&proposals[0], &memory);
	double better, worse;

	stats[0].params = four;
	EXPECT(ao_rank_expect(&proposals[0], &memory) == alone);
	stats[0].params = six;
	memory.stat_count = 2;
	better = ao_rank_expect(&proposals[0], &memory);
	stats[0].sum_faster = 1.0;
	stats[1].sum_faster = 2.0;
	worse = ao_rank_expect(&proposals[0], &memory);
	EXPECT(better > worse);
}

static void places_in_a_source_do_not_tell_parameters_apart(void)
{
	struct ao_proposal fused = proposals[0];
	char move[] = "tile", here[] = "fuse=0 site=1 rows=6";
	char there[] = "fuse=4 site=5 rows=6", more[] = "rows=6 vecs=2";
	char none[] = "", features[] = "contraction";
	struct ao_plan_stat stats[] = { stat_of(move, there, features, 4, 4.0),
					stat_of(move, none, features, 4, 0.0) };
	struct ao_memory memory = { .stats = stats, .stat_count = 2 };
	double same, different;

	fused.params = here;
	same = ao_rank_expect(&fused, &memory);
	stats[0].params = more;
	different = ao_rank_expect(&fused, &memory);
	EXPECT(same > different);
}

static void history_of_another_move_says_nothing(void)
{
	char exp_move[] = "exp", params[] = "", features[] = "contraction";

	EXPECT(expect_after(0, stat_of(exp_move, params, features, 9, 9.0)) ==
	       1.0);
}

static void a_failure_counts_as_a_try_that_gained_nothing(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	struct ao_plan_stat failed = stat_of(tile, rows, features, 5, 0.0);

	failed.failures = 5;
	EXPECT(expect_after(0, failed) < 0.5);
}

static void a_step_of_a_good_chain_gets_a_share_of_it(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	struct ao_plan_stat alone = stat_of(tile, rows, features, 5, 0.0);
	struct ao_plan_stat enabling = alone;

	enabling.sum_credit = 10.0;
	EXPECT(expect_after(0, enabling) > expect_after(0, alone));
}

static void the_best_come_first_but_few_of_one_move(void)
{
	const double priors[] = { 1.0, 1.1, 1.2, 1.3, 0.9 };
	size_t chosen[5];

	EXPECT(choose_of(chosen, "aaaab", "01234", priors) == 4);
	EXPECT(chosen[0] == 3 && chosen[1] == 2 && chosen[2] == 1 &&
	       chosen[3] == 4);
	EXPECT(choose(chosen, 1, &nothing, &none_tried) == 1);
	EXPECT(choose(chosen, 0, &nothing, &none_tried) == 0);
}

static void a_further_variant_at_a_place_counts_less(void)
{
	const double priors[] = { 0.09, 0.08, 0.05, 0.01 };
	size_t chosen[4];

	EXPECT(choose_of(chosen, "aabc", "0000", priors) == 4);
	EXPECT(chosen[0] == 0 && chosen[1] == 2 && chosen[2] == 1);
	/* At another place it does not. */
	EXPECT(choose_of(chosen, "aabc", "0100", priors) == 4);
	EXPECT(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 2);
}

static void what_is_worth_little_of_the_best_waits(void)
{
	const double priors[] = { 1.0, 0.8, 0.31, 0.29 };
	const double alone[] = { 1.0, 0.02, 0.02, 0.02 };
	size_t chosen[4];

	EXPECT(choose_of(chosen, "abcd", "0000", priors) == 3);
	EXPECT(chosen[2] == 2);
	EXPECT(choose_of(chosen, "abcd", "0000", alone) == 1);
	EXPECT(chosen[0] == 0);
}

static void where_even_the_best_is_worth_little_nothing_waits(void)
{
	const double priors[] = { 0.09, 0.02, 0.01, -0.01 };
	size_t chosen[4];

	EXPECT(choose_of(chosen, "abcd", "0000", priors) == 4);
}

static void what_waited_is_chosen_once_the_best_are_tried(void)
{
	struct ao_strs tried = { 0 };
	size_t chosen[COUNT];

	for (size_t i = 0; i + 1 < COUNT; i++) {
		char *name = ao_rank_name(&proposals[i]);

		ao_strs_push(&tried, name);
		free(name);
	}
	EXPECT(choose(chosen, COUNT, &nothing, &tried) == 1);
	EXPECT(chosen[0] == COUNT - 1);
	ao_strs_push(&tried, "exp");
	EXPECT(choose(chosen, COUNT, &nothing, &tried) == 0);
	ao_strs_release(&tried);
}

static void where_nothing_is_believed_the_order_is_that_of_the_catalogue(void)
{
	const double priors[] = { 0, 0, 0, 0, 0, 0 };
	size_t chosen[6];

	EXPECT(choose_of(chosen, "aabbbb", "000000", priors) == 5);
	for (size_t i = 0; i < 5; i++)
		EXPECT(chosen[i] == i);
}

static void a_sweep_gets_all_best_first(void)
{
	size_t chosen[COUNT];

	EXPECT(ao_rank_choose(chosen, COUNT, true, proposals, COUNT, &nothing,
			      &none_tried) == COUNT);
	for (size_t i = 0; i < COUNT; i++)
		EXPECT(chosen[i] == i);
}

static void memory_changes_the_order(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	struct ao_plan_stat stat = stat_of(tile, rows, features, 50, 0.0);
	struct ao_memory memory = { .stats = &stat, .stat_count = 1 };
	size_t chosen[COUNT];

	EXPECT(choose(chosen, COUNT, &memory, &none_tried) > 0);
	EXPECT(chosen[0] == 3);
}

static void what_was_tried_is_left_out_and_makes_room(void)
{
	struct ao_strs tried = { 0 };
	size_t chosen[COUNT];

	ao_strs_push(&tried, "tile site=0 rows=6");
	ao_strs_push(&tried, "exp");
	EXPECT(choose(chosen, COUNT, &nothing, &tried) == 1);
	EXPECT(chosen[0] == 1);
	ao_strs_release(&tried);
}

int main(void)
{
	RUN(without_history_the_prior_is_expected);
	RUN(history_draws_the_expectation_to_its_mean);
	RUN(no_history_silences_the_author_altogether);
	RUN(the_nearer_the_history_the_more_it_weighs);
	RUN(variants_share_a_poor_start_and_differ_by_what_sets_them_apart);
	RUN(places_in_a_source_do_not_tell_parameters_apart);
	RUN(history_of_another_move_says_nothing);
	RUN(a_failure_counts_as_a_try_that_gained_nothing);
	RUN(a_step_of_a_good_chain_gets_a_share_of_it);
	RUN(the_best_come_first_but_few_of_one_move);
	RUN(a_further_variant_at_a_place_counts_less);
	RUN(what_is_worth_little_of_the_best_waits);
	RUN(what_waited_is_chosen_once_the_best_are_tried);
	RUN(where_even_the_best_is_worth_little_nothing_waits);
	RUN(where_nothing_is_believed_the_order_is_that_of_the_catalogue);
	RUN(a_sweep_gets_all_best_first);
	RUN(memory_changes_the_order);
	RUN(what_was_tried_is_left_out_and_makes_room);
	return tap_done();
}
