/* SPDX-License-Identifier: MIT */
/* place.h - room for statements before and behind a loop. */
#ifndef AO_REWRITE_PLACE_H
#define AO_REWRITE_PLACE_H

#include "rewrite/edits.h"
#include "rewrite/unit.h"

/* Whether there is a place: no `if` or label is directly before the loop. */
bool ao_place_is_there(const struct ao_for *loop);

/*
 * Put statements before and behind a loop, each text as ao_draft makes it:
 * indented like the loop, without a last newline.  Either may be NULL.  A loop
 * that is another's body without braces gets them.  Returns false if there is
 * no place: an `if` or a label is directly before it.
 */
bool ao_place_around(struct ao_edits *edits, struct ao_unit *unit,
		     const struct ao_for *loop, const char *before,
		     const char *behind);

/* Let a loop begin at `start` instead. */
void ao_place_start(struct ao_edits *edits, const struct ao_unit *unit,
		    const struct ao_for *loop, const char *start);

#endif
