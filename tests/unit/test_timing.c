/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/timing.h"
#include "tap.h"
#include "util/rng.h"

enum { UNITS = 60, RUNS = 4000 };
static const double effect = 0.01;
static const double bound = 100;

/* A test of what is true, either way. */
static struct ao_timing *new_timing(size_t units, double evidence_bound)
{
	const struct ao_timing_rules rules = {
		.min_effect = effect,
		.max_units = units,
		.evidence_bound = evidence_bound,
	};

	return ao_timing_new(&rules);
}

/*
 * A unit of a true gain under noise as a shared machine has it: small jitter,
 * and in one unit of eight a disturbance that hits either side.
 */
static double noisy_unit(struct ao_rng *rng, double gain, double noise)
{
	double unit = gain + noise * ao_rng_normal(rng);

	if (ao_rng_below(rng, 8) == 0)
		unit += 10 * noise * ao_rng_normal(rng);
	return unit;
}

/* One test of simulated units to its end; returns how many it took. */
static size_t simulate(enum ao_decision *out, struct ao_rng *rng, double gain,
		       double noise)
{
	struct ao_timing *timing = new_timing(UNITS, bound);
	size_t units = 0;

	do {
		*out = ao_timing_add(timing, noisy_unit(rng, gain, noise));
		units++;
	} while (*out == AO_DECISION_NONE);
	ao_timing_free(timing);
	return units;
}

struct tally {
	size_t decisions[AO_DECISION_UNDECIDED + 1];
	double mean_units;
};

static struct tally simulate_many(uint64_t seed, double gain, double noise)
{
	struct tally tally = { 0 };
	struct ao_rng rng;

	ao_rng_seed(&rng, seed);
	for (size_t i = 0; i < RUNS; i++) {
		enum ao_decision decision;
		size_t units = simulate(&decision, &rng, gain, noise);

		tally.mean_units += (double)units / RUNS;
		tally.decisions[decision]++;
	}
	return tally;
}

/* The state after the given units, whatever was decided meanwhile. */
static struct ao_pair report_of(const double *units, size_t count)
{
	struct ao_timing *timing = new_timing(UNITS, bound);
	struct ao_pair pair = { 0 };

	for (size_t i = 0; i < count; i++)
		if (ao_timing_add(timing, units[i]) != AO_DECISION_NONE)
			break;
	ao_timing_report(&pair, timing);
	ao_timing_free(timing);
	return pair;
}

static void the_evidence_is_a_fair_bet_at_every_step(void)
{
	for (size_t units = 0; units < 40; units++)
		for (size_t wins = 0; wins <= units; wins++) {
			double now = ao_timing_evidence(wins, units);
			double next = ao_timing_evidence(wins, units + 1) / 2 +
				      ao_timing_evidence(wins + 1, units + 1) /
					      2;

			EXPECT(fabs(next - now) <= 1e-12 * now);
		}
	EXPECT(ao_timing_evidence(0, 0) == 1);
}

static void the_evidence_grows_with_each_win(void)
{
	for (size_t units = 1; units < 40; units++)
		for (size_t wins = 0; wins < units; wins++)
			EXPECT(ao_timing_evidence(wins, units) <
			       ao_timing_evidence(wins + 1, units));
}

static void equal_kernels_are_told_apart_once_in_a_hundred_at_most(void)
{
	static const double noises[] = { 0.002, 0.01, 0.03, 0.3 };

	for (size_t i = 0; i < AO_ARRAY_SIZE(noises); i++) {
		struct tally tally = simulate_many(7 + i, 0, noises[i]);

		EXPECT(tally.decisions[AO_DECISION_FASTER] <= RUNS / 100);
		EXPECT(tally.decisions[AO_DECISION_SLOWER] <= RUNS / 100);
	}
}

enum { MAX_RECORDED = 1000 };

/* The recorded units of a kernel against itself, by its name in the file. */
static size_t read_recorded(double *units, const char *kernel)
{
	FILE *file = fopen("tests/data/aa-units.txt", "r");
	bool is_in = false;
	size_t count = 0;
	char word[64], *end;

	while (file && fscanf(file, "%63s", word) == 1) {
		double unit = strtod(word, &end);

		if (*end)
			is_in = !strcmp(word, kernel);
		else if (is_in && count < MAX_RECORDED)
			units[count++] = unit;
	}
	if (file)
		fclose(file);
	return count;
}

