/* SPDX-License-Identifier: MIT */
/*
 * tree.h - git trees as lists of entries: reading them, finding paths.
 *
 * From raw bytes, not through git_tree: a batch's trees are not on disk yet,
 * and libgit2 checks each entry it is given against the object store.
 */
#ifndef AO_STORE_TREE_H
#define AO_STORE_TREE_H

#include "store/treeiter.h"
#include "util/strs.h"

struct ao_tree_entry {
	uint32_t mode;
	git_oid id;
	const char *name; /* borrowed from the tree */
};

/* No name twice.  All zero is the empty tree. */
struct ao_tree {
	struct ao_tree_entry *entries; /* [count] */
	size_t count;
	size_t alloc;
	git_odb_object *object; /* has the names that were read, or NULL */
	struct ao_strs names;	/* those that were added */
};

/*
 * Read the tree object `id`.  AO_ENOTFOUND if it is missing, AO_EINVALID if it
 * is broken.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_tree_read(struct ao_tree *out, git_odb *odb,
			      const git_oid *id);
void ao_tree_release(struct ao_tree *tree);

/* The entry of that name, or NULL.  Borrowed until the tree changes. */
struct ao_tree_entry *ao_tree_get(const struct ao_tree *tree, const char *name);

/* Add an entry, or replace the one of that name. */
void ao_tree_set(struct ao_tree *tree, const char *name, uint32_t mode,
		 const git_oid *id);

/* Append the tree's bytes to `out`; brings it into git's order first. */
struct ao_buf;
void ao_tree_print(struct ao_buf *out, struct ao_tree *tree);

/*
 * Find the entry at a path ("tasks/matmul/kernel.c") below the tree `root`.
 * *found_out tells whether there is one.
 */
AO_MUST_CHECK
struct ao_error *ao_tree_find(bool *found_out, uint32_t *mode_out,
			      git_oid *id_out, git_odb *odb,
			      const git_oid *root, const char *path);

#endif
