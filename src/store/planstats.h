/* SPDX-License-Identifier: MIT */
/* planstats.h - how the plans of a catalogue did, over all of history. */
#ifndef AO_STORE_PLANSTATS_H
#define AO_STORE_PLANSTATS_H

#include "model/memory.h"
#include "store/history.h"

/* Set out->stats; what counts is said in memory.h. */
void ao_planstats(struct ao_memory *out, const struct ao_history *history);

/*
 * How a move did in all, with any parameters at any site, which are "" in *out.
 * False if it was never tried.  The caller releases *out.
 */
bool ao_planstats_of_move(struct ao_plan_stat *out,
			  const struct ao_history *history, const char *move);

#endif