/* One test on recorded units; either kernel of a pair may be the candidate. */
static enum ao_decision replay(const double *units, size_t count,
			       struct ao_rng *rng)
{
	struct ao_timing *timing = new_timing(UNITS, bound);
	enum ao_decision decision;

	do {
		double unit = units[ao_rng_below(rng, count)];

		decision = ao_timing_add(timing,
					 ao_rng_below(rng, 2) ? unit : -unit);
	} while (decision == AO_DECISION_NONE);
	ao_timing_free(timing);
	return decision;
}

static void recorded_pairs_of_equal_kernels_are_not_told_apart(void)
{
	static const char *const kernels[] = { "product", "stream" };
	double units[MAX_RECORDED];
	struct ao_rng rng;

	ao_rng_seed(&rng, 41);
	for (size_t k = 0; k < AO_ARRAY_SIZE(kernels); k++) {
		size_t count = read_recorded(units, kernels[k]);
		size_t tally[AO_DECISION_UNDECIDED + 1] = { 0 };

		EXPECT(count == 400);
		for (size_t run = 0; count && run < RUNS; run++)
			tally[replay(units, count, &rng)]++;
		EXPECT(tally[AO_DECISION_FASTER] <= RUNS / 100);
		EXPECT(tally[AO_DECISION_SLOWER] <= RUNS / 100);
	}
}

static void a_gain_of_five_percent_is_found_through_noise_of_three(void)
{
	struct tally tally = simulate_many(21, 0.05, 0.03);

	EXPECT(tally.decisions[AO_DECISION_FASTER] >= RUNS * 99 / 100);
	EXPECT(tally.mean_units < 15);
	EXPECT(tally.decisions[AO_DECISION_SLOWER] == 0);
}

static void a_loss_of_five_percent_is_found_as_well(void)
{
	struct tally tally = simulate_many(22, -0.05, 0.03);

	EXPECT(tally.decisions[AO_DECISION_SLOWER] >= RUNS * 99 / 100);
	EXPECT(tally.decisions[AO_DECISION_FASTER] == 0);
}

static void a_gain_of_two_percent_is_found_on_a_quiet_machine(void)
{
	struct tally tally = simulate_many(23, 0.02, 0.01);

	EXPECT(tally.decisions[AO_DECISION_FASTER] >= RUNS * 95 / 100);
	EXPECT(tally.mean_units < 22);
}

static void a_tie_is_cheap_on_a_quiet_machine(void)
{
	struct tally tally = simulate_many(24, 0, 0.002);

	EXPECT(tally.decisions[AO_DECISION_TIE] >= RUNS * 95 / 100);
	EXPECT(tally.mean_units < 15);
}

static void equal_kernels_are_equal_on_a_noisy_machine_too(void)
{
	struct tally tally = simulate_many(26, 0, 0.02);

	EXPECT(tally.decisions[AO_DECISION_TIE] >= RUNS * 90 / 100);
	EXPECT(tally.decisions[AO_DECISION_FASTER] +
		       tally.decisions[AO_DECISION_SLOWER] <=
	       RUNS / 100);
}

static void a_gain_of_three_percent_is_no_tie_on_a_noisy_machine(void)
{
	struct tally tally = simulate_many(27, 0.03, 0.02);

	EXPECT(tally.decisions[AO_DECISION_TIE] <= RUNS / 100);
}

static void a_gain_below_the_least_effect_is_never_faster_when_it_is_plain(void)
{
	struct tally tally = simulate_many(25, 0.004, 0.001);

	EXPECT(tally.decisions[AO_DECISION_FASTER] == 0);
	EXPECT(tally.decisions[AO_DECISION_TIE] >= RUNS * 95 / 100);
}

static void twice_as_fast_is_decided_after_eight_units(void)
{
	double units[UNITS];
	struct ao_pair pair;

	for (size_t i = 0; i < UNITS; i++)
		units[i] = log(2) + 0.001 * (double)i;
	pair = report_of(units, UNITS);
	EXPECT(pair.decision == AO_DECISION_FASTER);
	EXPECT(pair.units == 8);
	EXPECT(pair.evidence > bound);
	free(pair.unit_log_gain);
}

static void confirming_takes_more_units_than_finding(void)
{
	struct ao_timing *timing = new_timing(UNITS, 1000);
	size_t units = 0;

	do
		units++;
	while (ao_timing_add(timing, 0.5) == AO_DECISION_NONE);
	EXPECT(units > 8 && units <= 12);
	ao_timing_free(timing);
}

