/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the optimisation memory, rebuilt from history.
 *
 * Pure: equal history gives equal memory, byte for byte.
 */
#ifndef AO_STORE_MEMORY_H
#define AO_STORE_MEMORY_H

#include "model/memory.h"
#include "store/history.h"

struct ao_memory_options {
	const char *task;  /* insights of this task only; NULL: all */
	uint32_t capacity; /* ExpN: insights kept */
};

/*
 * The queue of insights: they enter at the head in (iteration, rank) order of
 * each run, oldest run first, and the oldest leave.  What teaches nothing
 * ("No optimization found") and what says the same as one that is in the queue,
 * or repeats its change in the same task, takes no slot: flags of a compiler,
 * tried on kernel after kernel, would else take every third.
 *
 * Statistics: every attempt of every task that was judged for itself, losses
 * and failures too, by the move of its plan.  Attempts whose plan names no
 * move, that were interrupted, that repeat a kernel of their run or whose
 * result was taken from an earlier record count nothing.  Each attempt in the
 * chain from the baseline of its run to the winner (while there is none: to
 * the best score) is credited with the gain of the whole chain, so that a step
 * that pays only with those behind it gets its due.
 *
 * A history that was loaded in brief is enough.
 *
 * Source: AccelOpt, arXiv:2511.15915, section on the optimisation memory.
 */
void ao_memory_rebuild(struct ao_memory *out, const struct ao_history *history,
		       const struct ao_memory_options *options);

#endif
