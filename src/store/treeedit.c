/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/path.h"
#include "store/treeedit.h"
#include "util/buf.h"

/* Of a tree that is made of edits alone. */
enum { MAX_EDITED_BYTES = 1 << 20 };

static int compare_paths(const void *a, const void *b)
{
	const struct ao_treeedit *left = a, *right = b;

	return strcmp(left->path, right->path);
}

/* Where the edits end that begin with the same name, `at` bytes in. */
static size_t end_of_name(const struct ao_treeedit *edits, size_t count,
			  size_t at)
{
	const char *name = edits[0].path + at;
	size_t len = strcspn(name, "/");
	size_t to = 1;

	while (to < count && !strncmp(edits[to].path + at, name, len) &&
	       edits[to].path[at + len] == '/')
		to++;
	return to;
}

static struct ao_error *keep_tree(git_oid *out, struct ao_batch *batch,
				  struct ao_tree *tree)
{
	struct ao_buf bytes = AO_BUF_INIT(MAX_EDITED_BYTES);
	struct ao_error *err;

	if (batch)
		return ao_batch_add_tree(out, batch, tree);
	ao_tree_print(&bytes, tree);
	err = ao_buf_check(&bytes, "tree");
	if (!err)
		ao_git_hash(out, bytes.ptr, bytes.len, GIT_OBJECT_TREE);
	ao_buf_release(&bytes);
	return err;
}

static struct ao_error *apply_below(git_oid *out, struct ao_batch *batch,
				    const git_oid *root,
				    const struct ao_treeedit *edits,
				    size_t count, size_t at);

/* Put one name into a tree: a file, or a folder with all that goes below. */
static struct ao_error *apply_name(struct ao_tree *tree, struct ao_batch *batch,
				   const struct ao_treeedit *edits,
				   size_t count, size_t at)
{
	size_t len = strcspn(edits[0].path + at, "/");
	bool is_file = !edits[0].path[at + len];
	char *name = ao_xstrndup(edits[0].path + at, len);
	const struct ao_tree_entry *entry = ao_tree_get(tree, name);
	struct ao_error *err = NULL;
	git_oid id = edits[0].blob;

	if (is_file && count > 1)
		err = ao_error_new(AO_ECONFLICT,
				   "'%s' cannot be a file and a folder",
				   edits[0].path);
	else if (entry && is_file == (entry->mode == AO_MODE_TREE))
		err = ao_error_new(AO_ECONFLICT, "'%.*s' is a %s",
				   (int)(at + len), edits[0].path,
				   is_file ? "folder" : "file");
	else if (!is_file)
		err = apply_below(&id, batch, entry ? &entry->id : NULL, edits,
				  count, at + len + 1);
	if (!err && !is_file)
		ao_tree_set(tree, name, AO_MODE_TREE, &id);
	else if (!err)
		ao_tree_set(tree, name,
			    entry && ao_mode_is_file(entry->mode)
				    ? entry->mode
				    : AO_MODE_FILE,
			    &id);
	free(name);
	return err;
}

static struct ao_error *apply_below(git_oid *out, struct ao_batch *batch,
				    const git_oid *root,
				    const struct ao_treeedit *edits,
				    size_t count, size_t at)
{
	struct ao_tree tree = { 0 };
	struct ao_error *err = NULL;

	if (root)
		err = ao_tree_read(&tree, ao_batch_odb(batch), root);
	for (size_t from = 0, len; from < count && !err; from += len) {
		len = end_of_name(edits + from, count - from, at);
		err = apply_name(&tree, batch, edits + from, len, at);
	}
	if (!err)
		err = keep_tree(out, batch, &tree);
	ao_tree_release(&tree);
	return err;
}

struct ao_error *ao_treeedit_apply(git_oid *out, struct ao_batch *batch,
				   const git_oid *root,
				   struct ao_treeedit *edits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *problem = ao_path_problem(edits[i].path);

		if (problem)
			return ao_error_new(AO_EINVALID,
					    "cannot commit '%s': %s",
					    edits[i].path, problem);
	}
	qsort(edits, count, sizeof(*edits), compare_paths);
	return apply_below(out, batch, root, edits, count, 0);
}
