/* SPDX-License-Identifier: MIT */
/*
 * notes.h - adding records to a notes tree, many at a time.
 *
 * A notes tree is laid out with one level of fan-out ("ab/cdef..."), and two
 * where a folder has more notes than AO_NOTES_SPLIT, which is beyond about
 * 30,000 notes in all: one level is quicker to read, and two to write.  What
 * others laid out differently is found, and moved where the batch touches it;
 * entries that are not notes stay as they are.  Notes are extended byte for
 * byte: whatever lines they have, they keep.
 */
#ifndef AO_STORE_NOTES_H
#define AO_STORE_NOTES_H

#include "store/batch.h"

enum { AO_NOTES_SPLIT = 128 };

/* A line to add to the note on an object. */
struct ao_note_line {
	git_oid on;
	const char *text; /* with its newline; borrowed */
	size_t len;
};

/*
 * Add `count` > 0 lines, in their order, to the notes tree `tree` (NULL: an
 * empty one); the new objects go into the batch.  A line that its note has
 * already is not added twice.  AO_ELIMIT if a note would pass
 * AO_MAX_NOTE_BYTES.
 */
AO_MUST_CHECK
struct ao_error *ao_notes_add(git_oid *tree_out, struct ao_batch *batch,
			      const git_oid *tree,
			      const struct ao_note_line *lines, size_t count);

#endif
