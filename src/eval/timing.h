/* SPDX-License-Identifier: MIT */
/*
 * timing.h - is A faster than B?  A sequential test on paired measurements.
 *
 * Pure: no clock and no processes.  A unit is one log ratio of fresh process
 * pairs (log of B's time over A's).  After each unit the test says faster,
 * slower, tie (no gain of min_effect or more either way) or go on.
 *
 * It is a sign test that is valid at any time (an e-process: a betting
 * martingale against "the median is at most zero"), so looking after each unit
 * costs nothing in false alarms: beyond a bound of 100 it cries wolf once in a
 * hundred tests at most, however often one looks.
 */
#ifndef AO_EVAL_TIMING_H
#define AO_EVAL_TIMING_H

#include "model/result.h"

struct ao_timing; /* the state of one test */

/*
 * When a test ends.  The first three are a test of what is true; who only asks
 * for a gain, or a loss, says so by the others, and has the answer "no" sooner:
 * then A is a tie, or undecided if it may be off the other way.
 */
struct ao_timing_rules {
	double min_effect; /* log gain that is worth deciding, >= 0 */
	size_t max_units;  /* then it is a tie or undecided, > 0 */
	/* E-value that decides; 0: 100.  1000 to confirm a new best. */
	double evidence_bound;
	/* E-value against a gain of min_effect that ends it; 0: none does. */
	double no_gain_bound;
	/* The same, against a loss. */
	double no_loss_bound;
	/* It ends once FASTER is out of reach of the units that are left. */
	bool only_faster_counts;
	/* The same, once both FASTER and SLOWER are. */
	bool only_difference_counts;
};

/* The caller frees it with ao_timing_free(). */
struct ao_timing *ao_timing_new(const struct ao_timing_rules *rules);
void ao_timing_free(struct ao_timing *timing);

/*
 * Add a unit; returns NONE to go on.  After another answer the test is over
 * and takes no more.
 */
enum ao_decision ao_timing_add(struct ao_timing *timing, double log_gain);

/*
 * Write the decision, median, interval, evidence and units so far to `out`.
 *
 * The interval holds the median with 95 % at whatever unit one stops; below
 * seven units, where no such interval exists, it is Student's, and below two
 * it is infinite.  The units are a copy that the caller frees.
 */
void ao_timing_report(struct ao_pair *out, const struct ao_timing *timing);

/*
 * The evidence that a unit is more likely to win than not, after `wins` wins
 * among `units` units: 1 at the start, and at most 1 on average while it is
 * not so.
 */
double ao_timing_evidence(size_t wins, size_t units);

/* The median of `values` [n], which are reordered; NAN if n is 0. */
double ao_timing_median(double *values, size_t n);

#endif
