/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/stat.h>

#include "store/gitrun.h"
#include "store/install_tree.h"
#include "util/text.h"

/* Paths and entries for git's standard input, each with a NUL behind. */
enum { MAX_INPUT_BYTES = 4 << 20 };

/* Run git in the work tree, which must succeed; `out` may be NULL. */
static struct ao_error *git(struct ao_process_end *out,
			    const struct ao_repo *repo, const char *const *args,
			    const struct ao_buf *input)
{
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
		.folder = repo->at.work_tree,
		.no_hooks = true,
	};
	struct ao_error *err = NULL;

	if (input) {
		run.input = input->ptr;
		run.input_len = input->len;
		err = ao_buf_check(input, "list of files");
	}
	return err ? err : ao_git_run_ok(out, &run);
}

static void add_path(struct ao_buf *out, const char *path)
{
	ao_buf_add(out, path, strlen(path) + 1);
}

/* Whether `path` is `folder`, or below it. */
static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/';
}

/* "<mode> <id> <stage>\t<path>", of the index, against one file. */
static struct ao_error *check_entry(const char *entry,
				    const struct ao_treeedit *file)
{
	const char *path = strchr(entry, '\t');
	const char *id = strchr(entry, ' ');
	char want[AO_ID_SIZE];

	if (!path++ || !id++)
		return ao_error_new(AO_EINVALID,
				    "cannot understand '%s' of "
				    "git ls-files",
				    entry);
	if (is_below(file->path, path) || is_below(path, file->path))
		return ao_error_new(AO_ECONFLICT,
				    "'%s' in the index is in the way of '%s'",
				    path, file->path);
	ao_git_hex(want, &file->blob);
	/* Stage 0: an unmerged entry is not the same, whatever its blob. */
	if (!strcmp(path, file->path) &&
	    (strncmp(id, want, strlen(want)) != 0 ||
	     strncmp(id + strlen(want), " 0\t", 3) != 0))
		return ao_error_new(AO_ECONFLICT,
				    "'%s' is in the index with other contents",
				    path);
	return NULL;
}

/* One call lists what is below the folders at the top that files go to. */
static struct ao_error *check_index(const struct ao_repo *repo,
				    const struct ao_treeedit *files,
				    size_t count)
{
	struct ao_process_end end = { 0 };
	struct ao_strs args = { 0 }, tops = { 0 };
	struct ao_error *err;

	ao_strs_push(&args, "--literal-pathspecs");
	ao_strs_push(&args, "ls-files");
	ao_strs_push(&args, "--stage");
	ao_strs_push(&args, "-z");
	ao_strs_push(&args, "--");
	for (size_t i = 0; i < count; i++)
		ao_strs_pushf(&tops, "%.*s", (int)strcspn(files[i].path, "/"),
			      files[i].path);
	ao_strs_sort_unique(&tops);
	for (size_t i = 0; i < tops.count; i++)
		ao_strs_push(&args, tops.v[i]);
	err = git(&end, repo, (const char *const *)args.v, NULL);
	for (const char *entry = end.output; !err && entry && *entry;
	     entry += strlen(entry) + 1)
		for (size_t i = 0; i < count && !err; i++)
			err = check_entry(entry, &files[i]);
	ao_process_end_release(&end);
	ao_strs_release(&args);
	ao_strs_release(&tops);
	return err;
}

/* Whether a file is there; AO_ECONFLICT if something else is. */
static struct ao_error *is_in_work_tree(bool *out, const struct ao_repo *repo,
					const char *path)
{
	char *full = ao_xstrf("%s/%s", repo->at.work_tree, path);
	size_t start = strlen(repo->at.work_tree) + 1;
	struct ao_error *err = NULL;
	struct stat st;

	*out = false;
	/* A link to a folder is no folder: git would not write through it. */
	for (char *slash = strchr(full + start, '/'); slash && !err;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!lstat(full, &st) && !S_ISDIR(st.st_mode))
			err = ao_error_new(AO_ECONFLICT,
					   "'%s' in the work tree is not a "
					   "folder",
					   full + start);
		*slash = '/';
	}
	if (!err && !lstat(full, &st)) {
		*out = S_ISREG(st.st_mode);
		if (!*out)
			err = ao_error_new(AO_ECONFLICT,
					   "'%s' in the work tree is not a "
					   "file",
					   path);
	}
	free(full);
	return err;
}

