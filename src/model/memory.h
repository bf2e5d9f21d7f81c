/* SPDX-License-Identifier: MIT */
/*
 * memory.h - what a search has learned, as agents are given it.
 *
 * Two views of the same history: insights in words, and how each plan of the
 * catalogue did.  store/memory.h rebuilds both.
 */
#ifndef AO_MODEL_MEMORY_H
#define AO_MODEL_MEMORY_H

#include "model/record.h"

/* How one catalogue plan did at one kind of site. */
struct ao_plan_stat {
	char *move;	/* as in struct ao_plan, without parameters */
	char *params;	/* "" or "rows=6 vecs=2" */
	char *features; /* of the site */
	uint32_t tries;
	uint32_t failures;	/* did not pass */
	uint32_t credited;	/* are in an accepted chain */
	double sum_log_gain;	/* over its parent, of those that passed */
	double sum_faster;	/* the same, of those that were faster */
	double median_log_gain; /* of those that passed, 0 for one not timed */
	double sum_credit; /* log gain of the whole accepted chain it is in */
};
void ao_plan_stat_release(struct ao_plan_stat *stat);

/* All zero is empty. */
struct ao_memory {
	struct ao_insight *insights; /* newest first, at most the capacity */
	size_t insight_count;
	struct ao_plan_stat *stats; /* by move, params, features */
	size_t stat_count;
};

void ao_memory_release(struct ao_memory *memory);

#endif
