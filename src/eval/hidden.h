/* SPDX-License-Identifier: MIT */
/*
 * hidden.h - shapes that nobody knows before they are judged.
 *
 * A kernel may be right at just the shapes that its task lists.  So a few more
 * are drawn from the seed: each axis between the least and the largest extent
 * that it has in a case, those on request aside, odd where it may be, and
 * rather small, so that they cost little.
 */
#ifndef AO_EVAL_HIDDEN_H
#define AO_EVAL_HIDDEN_H

#include "model/task.h"

/*
 * Draw hidden case number `nth`; its name says its extents.  Returns false,
 * with *out untouched, if the cases leave nothing to draw or the task wants no
 * hidden ones.  The caller releases *out with ao_hidden_release().
 */
bool ao_hidden_draw(struct ao_case *out, const struct ao_task *task,
		    uint64_t seed, size_t nth);
void ao_hidden_release(struct ao_case *hidden);

#endif