static void a_certain_gain_below_the_least_effect_is_a_tie(void)
{
	double units[UNITS];
	struct ao_pair pair;

	for (size_t i = 0; i < UNITS; i++)
		units[i] = effect / 2;
	pair = report_of(units, UNITS);
	EXPECT(pair.decision == AO_DECISION_TIE);
	EXPECT(pair.evidence > bound);
	free(pair.unit_log_gain);
}

static void units_that_contradict_each_other_end_undecided(void)
{
	double units[UNITS];
	struct ao_pair pair;

	for (size_t i = 0; i < UNITS; i++)
		units[i] = i % 2 ? 0.2 : -0.2;
	pair = report_of(units, UNITS);
	EXPECT(pair.decision == AO_DECISION_UNDECIDED);
	EXPECT(pair.units == UNITS);
	EXPECT(pair.evidence < 1);
	free(pair.unit_log_gain);
}

static void one_unit_is_a_budget(void)
{
	struct ao_timing *timing = new_timing(1, bound);
	struct ao_pair pair = { 0 };

	EXPECT(ao_timing_add(timing, 0.7) == AO_DECISION_UNDECIDED);
	ao_timing_report(&pair, timing);
	EXPECT(pair.log_gain == 0.7);
	EXPECT(isinf(pair.log_low) && isinf(pair.log_high));
	free(pair.unit_log_gain);
	ao_timing_free(timing);
}

static void without_units_there_is_no_decision(void)
{
	struct ao_pair pair = report_of(NULL, 0);

	EXPECT(pair.decision == AO_DECISION_NONE);
	EXPECT(pair.units == 0 && pair.evidence == 1);
	free(pair.unit_log_gain);
}

static void units_are_reported_in_the_order_they_came(void)
{
	static const double units[] = { 0.3, -0.1, 0.2 };
	struct ao_pair pair = report_of(units, 3);

	EXPECT(pair.units == 3);
	EXPECT(!memcmp(pair.unit_log_gain, units, sizeof(units)));
	EXPECT(pair.log_gain == 0.2);
	free(pair.unit_log_gain);
}

static void few_units_have_a_wide_interval(void)
{
	static const double units[] = { 0.01, -0.01 };
	struct ao_pair pair = report_of(units, 2);

	/* Student with one degree of freedom: 12.706 x 0.01. */
	EXPECT(fabs(pair.log_high - 0.12706) < 1e-5);
	EXPECT(fabs(pair.log_low + 0.12706) < 1e-5);
	free(pair.unit_log_gain);
}

static void the_interval_holds_the_true_gain_whenever_the_test_stops(void)
{
	struct ao_rng rng;
	size_t missed = 0;

	ao_rng_seed(&rng, 31);
	for (size_t run = 0; run < RUNS; run++) {
		struct ao_timing *timing = new_timing(UNITS, bound);
		struct ao_pair pair = { 0 };

		while (ao_timing_add(timing, noisy_unit(&rng, 0.02, 0.01)) ==
		       AO_DECISION_NONE)
			continue;
		ao_timing_report(&pair, timing);
		missed += pair.log_low > 0.02 || pair.log_high < 0.02;
		free(pair.unit_log_gain);
		ao_timing_free(timing);
	}
	EXPECT(missed <= RUNS * 5 / 100);
}

/* Feed units of `gain` until it ends; returns how many that took. */
static size_t end_of(enum ao_decision *out, const struct ao_timing_rules *rules,
		     double gain)
{
	struct ao_timing *timing = ao_timing_new(rules);
	size_t units = 0;

	do {
		*out = ao_timing_add(timing, gain);
		units++;
	} while (*out == AO_DECISION_NONE);
	ao_timing_free(timing);
	return units;
}

static void who_looks_for_a_gain_has_the_answer_no_soon(void)
{
	struct ao_timing_rules rules = {
		.min_effect = effect,
		.max_units = UNITS,
		.no_gain_bound = 5,
	};
	enum ao_decision decision;

	EXPECT(end_of(&decision, &rules, 0) == 3);
	EXPECT(decision == AO_DECISION_TIE);
	/* It is no claim that it is slower: the evidence is not there. */
	EXPECT(end_of(&decision, &rules, -0.5) == 3);
	EXPECT(decision == AO_DECISION_UNDECIDED);
	EXPECT(end_of(&decision, &rules, 0.5) == 8);
	EXPECT(decision == AO_DECISION_FASTER);
}

