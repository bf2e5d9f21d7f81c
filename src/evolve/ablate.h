/* SPDX-License-Identifier: MIT */
/*
 * ablate.h - leave out of the best kernel what does not pay.
 *
 * A step is accepted for what it gained over its parent.  Part of that is luck,
 * and later steps may have made it needless.  So each is taken out of the
 * finished kernel again, the least gainful first; what is not slower without it
 * is the better kernel, as there is less to review.
 */
#ifndef AO_EVOLVE_ABLATE_H
#define AO_EVOLVE_ABLATE_H

#include "evolve/search.h"

/* How many evaluations to keep for this, as the best is now. */
uint32_t ao_ablate_share(const struct ao_search *search);

/* Try it on the best, which was confirmed. */
AO_MUST_CHECK
struct ao_error *ao_ablate_best(struct ao_search *search);

#endif
