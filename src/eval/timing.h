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
 * min_effect      log gain that is worth deciding, >= 0
 * max_units       then the test ends as a tie or undecided, > 0
 * evidence_bound  e-value that decides: 100, or 1000 to confirm a new best
 *
 * The caller frees it with ao_timing_free().
 */
struct ao_timing *ao_timing_new(double min_effect, size_t max_units,
				double evidence_bound);
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
