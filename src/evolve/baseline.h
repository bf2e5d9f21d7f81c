/* SPDX-License-Identifier: MIT */
/* baseline.h - the kernel that a search begins with. */
#ifndef AO_EVOLVE_BASELINE_H
#define AO_EVOLVE_BASELINE_H

#include "evolve/search.h"

/*
 * Evaluate it and keep its profile; the journal begins with that.  Everything
 * is measured against the baseline, so AO_EINVALID if it does not pass itself.
 * If work had to halt first, it has no profile still.
 */
AO_MUST_CHECK
struct ao_error *ao_baseline_judge(struct ao_search *search);

#endif
