/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "store/memory.h"

enum { MAX = 16 };

static char silu[] = "silu", rope[] = "rope";
static char first_run[] = "20261130T000000-00000001";
static char second_run[] = "20261130T000001-00000000";
static char same[] = "the same";
static char some_text[] = "text";
static char interchange[] = "interchange";
static char tile_4_2[] = "tile mr=4 nv=2", tile_8_2[] = "tile mr=8 nv=2";
static char strided[] = "contraction,strided", plain[] = "contraction";

/* A history made by hand; it owns nothing. */
static struct ao_insight insights[MAX];
static char titles[MAX][8];
static struct ao_candidate candidates[MAX];
static struct ao_profile profiles[MAX];
static struct ao_plan plans[MAX];
static struct ao_pair pairs[MAX];
static struct ao_history_run run;
static struct ao_history history;
static struct ao_memory memory;

static void start(void)
{
	memset(insights, 0, sizeof(insights));
	memset(candidates, 0, sizeof(candidates));
	run = (struct ao_history_run){ .candidates = candidates };
	memset(run.run.base_kernel, 'b', AO_ID_SIZE - 1);
	memset(run.run.base, 'f', AO_ID_SIZE - 1);
	history = (struct ao_history){ .insights = insights,
				       .runs = &run,
				       .run_count = 1 };
}

static void rebuild(const char *task, uint32_t capacity)
{
	const struct ao_memory_options options = { .task = task,
						   .capacity = capacity };

	ao_memory_release(&memory);
	ao_memory_rebuild(&memory, &history, &options);
}

/* An insight called by one letter. */
static struct ao_insight *learn(char *of_run, uint32_t iteration, uint32_t rank,
				char name)
{
	size_t i = history.insight_count++;
	struct ao_insight *insight = &insights[i];

	titles[i][0] = name;
	titles[i][1] = '\0';
	*insight = (struct ao_insight){
		.task = silu,
		.run = of_run,
		.iteration = iteration,
		.rank = rank,
		.title = titles[i],
		.text = some_text,
	};
	snprintf(insight->head.id, sizeof(insight->head.id), "%016zx", i);
	return insight;
}

/* Whether the memory has these insights, newest first, by their letters. */
static bool remembers(const char *letters)
{
	bool is_same = strlen(letters) == memory.insight_count;

	for (size_t i = 0; is_same && letters[i]; i++)
		is_same = memory.insights[i].title[0] == letters[i];
	return is_same;
}

static void the_newest_insight_comes_first(void)
{
	start();
	learn(first_run, 0, 0, 'a');
	learn(first_run, 1, 0, 'b');
	rebuild(NULL, 16);
	EXPECT(remembers("ba"));
}

static void the_oldest_leave_when_it_is_full(void)
{
	start();
	for (uint32_t i = 0; i < 5; i++)
		learn(first_run, i, 0, (char)('a' + i));
	rebuild(NULL, 3);
	EXPECT(remembers("edc"));
}

static void they_enter_by_run_then_iteration_then_rank(void)
{
	start();
	learn(second_run, 0, 0, 'd');
	learn(first_run, 1, 0, 'c');
	learn(first_run, 0, 1, 'b');
	learn(first_run, 0, 0, 'a');
	rebuild(NULL, 16);
	EXPECT(remembers("dcba"));
}

static void what_is_in_the_queue_takes_no_second_slot(void)
{
	start();
	learn(first_run, 0, 0, 'a');
	learn(first_run, 1, 0, 'b');
	learn(first_run, 2, 0, 'a');
	rebuild(NULL, 2);
	EXPECT(remembers("ba"));
}

static void what_has_left_may_enter_again(void)
{
	start();
	learn(first_run, 0, 0, 'a');
	learn(first_run, 1, 0, 'b');
	learn(first_run, 2, 0, 'c');
	learn(first_run, 3, 0, 'a');
	rebuild(NULL, 2);
	EXPECT(remembers("ac"));
}

static void an_equal_title_with_another_text_is_another_insight(void)
{
	start();
	learn(first_run, 0, 0, 'a');
	learn(first_run, 1, 0, 'a')->text = same;
	rebuild(NULL, 16);
	EXPECT(remembers("aa"));
}

static void a_change_that_is_repeated_in_its_task_takes_no_slot(void)
{
	static char code[] = "cflags: -fast", old[] = "", number[] = "x1.1";
	struct ao_insight *again;

	start();
	learn(first_run, 0, 0, 'a')->fast_code = code;
	history.insights[0].slow_code = old;
	again = learn(first_run, 1, 0, 'a');
	again->text = number;
	again->fast_code = code;
	rebuild(NULL, 4);
	EXPECT(remembers("a"));
	/* Of another task it is other evidence. */
	again->task = rope;
	rebuild(NULL, 4);
	EXPECT(remembers("aa"));
	/* Without code there is nothing to go by but the text. */
	again->task = history.insights[0].task;
	again->fast_code = history.insights[0].fast_code = NULL;
	rebuild(NULL, 4);
	EXPECT(remembers("aa"));
}

