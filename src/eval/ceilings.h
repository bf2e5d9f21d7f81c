/* SPDX-License-Identifier: MIT */
/*
 * ceilings.h - what one core of this machine can do at most: operations a
 * second by class, and bytes a second by footprint.
 *
 * The host of a virtual machine steals time in slices of 20 to 100 us, so
 * what counts is the best of many short windows; and the best that was ever
 * seen, as a quiet moment may never come back.
 */
#ifndef AO_EVAL_CEILINGS_H
#define AO_EVAL_CEILINGS_H

#include "model/machine.h"

/*
 * Measure for about `budget_ms`, with registers of `vector_bytes`.  The caller
 * has the machine to itself.
 * AO_ELIMIT if there is no memory for the largest footprint.
 */
AO_MUST_CHECK
struct ao_error *ao_ceilings_measure(struct ao_ceilings *out,
				     uint32_t vector_bytes, uint32_t budget_ms);

/* Raise the ceilings of `into` to those of `from`, where they are higher. */
void ao_ceilings_raise(struct ao_ceilings *into,
		       const struct ao_ceilings *from);

/* Whether all is there that ao_ceilings_measure() would find out. */
bool ao_ceilings_are_complete(const struct ao_ceilings *ceilings);

#endif
