/* SPDX-License-Identifier: MIT */
/*
 * settle.h - which candidate really is the best.
 *
 * Scores are sums of screening measurements, so the highest of many is partly
 * luck.  A would-be best has to beat the best so far head to head, on fresh
 * inputs, on all cases, with the full budget; the winner meets the baseline
 * itself at the end.
 */
#ifndef AO_EVOLVE_SETTLE_H
#define AO_EVOLVE_SETTLE_H

#include "evolve/search.h"

/* Find in history who was the best: the baseline, or the last to win. */
void ao_settle_recall(struct ao_search *search);

/* Let those who score over the best challenge it. */
AO_MUST_CHECK
struct ao_error *ao_settle_best(struct ao_search *search);

/*
 * Let one challenge the best: it wins if it is faster, or as fast with a step
 * left out.
 */
AO_MUST_CHECK
struct ao_error *ao_settle_challenge(struct ao_search *search,
				     const char *commit);

/* Time the best against the baseline, and point the best branch at it. */
AO_MUST_CHECK
struct ao_error *ao_settle_final(struct ao_search *search);

#endif
