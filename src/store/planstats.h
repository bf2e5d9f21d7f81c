/* SPDX-License-Identifier: MIT */
/* planstats.h - how the plans of a catalogue did, over all of history. */
#ifndef AO_STORE_PLANSTATS_H
#define AO_STORE_PLANSTATS_H

#include "model/memory.h"
#include "store/history.h"

/* Set out->stats; what counts is said in memory.h. */
void ao_planstats(struct ao_memory *out, const struct ao_history *history);

#endif
