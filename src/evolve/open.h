/* SPDX-License-Identifier: MIT */
/* open.h - begin a run, or find the one to go on with. */
#ifndef AO_EVOLVE_OPEN_H
#define AO_EVOLVE_OPEN_H

#include "evolve/search.h"

/*
 * Load history and task, then begin a run in the journal, or with
 * options->resume take up one that is there: search->self.
 */
AO_MUST_CHECK
struct ao_error *ao_open_run(struct ao_search *search);

#endif
