/* SPDX-License-Identifier: MIT */
/*
 * twice.h - moves of two steps, of which the second needs the text that the
 * first one makes.
 */
#ifndef AO_REWRITE_TWICE_H
#define AO_REWRITE_TWICE_H

#include "rewrite/edits.h"
#include "rewrite/unit.h"

/* Of one source, so many first steps are looked into: each is read anew. */
enum { AO_MAX_TWICE = 16 };

/* A source with the first step done.  All zero is empty. */
struct ao_twice {
	struct ao_unit unit;
	struct ao_buf text; /* what the unit borrows */
};

/*
 * Do the first step; takes over `first`.  Returns false if that cannot be
 * read; *out is to be released all the same.
 */
bool ao_twice_read(struct ao_twice *out, const struct ao_unit *unit,
		   struct ao_edits *first);
void ao_twice_release(struct ao_twice *twice);

/*
 * Do the first step, which is taken over, and tile what `params` say after it.
 * The whole text is replaced: the second step has no place in the first.
 */
bool ao_twice_tile(struct ao_edits *edits, const struct ao_unit *unit,
		   struct ao_edits *first, const char *params);

#endif
