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
 * each run, oldest run first, and the oldest leave; equal ones take no slot.
 * Statistics: every timed pair of every attempt of every task, losses and
 * failures too; the whole chain of an accepted lineage is credited.
 *
 * Source: AccelOpt, arXiv:2511.15915, section on the optimisation memory.
 */
void ao_memory_rebuild(struct ao_memory *out, const struct ao_history *history,
		       const struct ao_memory_options *options);

#endif
