/* SPDX-License-Identifier: MIT */
/*
 * attempt.h - one attempt on its way: planned, written, evaluated, stored.
 */
#ifndef AO_EVOLVE_ATTEMPT_H
#define AO_EVOLVE_ATTEMPT_H

#include "evolve/population.h"

/*
 * Set out to write `plan` (copied) for `parent`, as the next attempt of this
 * iteration.  It moves on from the loop; when it is stored, search->in_flight
 * goes down by one.
 */
void ao_attempt_start(struct ao_search *search, const struct ao_member *parent,
		      const struct ao_plan *plan, uint32_t sample);

/* The same, of a kernel (copied) that the search wrote itself. */
void ao_attempt_start_written(struct ao_search *search,
			      const struct ao_member *parent,
			      const struct ao_plan *plan,
			      const struct ao_kernel *kernel);

/*
 * Wait until all are stored.  When work has to halt first, attempts that have a
 * kernel but no verdict are stored as INTERRUPTED, so that nothing paid for is
 * lost; the others are dropped.  There are no judges any more then.
 */
AO_MUST_CHECK
struct ao_error *ao_attempt_await_all(struct ao_search *search);

/*
 * The gain and its variance that a timed pair stands for in a score: what was
 * measured, but nothing for a tie, nor for an undecided gain that luck has as
 * often.
 */
void ao_attempt_gain(double *log_gain, double *variance,
		     const struct ao_pair *pair);

#endif