static void what_teaches_nothing_takes_no_slot(void)
{
	static char none[] = "**No optimization found**";
	static char empty[] = " \n";

	start();
	learn(first_run, 0, 0, 'a');
	learn(first_run, 1, 0, 'b')->title = none;
	learn(first_run, 2, 0, 'c')->title = empty;
	insights[2].text = empty;
	learn(first_run, 3, 0, 'd')->title = NULL;
	insights[3].text = NULL;
	rebuild(NULL, 16);
	EXPECT(remembers("a"));
}

static void only_the_task_asked_for_is_remembered(void)
{
	start();
	learn(first_run, 0, 0, 'a');
	learn(first_run, 1, 0, 'b')->task = rope;
	rebuild("silu", 16);
	EXPECT(remembers("a"));
	rebuild(NULL, 16);
	EXPECT(remembers("ba"));
}

static void a_capacity_of_none_remembers_none(void)
{
	start();
	learn(first_run, 0, 0, 'a');
	rebuild(NULL, 0);
	EXPECT(remembers(""));
}

/*
 * An attempt derived from number `parent` (0: the baseline), that passed with
 * `log_gain` over it and a score.  They are numbered from 1.
 */
static struct ao_profile *try_move(size_t parent, char *move, double log_gain,
				   double score)
{
	size_t i = run.candidate_count++;
	struct ao_candidate *c = &candidates[i];

	plans[i] = (struct ao_plan){ .move = move, .features = strided };
	pairs[i] = (struct ao_pair){ .log_gain = log_gain,
				     .log_low = log_gain,
				     .log_high = log_gain };
	profiles[i] = (struct ao_profile){
		.score = score,
		.result = { .verdict = AO_VERDICT_PASSED,
			    .pairs = &pairs[i],
			    .pair_count = 1 },
	};
	*c = (struct ao_candidate){ .profile = &profiles[i],
				    .plan = &plans[i] };
	memset(c->commit, '0' + (int)i + 1, AO_ID_SIZE - 1);
	memset(c->parent, parent ? '0' + (int)parent : 'f', AO_ID_SIZE - 1);
	return &profiles[i];
}

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static void moves_are_counted_by_parameters_and_features(void)
{
	start();
	try_move(0, tile_8_2, 1, 1);
	try_move(0, tile_4_2, 2, 2);
	try_move(0, interchange, 3, 3);
	try_move(0, tile_4_2, 4, 4);
	try_move(0, tile_4_2, 5, 5);
	plans[4].features = plain;
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 4);
	if (memory.stat_count != 4)
		return;
	EXPECT(!strcmp(memory.stats[0].move, "interchange"));
	EXPECT(!*memory.stats[0].params);
	EXPECT(!strcmp(memory.stats[1].move, "tile") &&
	       !strcmp(memory.stats[1].params, "mr=4 nv=2") &&
	       !strcmp(memory.stats[1].features, "contraction"));
	EXPECT(!strcmp(memory.stats[2].features, "contraction,strided"));
	EXPECT(memory.stats[2].tries == 2);
	EXPECT(is_near(memory.stats[2].sum_log_gain, 6));
	EXPECT(!strcmp(memory.stats[3].params, "mr=8 nv=2"));
}

static void losses_and_failures_count(void)
{
	start();
	try_move(0, interchange, -1, -1);
	try_move(0, interchange, 3, 3)->result.verdict =
		AO_VERDICT_COMPILE_ERROR;
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 1 && memory.stats[0].tries == 2);
	EXPECT(memory.stat_count == 1 && memory.stats[0].failures == 1);
	EXPECT(memory.stat_count == 1 &&
	       is_near(memory.stats[0].sum_log_gain, -1));
}

static void the_median_is_that_of_those_that_passed(void)
{
	start();
	try_move(0, interchange, 9, 9)->result.verdict =
		AO_VERDICT_COMPILE_ERROR;
	try_move(0, interchange, 5, 5);
	try_move(0, interchange, -1, -1);
	try_move(0, interchange, 1, 1);
	try_move(0, tile_4_2, 1, 1);
	try_move(0, tile_4_2, 2, 2);
	try_move(0, tile_8_2, 3, 3)->result.verdict = AO_VERDICT_RUNTIME_ERROR;
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 3);
	if (memory.stat_count != 3)
		return;
	EXPECT(is_near(memory.stats[0].median_log_gain, 1));
	EXPECT(is_near(memory.stats[0].sum_log_gain, 5));
	EXPECT(is_near(memory.stats[0].sum_faster, 6));
	EXPECT(is_near(memory.stats[1].median_log_gain, 1.5));
	EXPECT(is_near(memory.stats[2].median_log_gain, 0));
}

