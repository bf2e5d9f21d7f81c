/* SPDX-License-Identifier: MIT */
/* open.h - begin a run, or go on with one. */
#ifndef AO_EVOLVE_OPEN_H
#define AO_EVOLVE_OPEN_H

#include "evolve/search.h"

/*
 * Load history and task, then prepare a new run, or with options->resume take
 * up one that is there: search->self.
 */
AO_MUST_CHECK
struct ao_error *ao_open_run(struct ao_search *search);

/* Begin a run that was prepared: from now on it is in git. */
AO_MUST_CHECK
struct ao_error *ao_open_journal(struct ao_search *search);

#endif
