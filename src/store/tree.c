/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/tree.h"
#include "util/buf.h"

/* Git sorts trees as if their names ended with a slash. */
static int compare_names(const char *a, bool a_is_tree, const char *b,
			 bool b_is_tree)
{
	size_t i = 0;
	unsigned char ca, cb;

	while (a[i] && a[i] == b[i])
		i++;
	ca = (unsigned char)(a[i] ? a[i] : a_is_tree ? '/' : '\0');
	cb = (unsigned char)(b[i] ? b[i] : b_is_tree ? '/' : '\0');
	return (ca > cb) - (ca < cb);
}

static int compare_entries(const void *a, const void *b)
{
	const struct ao_tree_entry *left = a, *right = b;

	return compare_names(left->name, left->mode == AO_MODE_TREE,
			     right->name, right->mode == AO_MODE_TREE);
}

/* `name` lives as long as the tree. */
static void append(struct ao_tree *tree, const char *name, uint32_t mode,
		   const git_oid *id)
{
	struct ao_tree_entry *entry;

	tree->entries = ao_grow(tree->entries, &tree->alloc, tree->count + 1,
				sizeof(*tree->entries));
	entry = &tree->entries[tree->count++];
	entry->mode = mode;
	entry->name = name;
	git_oid_cpy(&entry->id, id);
}

struct ao_error *ao_tree_read(struct ao_tree *out, git_odb *odb,
			      const git_oid *id)
{
	struct ao_tree tree = { 0 };
	struct ao_treeiter iter;
	struct ao_error *err;

	err = ao_git_read(&tree.object, odb, id, GIT_OBJECT_TREE);
	if (err)
		return err;
	ao_treeiter_start(&iter, tree.object);
	while (ao_treeiter_next(&iter))
		append(&tree, iter.name, iter.mode, &iter.id);
	if (iter.at < iter.end) {
		ao_tree_release(&tree);
		return ao_error_new(AO_EINVALID, "tree %s is broken",
				    git_oid_tostr_s(id));
	}
	*out = tree;
	return NULL;
}

void ao_tree_release(struct ao_tree *tree)
{
	free(tree->entries);
	git_odb_object_free(tree->object);
	ao_strs_release(&tree->names);
	*tree = (struct ao_tree){ 0 };
}

struct ao_tree_entry *ao_tree_get(const struct ao_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->count; i++)
		if (!strcmp(tree->entries[i].name, name))
			return &tree->entries[i];
	return NULL;
}

void ao_tree_set(struct ao_tree *tree, const char *name, uint32_t mode,
		 const git_oid *id)
{
	struct ao_tree_entry *entry = ao_tree_get(tree, name);

	if (!entry) {
		ao_strs_push(&tree->names, name);
		append(tree, tree->names.v[tree->names.count - 1], mode, id);
		return;
	}
	entry->mode = mode;
	git_oid_cpy(&entry->id, id);
}

/* Thousands in a batch: the usual modes without printf. */
static void print_mode(struct ao_buf *out, uint32_t mode)
{
	if (mode == AO_MODE_FILE)
		ao_buf_addstr(out, "100644 ");
	else if (mode == AO_MODE_TREE)
		ao_buf_addstr(out, "40000 ");
	else
		ao_buf_addf(out, "%" PRIo32 " ", mode);
}

void ao_tree_print(struct ao_buf *out, struct ao_tree *tree)
{
	if (tree->count)
		qsort(tree->entries, tree->count, sizeof(*tree->entries),
		      compare_entries);
	for (size_t i = 0; i < tree->count; i++) {
		const struct ao_tree_entry *entry = &tree->entries[i];

		print_mode(out, entry->mode);
		ao_buf_add(out, entry->name, strlen(entry->name) + 1);
		ao_buf_add(out, entry->id.id, GIT_OID_RAWSZ);
	}
}

/* Find one name in a tree. */
static struct ao_error *find_name(bool *found_out, uint32_t *mode_out,
				  git_oid *id_out, git_odb *odb,
				  const git_oid *tree_id, const char *name)
{
	const struct ao_tree_entry *entry;
	struct ao_tree tree;
	struct ao_error *err = ao_tree_read(&tree, odb, tree_id);

	if (err)
		return err;
	entry = ao_tree_get(&tree, name);
	*found_out = entry != NULL;
	if (entry) {
		*mode_out = entry->mode;
		git_oid_cpy(id_out, &entry->id);
	}
	ao_tree_release(&tree);
	return NULL;
}

struct ao_error *ao_tree_find(bool *found_out, uint32_t *mode_out,
			      git_oid *id_out, git_odb *odb,
			      const git_oid *root, const char *path)
{
	uint32_t mode = AO_MODE_TREE;
	git_oid id = *root;
	bool found = true;

	for (const char *at = path; *at && found;) {
		size_t len = strcspn(at, "/");
		struct ao_error *err;
		char *name;

		found = mode == AO_MODE_TREE;
		if (!found)
			break;
		name = ao_xstrndup(at, len);
		err = find_name(&found, &mode, &id, odb, &id, name);
		free(name);
		if (err)
			return ao_error_wrap(err, "cannot look for '%s'", path);
		at += len;
		at += *at == '/';
	}
	*found_out = found;
	if (found) {
		*mode_out = mode;
		*id_out = id;
	}
	return NULL;
}
