/* SPDX-License-Identifier: MIT */
/* learn.h - draw insights from the slow-fast pairs of an iteration. */
#ifndef AO_EVOLVE_LEARN_H
#define AO_EVOLVE_LEARN_H

#include "evolve/search.h"

/*
 * Have the summarizer look at the pairs of this iteration that teach most, and
 * store its insights on the fast commits.  Nothing if that was done before.
 */
AO_MUST_CHECK
struct ao_error *ao_learn_lessons(struct ao_search *search);

/* Rebuild the memory as it stood before this iteration. */
void ao_learn_remember(struct ao_search *search);

#endif
