/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <math.h>

#include "eval/timing.h"

struct ao_timing {
	struct ao_timing_rules rules;
	enum ao_decision decision;
	double *log_gain; /* [count] in the order they came */
	size_t count;
};

/* Each bound is passed by chance once in 40 tests: 95 % between two. */
static const double interval_bound = 40;

static const double default_bound = 100;

struct ao_timing *ao_timing_new(const struct ao_timing_rules *rules)
{
	struct ao_timing *timing = ao_xcalloc(1, sizeof(*timing));

	assert(rules->max_units > 0);
	timing->rules = *rules;
	if (rules->evidence_bound <= 0)
		timing->rules.evidence_bound = default_bound;
	timing->log_gain = ao_xcalloc(rules->max_units, sizeof(double));
	return timing;
}

void ao_timing_free(struct ao_timing *timing)
{
	if (!timing)
		return;
	free(timing->log_gain);
	free(timing);
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of sorted values. */
static double middle(const double *sorted, size_t n)
{
	if (!n)
		return NAN;
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double ao_timing_median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_doubles);
	return middle(values, n);
}

/*
 * Bets on a win with probability p grow by 2p at a win and by 2(1-p) at a loss.
 * The evidence is a fixed mixture of such bets.  The certain bet is part of it
 * so that a plain gain is decided after eight units; the cautious ones keep
 * the evidence growing when units are noisy.
 */
double ao_timing_evidence(size_t wins, size_t units)
{
	static const struct {
		double weight, p;
	} bets[] = {
		{ 0.25, 1.0 }, { 0.25, 0.95 }, { 0.20, 0.9 },
		{ 0.15, 0.8 }, { 0.15, 0.7 },
	};
	double losses = (double)(units - wins);
	double sum = 0;

	for (size_t i = 0; i < AO_ARRAY_SIZE(bets); i++)
		sum += bets[i].weight * pow(2 * bets[i].p, (double)wins) *
		       pow(2 * (1 - bets[i].p), losses);
	return sum;
}

static size_t count_above(const struct ao_timing *timing, double level)
{
	size_t wins = 0;

	for (size_t i = 0; i < timing->count; i++)
		wins += timing->log_gain[i] > level;
	return wins;
}

/* The evidence that the median is above `level`, or below it. */
static double evidence_above(const struct ao_timing *timing, double level)
{
	return ao_timing_evidence(count_above(timing, level), timing->count);
}

static size_t count_below(const struct ao_timing *timing, double level)
{
	size_t wins = 0;

	for (size_t i = 0; i < timing->count; i++)
		wins += timing->log_gain[i] < level;
	return wins;
}

static double evidence_below(const struct ao_timing *timing, double level)
{
	return ao_timing_evidence(count_below(timing, level), timing->count);
}

/* That neither side gains `min_effect`. */
static double evidence_of_tie(const struct ao_timing *timing)
{
	double effect = timing->rules.min_effect;

	return fmin(evidence_below(timing, effect),
		    evidence_above(timing, -effect));
}

static double *sorted_copy(const struct ao_timing *timing)
{
	double *sorted = ao_xcalloc(timing->count, sizeof(*sorted));

	if (timing->count)
		memcpy(sorted, timing->log_gain,
		       timing->count * sizeof(*sorted));
	qsort(sorted, timing->count, sizeof(*sorted), compare_doubles);
	return sorted;
}

/* Student's interval for 2 to 6 values. */
static void student_interval(double *low_out, double *high_out,
			     const double *values, size_t n)
{
	/* 97.5 % quantiles by degrees of freedom. */
	static const double quantile[] = {
		0, 12.706, 4.303, 3.182, 2.776, 2.571
	};
	double mean = 0, squares = 0, half;

	assert(n >= 2 && n <= AO_ARRAY_SIZE(quantile));
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	half = quantile[n - 1] * sqrt(squares / (double)(n - 1) / (double)n);
	*low_out = mean - half;
	*high_out = mean + half;
}

/*
 * All medians that the test would not reject: from the highest unit that is
 * below the median beyond doubt, to its mirror image.
 */
