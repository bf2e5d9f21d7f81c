/* SPDX-License-Identifier: MIT */
/*
 * What the rules of an evaluation cost and find, on units of equal kernels that
 * were recorded, with a gain added.
 */
#include "util/base.h"

#include <math.h>

#include "eval/trial_rules.h"
#include "tap.h"
#include "util/rng.h"

enum { RUNS = 4000, MAX_UNITS = 1000 };

/* How a machine may be: the units of a kernel against itself. */
struct noise {
	const char *name;
	double scale;
	double units[MAX_UNITS];
	size_t count;
};

static struct noise quiet = { .name = "small", .scale = 0.3 };
static struct noise usual = { .name = "small", .scale = 1 };
static struct noise loaded = { .name = "product", .scale = 1 };
static struct noise *const noises[] = { &quiet, &usual, &loaded };

static void read_units(struct noise *noise)
{
	FILE *file = fopen("tests/data/aa-units.txt", "r");
	bool is_in = false;
	char word[64], *end;

	while (file && fscanf(file, "%63s", word) == 1) {
		double unit = strtod(word, &end);

		if (*end)
			is_in = !strcmp(word, noise->name);
		else if (is_in && noise->count < MAX_UNITS)
			noise->units[noise->count++] = noise->scale * unit;
	}
	if (file)
		fclose(file);
}

/* Of many tests: how often it was decided how, and after how many units. */
struct tally {
	double share[AO_DECISION_COUNT];
	/* Faster, or undecided with more wins than luck has: is pursued. */
	double hopeful;
	double mean_units;
};

static void add_one(struct tally *tally, const struct ao_timing_rules *rules,
		    const struct noise *noise, double gain, struct ao_rng *rng)
{
	struct ao_timing *timing = ao_timing_new(rules);
	struct ao_pair pair = { 0 };
	enum ao_decision decision;

	do {
		double unit = noise->units[ao_rng_below(rng, noise->count)];

		/* Either kernel of a pair may be the candidate. */
		unit = ao_rng_below(rng, 2) ? unit : -unit;
		decision = ao_timing_add(timing, gain + unit);
	} while (decision == AO_DECISION_NONE);
	ao_timing_report(&pair, timing);
	tally->share[decision] += 1.0 / RUNS;
	tally->mean_units += (double)pair.units / RUNS;
	if (decision == AO_DECISION_FASTER ||
	    (decision == AO_DECISION_UNDECIDED && pair.log_gain > 0 &&
	     pair.evidence > 1))
		tally->hopeful += 1.0 / RUNS;
	free(pair.unit_log_gain);
	ao_timing_free(timing);
}

static struct tally simulate_by(const struct ao_timing_rules *rules,
				const struct noise *noise, double gain)
{
	struct tally tally = { 0 };
	struct ao_rng rng;

	ao_rng_seed(&rng, 5);
	for (size_t i = 0; i < RUNS; i++)
		add_one(&tally, rules, noise, gain, &rng);
	return tally;
}

static struct tally simulate(enum ao_stage stage, bool is_main,
			     const struct noise *noise, double gain)
{
	struct ao_timing_rules rules = ao_trial_timing_rules(stage, is_main);

	return simulate_by(&rules, noise, gain);
}

static void a_kernel_is_told_apart_from_itself_once_in_a_hundred_at_most(void)
{
	struct ao_timing_rules rules = ao_trial_control_rules();

	for (size_t n = 0; n < AO_ARRAY_SIZE(noises); n++) {
		struct tally tally = simulate_by(&rules, noises[n], 0);

		EXPECT(tally.share[AO_DECISION_FASTER] +
			       tally.share[AO_DECISION_SLOWER] <=
		       0.01);
		EXPECT(tally.mean_units < 3.5);
	}
}

static void a_side_that_is_favoured_is_found_by_the_control(void)
{
	struct ao_timing_rules rules = ao_trial_control_rules();
	struct tally tally = simulate_by(&rules, &usual, 0.05);

	EXPECT(tally.share[AO_DECISION_FASTER] > 0.8);
	tally = simulate_by(&rules, &quiet, 0.03);
	EXPECT(tally.share[AO_DECISION_FASTER] > 0.95);
}

static void equal_kernels_are_told_apart_once_in_a_hundred_at_most(void)
{
	static const enum ao_stage stages[] = { AO_STAGE_SCREEN,
						AO_STAGE_FULL };

	for (size_t n = 0; n < AO_ARRAY_SIZE(noises); n++)
		for (size_t i = 0; i < AO_ARRAY_SIZE(stages); i++) {
			struct tally tally = simulate(stages[i], true,
						      noises[n], 0);

			EXPECT(tally.share[AO_DECISION_FASTER] <= 0.01);
			EXPECT(tally.share[AO_DECISION_SLOWER] <= 0.01);
		}
}

