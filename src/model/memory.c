/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/memory.h"

void ao_memory_release(struct ao_memory *memory)
{
	for (size_t i = 0; i < memory->insight_count; i++)
		ao_insight_release(&memory->insights[i]);
	free(memory->insights);
	for (size_t i = 0; i < memory->stat_count; i++) {
		free(memory->stats[i].move);
		free(memory->stats[i].params);
		free(memory->stats[i].features);
	}
	free(memory->stats);
	*memory = (struct ao_memory){ 0 };
}