static void who_looks_for_a_loss_has_the_answer_no_soon(void)
{
	struct ao_timing_rules rules = {
		.min_effect = effect,
		.max_units = UNITS,
		.no_loss_bound = 20,
	};
	enum ao_decision decision;

	EXPECT(end_of(&decision, &rules, 0) == 5);
	EXPECT(decision == AO_DECISION_TIE);
	EXPECT(end_of(&decision, &rules, 0.5) == 5);
	EXPECT(decision == AO_DECISION_UNDECIDED);
	EXPECT(end_of(&decision, &rules, -0.5) == 8);
	EXPECT(decision == AO_DECISION_SLOWER);
}

static void who_has_to_win_ends_when_winning_is_out_of_reach(void)
{
	struct ao_timing_rules rules = {
		.min_effect = effect,
		.max_units = UNITS,
		.only_faster_counts = true,
	};
	struct ao_timing *timing;
	size_t wins = 0, units = 0;

	while (ao_timing_evidence(wins, UNITS) <= bound)
		wins++;
	/* Wins and losses by turns: none of them is beyond doubt before. */
	timing = ao_timing_new(&rules);
	while (ao_timing_add(timing, units % 2 ? -0.2 : 0.2) ==
	       AO_DECISION_NONE)
		units++;
	units++;
	EXPECT(units / 2 == UNITS - wins + 1);
	ao_timing_free(timing);
}

static void who_looks_for_a_difference_ends_with_the_first_contradiction(void)
{
	struct ao_timing_rules rules = {
		.min_effect = effect,
		.max_units = 8,
		.only_difference_counts = true,
	};
	struct ao_timing *timing = ao_timing_new(&rules);

	EXPECT(ao_timing_add(timing, 0.2) == AO_DECISION_NONE);
	EXPECT(ao_timing_add(timing, 0.1) == AO_DECISION_NONE);
	EXPECT(ao_timing_add(timing, -0.1) == AO_DECISION_UNDECIDED);
	ao_timing_free(timing);
}

static void the_median_of_an_even_number_is_between_the_middle_two(void)
{
	double four[] = { 9, 1, 3, 2 };
	double one[] = { 5 };

	EXPECT(ao_timing_median(four, 4) == 2.5);
	EXPECT(ao_timing_median(one, 1) == 5);
	EXPECT(isnan(ao_timing_median(one, 0)));
}

int main(void)
{
	RUN(the_evidence_is_a_fair_bet_at_every_step);
	RUN(the_evidence_grows_with_each_win);
	RUN(equal_kernels_are_told_apart_once_in_a_hundred_at_most);
	RUN(recorded_pairs_of_equal_kernels_are_not_told_apart);
	RUN(a_gain_of_five_percent_is_found_through_noise_of_three);
	RUN(a_loss_of_five_percent_is_found_as_well);
	RUN(a_gain_of_two_percent_is_found_on_a_quiet_machine);
	RUN(a_tie_is_cheap_on_a_quiet_machine);
	RUN(equal_kernels_are_equal_on_a_noisy_machine_too);
	RUN(a_gain_of_three_percent_is_no_tie_on_a_noisy_machine);
	RUN(a_gain_below_the_least_effect_is_never_faster_when_it_is_plain);
	RUN(twice_as_fast_is_decided_after_eight_units);
	RUN(confirming_takes_more_units_than_finding);
	RUN(a_certain_gain_below_the_least_effect_is_a_tie);
	RUN(units_that_contradict_each_other_end_undecided);
	RUN(one_unit_is_a_budget);
	RUN(without_units_there_is_no_decision);
	RUN(units_are_reported_in_the_order_they_came);
	RUN(few_units_have_a_wide_interval);
	RUN(the_interval_holds_the_true_gain_whenever_the_test_stops);
	RUN(who_looks_for_a_gain_has_the_answer_no_soon);
	RUN(who_looks_for_a_loss_has_the_answer_no_soon);
	RUN(who_has_to_win_ends_when_winning_is_out_of_reach);
	RUN(who_looks_for_a_difference_ends_with_the_first_contradiction);
	RUN(the_median_of_an_even_number_is_between_the_middle_two);
	return tap_done();
}
