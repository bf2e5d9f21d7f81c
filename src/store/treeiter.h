/* SPDX-License-Identifier: MIT */
/* treeiter.h - the entries of a tree object one by one, without copies. */
#ifndef AO_STORE_TREEITER_H
#define AO_STORE_TREEITER_H

#include "store/git.h"

/* Of a folder, and of the files that we write. */
enum {
	AO_MODE_TREE = 040000,
	AO_MODE_FILE = 0100644,
};

/* Whether it is that of a file, executable or not, and no link. */
static inline bool ao_mode_is_file(uint32_t mode)
{
	return (mode & 0170000) == 0100000;
}

struct ao_treeiter {
	const char *at;
	const char *end;
	/* The entry at hand, borrowed from the object. */
	uint32_t mode;
	const char *name; /* NUL-terminated */
	git_oid id;
};

void ao_treeiter_start(struct ao_treeiter *iter, git_odb_object *tree);

/* The same from a tree's bytes. */
void ao_treeiter_over(struct ao_treeiter *iter, const char *data, size_t len);

/* Go to the next entry; false at the end or where the tree is broken. */
bool ao_treeiter_next(struct ao_treeiter *iter);

/* Start, and go to the entry named by `len` bytes of `name`; false: none. */
bool ao_treeiter_find(struct ao_treeiter *iter, git_odb_object *tree,
		      const char *name, size_t len);

/* Whether the entry at hand is a tree. */
bool ao_treeiter_is_tree(const struct ao_treeiter *iter);

#endif