/*
 * Sort the files into those that are in the work tree and those that are not:
 * their paths, as git reads them.
 */
static struct ao_error *split(struct ao_buf *there, struct ao_buf *missing,
			      const struct ao_repo *repo,
			      const struct ao_treeedit *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ao_error *err;
		bool is_there;

		err = is_in_work_tree(&is_there, repo, files[i].path);
		if (err)
			return err;
		add_path(is_there ? there : missing, files[i].path);
	}
	return NULL;
}

/* What git would commit of a file in the work tree must be the same bytes. */
static struct ao_error *check_file(const struct ao_repo *repo,
				   const struct ao_treeedit *file)
{
	const char *const args[] = { "hash-object", "--", file->path, NULL };
	struct ao_process_end end = { 0 };
	char id[AO_ID_SIZE];
	struct ao_error *err;
	bool is_there;

	err = is_in_work_tree(&is_there, repo, file->path);
	if (err || !is_there)
		return err;
	err = git(&end, repo, args, NULL);
	if (err)
		return err;
	ao_git_hex(id, &file->blob);
	if (!ao_text_starts_with(end.output, id))
		err = ao_error_new(AO_ECONFLICT,
				   "'%s' is in the work tree with other "
				   "contents",
				   file->path);
	ao_process_end_release(&end);
	return err;
}

struct ao_error *ao_install_tree_check(const struct ao_repo *repo,
				       const struct ao_treeedit *files,
				       size_t count)
{
	struct ao_error *err;

	if (!repo->at.work_tree)
		return NULL;
	err = check_index(repo, files, count);
	for (size_t i = 0; i < count && !err; i++)
		err = check_file(repo, &files[i]);
	return err;
}

static struct ao_error *add_to_index(const struct ao_repo *repo,
				     const struct ao_treeedit *files,
				     size_t count)
{
	static const char *const args[] = { "update-index", "--add", "-z",
					    "--index-info", NULL };
	struct ao_buf entries = AO_BUF_INIT(MAX_INPUT_BYTES);
	struct ao_error *err;

	for (size_t i = 0; i < count; i++) {
		char id[AO_ID_SIZE];

		ao_git_hex(id, &files[i].blob);
		ao_buf_addf(&entries, "%o %s\t", AO_MODE_FILE, id);
		add_path(&entries, files[i].path);
	}
	err = git(NULL, repo, args, &entries);
	ao_buf_release(&entries);
	return err;
}

struct ao_error *ao_install_tree_update(const struct ao_repo *repo,
					const struct ao_treeedit *files,
					size_t count)
{
	static const char *const check_out[] = { "checkout-index", "-u", "-z",
						 "--stdin", NULL };
	static const char *const refresh[] = { "update-index", "-z", "--stdin",
					       NULL };
	struct ao_buf there = AO_BUF_INIT(MAX_INPUT_BYTES);
	struct ao_buf missing = AO_BUF_INIT(MAX_INPUT_BYTES);
	struct ao_error *err;

	if (!repo->at.work_tree)
		return NULL;
	err = split(&there, &missing, repo, files, count);
	if (!err)
		err = add_to_index(repo, files, count);
	if (!err && missing.len)
		err = git(NULL, repo, check_out, &missing);
	/* Those in place: take note of their times, so none looks changed. */
	if (!err && there.len)
		err = git(NULL, repo, refresh, &there);
	ao_buf_release(&there);
	ao_buf_release(&missing);
	if (err)
		return ao_error_wrap(err, "cannot update index and work tree");
	return NULL;
}
