/* SPDX-License-Identifier: MIT */
/*
 * objects.h - reading many objects, of which some may not be here.
 *
 * In shallow and partial clones, and where an object store is damaged, history
 * has gaps.  An object that cannot be read is no error: it is counted, and the
 * first is remembered, so that an answer can say that it is incomplete.
 */
#ifndef AO_STORE_OBJECTS_H
#define AO_STORE_OBJECTS_H

#include "store/git.h"

struct ao_repo;

struct ao_objects {
	git_odb *odb; /* borrowed from the repository */
	bool is_shallow;
	bool is_partial;
	bool expects_gaps; /* ask for an object before it is read */
	size_t gap_count;
	char *first_gap;  /* what is missing or broken; NULL: nothing is */
	char *first_flaw; /* says itself what is wrong, and what helps */

	/* Notes that have lines which should be records, and are none. */
	git_oid *bad_notes; /* [bad_note_count] */
	size_t bad_note_count;
	size_t bad_note_alloc;
};

/*
 * From now until the release libgit2 does not cache what is read: each object
 * is read once.
 */
void ao_objects_init(struct ao_objects *objects, const struct ao_repo *repo);
void ao_objects_release(struct ao_objects *objects);

/*
 * Read an object of that type; NULL, counted as a gap, if that cannot be done.
 * The caller frees it with git_odb_object_free().
 */
git_odb_object *ao_objects_read(struct ao_objects *objects, const git_oid *id,
				git_object_t type);

/*
 * Find what lies at a path ("tasks/matmul") below a tree; false if there is
 * nothing.
 */
bool ao_objects_find(git_oid *out, struct ao_objects *objects,
		     const git_oid *tree, const char *path);

/* Count something else that should be here. */
AO_PRINTF(2, 3)
void ao_objects_gap(struct ao_objects *objects, const char *fmt, ...);

/* The same of what is not an object: the text says all, also what helps. */
AO_PRINTF(2, 3)
void ao_objects_flaw(struct ao_objects *objects, const char *fmt, ...);

/* Remember a note, by its blob, as bad; so many that nobody reads on are not.
 */
void ao_objects_bad_note(struct ao_objects *objects, const git_oid *blob);
bool ao_objects_is_bad_note(const struct ao_objects *objects,
			    const git_oid *blob);

/*
 * Why the answer is incomplete and what helps, in one line that the caller
 * frees; NULL if there was no gap.
 */
char *ao_objects_why(const struct ao_objects *objects);

#endif
