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
				      .sum_log_gain = gain };
}

/* Expect this of one proposal, with one line of history. */
static double expect_after(size_t proposal, struct ao_plan_stat stat)
{
	struct ao_memory memory = { .stats = &stat, .stat_count = 1 };

	return ao_rank_expect(&proposals[proposal], &memory);
}

static size_t choose(size_t *chosen, size_t most, size_t per_move,
		     const struct ao_memory *memory,
		     const struct ao_strs *tried)
{
	return ao_rank_choose(chosen, most, per_move, proposals, COUNT, memory,
			      tried);
}

static void without_history_the_prior_is_expected(void)
{
	EXPECT(ao_rank_expect(&proposals[0], &nothing) == 1.0);
}

static void history_draws_the_expectation_to_its_mean(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	double few = expect_after(0, stat_of(tile, rows, features, 1, 0.0));
	double many = expect_after(0, stat_of(tile, rows, features, 1000, 0.0));
	double good = expect_after(0, stat_of(tile, rows, features, 10, 20.0));

	EXPECT(few < 1.0 && few > 0.3);
	EXPECT(fabs(many) < 0.01);
	EXPECT(good > 1.5 && good < 2.0);
}

static void the_nearer_the_history_the_more_it_weighs(void)
{
	char tile[] = "tile", six[] = "site=9 rows=6", four[] = "rows=4";
	char same[] = "contraction", other[] = "contraction,strided";
	double exact = expect_after(0, stat_of(tile, six, same, 4, 0.0));
	double features = expect_after(0, stat_of(tile, four, same, 4, 0.0));
	double move = expect_after(0, stat_of(tile, six, other, 4, 0.0));

	EXPECT(exact < features && features < move && move < 1.0);
}

static void places_in_a_source_do_not_tell_parameters_apart(void)
{
	struct ao_proposal fused = proposals[0];
	char move[] = "tile", here[] = "fuse=0 site=1 rows=6";
	char there[] = "fuse=4 site=5 rows=6", more[] = "rows=6 vecs=2";
	char features[] = "contraction";
	struct ao_plan_stat stat = stat_of(move, there, features, 4, 0.0);
	struct ao_memory memory = { .stats = &stat, .stat_count = 1 };
	double same, different;

	fused.params = here;
	same = ao_rank_expect(&fused, &memory);
	stat.params = more;
	different = ao_rank_expect(&fused, &memory);
	EXPECT(same < different);
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
	size_t chosen[COUNT];

	EXPECT(choose(chosen, COUNT, 2, &nothing, &none_tried) == 3);
	EXPECT(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 3);
	EXPECT(choose(chosen, COUNT, SIZE_MAX, &nothing, &none_tried) == COUNT);
	EXPECT(choose(chosen, 1, 2, &nothing, &none_tried) == 1);
	EXPECT(choose(chosen, 0, 2, &nothing, &none_tried) == 0);
}

static void memory_changes_the_order(void)
{
	char tile[] = "tile", rows[] = "rows=6", features[] = "contraction";
	struct ao_plan_stat stat = stat_of(tile, rows, features, 50, -5.0);
	struct ao_memory memory = { .stats = &stat, .stat_count = 1 };
	size_t chosen[COUNT];

	EXPECT(choose(chosen, COUNT, 3, &memory, &none_tried) == COUNT);
	EXPECT(chosen[0] == 3 && chosen[COUNT - 1] == 0);
}

static void what_was_tried_is_left_out_and_makes_room(void)
{
	struct ao_strs tried = { 0 };
	size_t chosen[COUNT];

	ao_strs_push(&tried, "tile site=0 rows=6");
	ao_strs_push(&tried, "exp");
	EXPECT(choose(chosen, COUNT, 2, &nothing, &tried) == 2);
	EXPECT(chosen[0] == 1 && chosen[1] == 2);
	ao_strs_release(&tried);
}

int main(void)
{
	RUN(without_history_the_prior_is_expected);
	RUN(history_draws_the_expectation_to_its_mean);
	RUN(the_nearer_the_history_the_more_it_weighs);
	RUN(places_in_a_source_do_not_tell_parameters_apart);
	RUN(history_of_another_move_says_nothing);
	RUN(a_failure_counts_as_a_try_that_gained_nothing);
	RUN(a_step_of_a_good_chain_gets_a_share_of_it);
	RUN(the_best_come_first_but_few_of_one_move);
	RUN(memory_changes_the_order);
	RUN(what_was_tried_is_left_out_and_makes_room);
	return tap_done();
}
