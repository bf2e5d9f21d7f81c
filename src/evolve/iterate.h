/* SPDX-License-Identifier: MIT */
/* iterate.h - one iteration: plans for the beam, attempts, and their ends. */
#ifndef AO_EVOLVE_ITERATE_H
#define AO_EVOLVE_ITERATE_H

#include "evolve/search.h"

/*
 * Plan for the beam as it stood before this iteration, and carry out what is
 * not in history yet.  With `is_sweep`, vary only the numbers of the best.
 * *planned_out: attempts that this iteration has in all; 0: no idea is left.
 * When work has to halt, attempts in flight are put down as interrupted.
 */
AO_MUST_CHECK
struct ao_error *ao_iterate(uint32_t *planned_out, struct ao_search *search,
			    bool is_sweep);

#endif
