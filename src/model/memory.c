/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/memory.h"

void ao_plan_stat_release(struct ao_plan_stat *stat)
{
	free(stat->move);
	free(stat->params);
	free(stat->features);
	*stat = (struct ao_plan_stat){ 0 };
}

void ao_memory_release(struct ao_memory *memory)
{
	for (size_t i = 0; i < memory->insight_count; i++)
		ao_insight_release(&memory->insights[i]);
	free(memory->insights);
	for (size_t i = 0; i < memory->stat_count; i++)
		ao_plan_stat_release(&memory->stats[i]);
	free(memory->stats);
	*memory = (struct ao_memory){ 0 };
}
