/* SPDX-License-Identifier: MIT */
/* catalog.h - the embedded agent: plans from a catalogue of C rewrites. */
#ifndef AO_AGENTS_CATALOG_H
#define AO_AGENTS_CATALOG_H

#include "agents/agent.h"

/*
 * An agent that needs no model.  It answers at once, and equal requests get
 * equal answers.  Free it through its ops.
 */
struct ao_agent *ao_catalog_new(void);

#endif