static void an_equal_kernel_is_confirmed_once_in_a_thousand_at_most(void)
{
	for (size_t n = 0; n < AO_ARRAY_SIZE(noises); n++) {
		struct tally tally = simulate(AO_STAGE_CONFIRM, true, noises[n],
					      0);

		/* Of so many runs, four are expected at most. */
		EXPECT(tally.share[AO_DECISION_FASTER] <= 8.0 / RUNS);
		EXPECT(tally.share[AO_DECISION_SLOWER] <= 8.0 / RUNS);
	}
}

static void a_tie_is_screened_in_few_units_where_it_is_quiet(void)
{
	struct tally tally = simulate(AO_STAGE_SCREEN, true, &quiet, 0);

	EXPECT(tally.mean_units < 4);
	EXPECT(tally.hopeful < 0.01);
	tally = simulate(AO_STAGE_SCREEN, true, &usual, 0);
	EXPECT(tally.mean_units < 6);
	EXPECT(tally.hopeful < 0.1);
}

static void what_is_slower_is_screened_in_three_or_four(void)
{
	for (size_t n = 0; n < AO_ARRAY_SIZE(noises); n++) {
		struct tally tally = simulate(AO_STAGE_SCREEN, true, noises[n],
					      -0.1);

		EXPECT(tally.mean_units < 4);
		EXPECT(tally.hopeful == 0);
	}
}

static void screening_pursues_what_gains(void)
{
	static const struct {
		const struct noise *noise;
		double gain, least;
	} rows[] = {
		{ &quiet, 0.03, 0.995 },  { &quiet, 0.05, 0.999 },
		{ &quiet, 0.10, 0.999 },  { &usual, 0.03, 0.98 },
		{ &usual, 0.05, 0.99 },	  { &usual, 0.10, 0.99 },
		{ &loaded, 0.03, 0.65 },  { &loaded, 0.05, 0.93 },
		{ &loaded, 0.10, 0.995 },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(rows); i++)
		EXPECT(simulate(AO_STAGE_SCREEN, true, rows[i].noise,
				rows[i].gain)
			       .hopeful >= rows[i].least);
}

static void what_gains_is_confirmed(void)
{
	static const struct {
		const struct noise *noise;
		double gain, least;
	} rows[] = {
		{ &quiet, 0.03, 0.99 },	 { &quiet, 0.10, 0.999 },
		{ &usual, 0.03, 0.99 },	 { &usual, 0.05, 0.99 },
		{ &usual, 0.10, 0.99 },	 { &loaded, 0.03, 0.6 },
		{ &loaded, 0.05, 0.97 }, { &loaded, 0.10, 0.99 },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(rows); i++)
		EXPECT(simulate(AO_STAGE_CONFIRM, true, rows[i].noise,
				rows[i].gain)
			       .share[AO_DECISION_FASTER] >= rows[i].least);
}

static void what_is_not_confirmed_ends_before_its_budget(void)
{
	EXPECT(simulate(AO_STAGE_CONFIRM, true, &quiet, 0).mean_units < 10);
	EXPECT(simulate(AO_STAGE_CONFIRM, true, &usual, 0).mean_units < 20);
	EXPECT(simulate(AO_STAGE_CONFIRM, true, &loaded, 0).mean_units < 35);
}

static void a_loss_on_another_case_is_found_while_confirming(void)
{
	struct tally tally = simulate(AO_STAGE_CONFIRM, false, &usual, -0.05);

	EXPECT(tally.share[AO_DECISION_SLOWER] >= 0.97);
	tally = simulate(AO_STAGE_CONFIRM, false, &loaded, -0.1);
	EXPECT(tally.share[AO_DECISION_SLOWER] >= 0.95);
}

static void where_nothing_is_lost_few_units_show_it(void)
{
	struct tally tally = simulate(AO_STAGE_CONFIRM, false, &usual, 0);

	EXPECT(tally.share[AO_DECISION_SLOWER] <= 0.01);
	EXPECT(tally.mean_units < 12);
	tally = simulate(AO_STAGE_CONFIRM, false, &usual, 0.1);
	EXPECT(tally.mean_units < 6);
}

int main(void)
{
	for (size_t n = 0; n < AO_ARRAY_SIZE(noises); n++) {
		read_units(noises[n]);
		if (!noises[n]->count)
			return 1;
	}
	RUN(equal_kernels_are_told_apart_once_in_a_hundred_at_most);
	RUN(an_equal_kernel_is_confirmed_once_in_a_thousand_at_most);
	RUN(a_kernel_is_told_apart_from_itself_once_in_a_hundred_at_most);
	RUN(a_side_that_is_favoured_is_found_by_the_control);
	RUN(a_tie_is_screened_in_few_units_where_it_is_quiet);
	RUN(what_is_slower_is_screened_in_three_or_four);
	RUN(screening_pursues_what_gains);
	RUN(what_gains_is_confirmed);
	RUN(what_is_not_confirmed_ends_before_its_budget);
	RUN(a_loss_on_another_case_is_found_while_confirming);
	RUN(where_nothing_is_lost_few_units_show_it);
	return tap_done();
}
