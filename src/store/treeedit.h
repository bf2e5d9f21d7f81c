/* SPDX-License-Identifier: MIT */
/* treeedit.h - a tree with some files put into it, without a work tree. */
#ifndef AO_STORE_TREEEDIT_H
#define AO_STORE_TREEEDIT_H

#include "store/batch.h"

/* A file to put, by its path from the top of the tree. */
struct ao_treeedit {
	const char *path; /* borrowed */
	git_oid blob;
};

/*
 * The tree `root` (NULL: the empty tree) with each file put in its place,
 * replacing the one there, whose mode stays; folders are made as needed.
 * `edits` is sorted by it.  AO_ECONFLICT, naming it, if a file is in the way
 * of a folder or a folder in the way of a file; AO_EINVALID if something is
 * wrong with a path (model/path.h).  With `batch` and `root` NULL only the id
 * is computed.
 */
AO_MUST_CHECK
struct ao_error *ao_treeedit_apply(git_oid *out, struct ao_batch *batch,
				   const git_oid *root,
				   struct ao_treeedit *edits, size_t count);

#endif
