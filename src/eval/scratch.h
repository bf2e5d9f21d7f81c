/* SPDX-License-Identifier: MIT */
/*
 * scratch.h - a temporary folder for processes that may be killed.
 *
 * Its maker holds a lock in it for as long as it lives, so whatever happens to
 * it, the next maker finds the folder without an owner and removes it.
 */
#ifndef AO_EVAL_SCRATCH_H
#define AO_EVAL_SCRATCH_H

#include "util/error.h"

struct ao_scratch;

/*
 * Remove what the dead have left behind, then make a folder in $TMPDIR or
 * /tmp.  The caller frees *out with ao_scratch_free(), which removes it.
 */
AO_MUST_CHECK
struct ao_error *ao_scratch_new(struct ao_scratch **out);
void ao_scratch_free(struct ao_scratch *scratch);

/* Borrowed from `scratch`. */
const char *ao_scratch_folder(const struct ao_scratch *scratch);

/* Remove the folders of others in `root` that have no owner any more. */
void ao_scratch_sweep(const char *root, uint64_t min_age_s);

#endif
