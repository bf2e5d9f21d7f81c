/* SPDX-License-Identifier: MIT */
/* hidden_check.h - check a candidate on shapes that its task does not list. */
#ifndef AO_EVAL_HIDDEN_CHECK_H
#define AO_EVAL_HIDDEN_CHECK_H

#include "eval/court.h"

/*
 * Draw hidden shapes (hidden.h) and check the bundle's candidate on them, if
 * its stage is one at which that pays: a build for each is too much where
 * candidates are only screened, unless one build serves all shapes.  Of the
 * result shapes and CPU times are added to, and where the candidate fails
 * verdict, detail and log are set.  AO_EINVALID if it is the reference that
 * fails.
 */
AO_MUST_CHECK
struct ao_error *ao_hidden_check(struct ao_result *result,
				 const struct ao_court *court);

#endif