static void what_was_not_judged_for_itself_does_not_count(void)
{
	start();
	try_move(0, interchange, 1, 1)->result.verdict = AO_VERDICT_DUPLICATE;
	try_move(0, interchange, 1, 1)->result.verdict = AO_VERDICT_INTERRUPTED;
	try_move(0, interchange, 1, 1)->result.is_reused = true;
	try_move(0, NULL, 1, 1);
	try_move(0, interchange, 1, 1);
	candidates[4].profile = NULL;
	try_move(0, interchange, 1, 1);
	candidates[5].plan = NULL;
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 0);
}

static void the_whole_winning_chain_is_credited(void)
{
	start();
	try_move(0, interchange, 0, 0);
	try_move(1, tile_4_2, 2, 2);
	try_move(1, tile_8_2, 1.5, 1.5);
	memcpy(run.best, candidates[1].commit, AO_ID_SIZE);
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 3);
	if (memory.stat_count != 3)
		return;
	EXPECT(is_near(memory.stats[0].sum_credit, 2));
	EXPECT(is_near(memory.stats[1].sum_credit, 2));
	EXPECT(is_near(memory.stats[2].sum_credit, 0));
}

static char drop_the_first[] = "drop 0.1";

static void a_step_that_was_left_out_again_gets_no_credit(void)
{
	start();
	try_move(0, interchange, 0.1, 0.1);
	try_move(1, tile_4_2, 2, 2);
	try_move(2, drop_the_first, 0, 2);
	candidates[0].message.attempt = (struct ao_attempt){ 0, 1 };
	candidates[1].message.attempt = (struct ao_attempt){ 1, 1 };
	candidates[2].message.attempt = (struct ao_attempt){ 2, 1 };
	memcpy(run.best, candidates[2].commit, AO_ID_SIZE);
	rebuild(NULL, 0);
	/* Leaving out is no move of the catalogue either. */
	EXPECT(memory.stat_count == 2);
	if (memory.stat_count != 2)
		return;
	EXPECT(is_near(memory.stats[0].sum_credit, 0));
	EXPECT(is_near(memory.stats[1].sum_credit, 2));
}

static void only_tries_that_are_in_a_chain_count_as_credited(void)
{
	start();
	try_move(0, tile_4_2, 2, 2);
	try_move(0, tile_4_2, 1, 1);
	try_move(0, tile_8_2, 1.5, 1.5);
	memcpy(run.best, candidates[0].commit, AO_ID_SIZE);
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 2 && memory.stats[0].tries == 2 &&
	       memory.stats[0].credited == 1 && memory.stats[1].credited == 0);
}

static void while_there_is_no_winner_the_best_score_leads(void)
{
	start();
	try_move(0, interchange, 1, 1);
	try_move(1, tile_4_2, 2, 3);
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 2 &&
	       is_near(memory.stats[0].sum_credit, 3) &&
	       is_near(memory.stats[1].sum_credit, 3));
}

static void a_run_without_a_gain_credits_nothing(void)
{
	start();
	try_move(0, interchange, -1, -1);
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 1 &&
	       is_near(memory.stats[0].sum_credit, 0));
}

static void a_chain_in_a_circle_ends(void)
{
	start();
	try_move(2, interchange, 1, 1);
	try_move(1, tile_4_2, 1, 2);
	rebuild(NULL, 0);
	EXPECT(memory.stat_count == 2 &&
	       is_near(memory.stats[0].sum_credit, 2));
}

static void an_empty_history_gives_an_empty_memory(void)
{
	start();
	rebuild(NULL, 16);
	EXPECT(!memory.insight_count && !memory.stat_count);
}

int main(void)
{
	RUN(the_newest_insight_comes_first);
	RUN(the_oldest_leave_when_it_is_full);
	RUN(they_enter_by_run_then_iteration_then_rank);
	RUN(what_is_in_the_queue_takes_no_second_slot);
	RUN(what_has_left_may_enter_again);
	RUN(an_equal_title_with_another_text_is_another_insight);
	RUN(a_change_that_is_repeated_in_its_task_takes_no_slot);
	RUN(what_teaches_nothing_takes_no_slot);
	RUN(only_the_task_asked_for_is_remembered);
	RUN(a_capacity_of_none_remembers_none);
	RUN(moves_are_counted_by_parameters_and_features);
	RUN(losses_and_failures_count);
	RUN(the_median_is_that_of_those_that_passed);
	RUN(what_was_not_judged_for_itself_does_not_count);
	RUN(the_whole_winning_chain_is_credited);
	RUN(a_step_that_was_left_out_again_gets_no_credit);
	RUN(only_tries_that_are_in_a_chain_count_as_credited);
	RUN(while_there_is_no_winner_the_best_score_leads);
	RUN(a_run_without_a_gain_credits_nothing);
	RUN(a_chain_in_a_circle_ends);
	RUN(an_empty_history_gives_an_empty_memory);
	ao_memory_release(&memory);
	return tap_done();
}