static void find_interval(double *low_out, double *high_out,
			  const double *sorted, size_t n)
{
	size_t rank = 0;

	while (rank < n && ao_timing_evidence(n - rank, n) >= interval_bound)
		rank++;
	if (rank) {
		*low_out = sorted[rank - 1];
		*high_out = sorted[n - rank];
	} else if (n >= 2) {
		student_interval(low_out, high_out, sorted, n);
	} else {
		*low_out = -INFINITY;
		*high_out = INFINITY;
	}
}

/*
 * At the end of the budget: a tie if the middle is below the effect, and the
 * interval, which is wide as one may stop at any unit, below twice that.
 */
static enum ao_decision decide_at_end(const struct ao_timing *timing,
				      const double *sorted, double median)
{
	double effect = timing->rules.min_effect;
	double low, high;

	find_interval(&low, &high, sorted, timing->count);
	if (fabs(median) < effect && low > -2 * effect && high < 2 * effect)
		return AO_DECISION_TIE;
	return AO_DECISION_UNDECIDED;
}

/* Whether what was asked for is not to be expected any more. */
static bool is_futile(const struct ao_timing *timing)
{
	const struct ao_timing_rules *rules = &timing->rules;
	double effect = rules->min_effect;

	return (rules->no_gain_bound > 0 &&
		evidence_below(timing, effect) > rules->no_gain_bound) ||
	       (rules->no_loss_bound > 0 &&
		evidence_above(timing, -effect) > rules->no_loss_bound);
}

/* Whether so many wins would not do, if all units that are left were won. */
static bool is_out_of_reach(const struct ao_timing *timing, size_t wins)
{
	const struct ao_timing_rules *rules = &timing->rules;
	size_t left = rules->max_units - timing->count;

	return ao_timing_evidence(wins + left, rules->max_units) <=
	       rules->evidence_bound;
}

/* Whether there are no units left, or not enough for who has to win. */
static bool is_over(const struct ao_timing *timing)
{
	const struct ao_timing_rules *rules = &timing->rules;
	bool is_either = rules->only_difference_counts;

	if (timing->count == rules->max_units)
		return true;
	if (!rules->only_faster_counts && !is_either)
		return false;
	return is_out_of_reach(timing, count_above(timing, 0)) &&
	       (!is_either || is_out_of_reach(timing, count_below(timing, 0)));
}

static enum ao_decision decide(const struct ao_timing *timing)
{
	double *sorted = sorted_copy(timing);
	double median = middle(sorted, timing->count);
	double effect = timing->rules.min_effect;
	double bound = timing->rules.evidence_bound;
	enum ao_decision decision = AO_DECISION_NONE;

	if (median >= effect && evidence_above(timing, 0) > bound)
		decision = AO_DECISION_FASTER;
	else if (median <= -effect && evidence_below(timing, 0) > bound)
		decision = AO_DECISION_SLOWER;
	else if (evidence_of_tie(timing) > bound)
		decision = AO_DECISION_TIE;
	else if (is_futile(timing))
		decision = fabs(median) < effect ? AO_DECISION_TIE
						 : AO_DECISION_UNDECIDED;
	else if (is_over(timing))
		decision = decide_at_end(timing, sorted, median);
	free(sorted);
	return decision;
}

enum ao_decision ao_timing_add(struct ao_timing *timing, double log_gain)
{
	assert(timing->decision == AO_DECISION_NONE);
	timing->log_gain[timing->count++] = log_gain;
	timing->decision = decide(timing);
	return timing->decision;
}

static double evidence_of_decision(const struct ao_timing *timing,
				   double median)
{
	if (timing->decision == AO_DECISION_TIE)
		return evidence_of_tie(timing);
	if (median > 0)
		return evidence_above(timing, 0);
	return evidence_below(timing, 0);
}

void ao_timing_report(struct ao_pair *out, const struct ao_timing *timing)
{
	double *sorted = sorted_copy(timing);
	size_t n = timing->count;

	out->decision = timing->decision;
	out->log_gain = n ? middle(sorted, n) : 0;
	find_interval(&out->log_low, &out->log_high, sorted, n);
	out->evidence = evidence_of_decision(timing, out->log_gain);
	free(sorted);

	out->unit_log_gain = ao_xcalloc(n, sizeof(double));
	if (n)
		memcpy(out->unit_log_gain, timing->log_gain,
		       n * sizeof(double));
	out->units = n;
}
