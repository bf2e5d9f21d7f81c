/* SPDX-License-Identifier: MIT */
/*
 * largest.h - loops that look for the largest of a row of floats, and nothing
 * else: a call of a helper can take their place.
 */
#ifndef AO_REWRITE_LARGEST_H
#define AO_REWRITE_LARGEST_H

#include "rewrite/body.h"
#include "rewrite/edits.h"

/*
 * Replace a loop whose one statement raises the float named at `name` to
 * `value`, if that is larger.  Returns false if the values are not neighbouring
 * floats or their number is not certain; then nothing was done.  The source
 * needs AO_HELPER_MOST for it.
 */
bool ao_largest_replace(struct ao_edits *edits, struct ao_unit *unit,
			const struct ao_for *loop, uint32_t name,
			const struct ao_term *value);

#endif
