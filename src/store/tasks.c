/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/stat.h>

#include "store/gitrun.h"
#include "store/repo_data.h"
#include "store/taskpath.h"
#include "store/tasks.h"
#include "store/tree.h"
#include "util/buf.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

enum { MODE_LINK = 0120000 }; /* a symbolic link, in a tree */

/* Where to read from: a commit, or the work tree if `commit` is "". */
struct source {
	struct ao_repo *repo;
	char commit[AO_ID_SIZE];
};

static struct ao_error *source_init(struct source *out, struct ao_repo *repo,
				    const char *commit)
{
	*out = (struct source){ .repo = repo };
	if (commit)
		return ao_repo_resolve(out->commit, repo, commit);
	if (!repo->at.work_tree)
		return ao_repo_resolve(out->commit, repo, "HEAD");
	return NULL;
}

/* Drop each CR before a LF. */
static void drop_crs(struct ao_buf *out, const struct ao_buf *from)
{
	for (size_t i = 0; i < from->len; i++)
		if (from->ptr[i] != '\r' || from->ptr[i + 1] != '\n')
			ao_buf_add(out, &from->ptr[i], 1);
}

/*
 * A checkout may have CRLF where the commit has LF.  git knows from
 * attributes and configuration: if what it would commit is the text without
 * CRs, take that.
 */
static struct ao_error *as_committed(struct ao_buf *text, struct source *source,
				     const char *path)
{
	const char *args[] = { "hash-object", "--path", path, "--stdin", NULL };
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)source->repo->env.v,
		.folder = source->repo->at.work_tree,
		.input = text->ptr,
		.input_len = text->len,
	};
	struct ao_buf plain = AO_BUF_INIT(text->max);
	struct ao_process_end end = { 0 };
	char id[AO_ID_SIZE];
	struct ao_error *err;

	if (!memmem(text->ptr, text->len, "\r\n", 2))
		return NULL;
	err = ao_git_run_ok(&end, &run);
	if (err)
		return ao_error_wrap(err,
				     "cannot tell what '%s' would be when "
				     "committed",
				     path);
	drop_crs(&plain, text);
	ao_repo_blob_id(id, plain.ptr, plain.len);
	if (ao_text_starts_with(end.output, id)) {
		ao_buf_release(text);
		*text = plain;
	} else {
		ao_buf_release(&plain);
	}
	ao_process_end_release(&end);
	return NULL;
}

/* The mode and id of what a commit has at a path; mode 0: nothing. */
static struct ao_error *find_in_commit(uint32_t *mode_out, git_oid *id_out,
				       struct source *source, const char *path)
{
	git_odb *odb = source->repo->odb;
	git_oid commit, root;
	struct ao_error *err;
	uint32_t mode = 0;
	bool found = false;

	err = ao_git_id(&commit, source->commit);
	if (!err)
		err = ao_git_commit_tree(&root, odb, &commit);
	if (!err)
		err = ao_tree_find(&found, &mode, id_out, odb, &root, path);
	*mode_out = found ? mode : 0;
	return err;
}

/* Whether the file, or a folder on the way to it, is a link. */
static bool is_link_of_work_tree(const struct source *source, const char *path)
{
	bool is_link = false;

	for (size_t len = 0; path[len] && !is_link;) {
		struct stat st;
		char *full;

		len += path[len] == '/';
		len += strcspn(path + len, "/");
		full = ao_xstrf("%s/%.*s", source->repo->at.work_tree, (int)len,
				path);
		is_link = lstat(full, &st) == 0 && S_ISLNK(st.st_mode);
		free(full);
	}
	return is_link;
}

/* A link may lead out of the repository, and is not what it points at. */
static struct ao_error *refuse_link(struct source *source, const char *path)
{
	struct ao_error *err = NULL;
	uint32_t mode = 0;
	bool is_link;
	git_oid id;

	if (source->commit[0])
		err = find_in_commit(&mode, &id, source, path);
	is_link = source->commit[0] ? mode == MODE_LINK
				    : is_link_of_work_tree(source, path);
	if (!err && is_link)
		err = ao_error_new(AO_EINVALID,
				   "'%s' is or goes through a symbolic link; "
				   "put a copy of the file in its place",
				   path);
	return err;
}

/* Append a file; AO_ENOTFOUND if there is none, AO_EINVALID for a link. */
static struct ao_error *read_file(struct ao_buf *out, struct source *source,
				  const char *path)
{
	struct ao_error *err = refuse_link(source, path);
	char *full;

	if (err)
		return err;
	if (source->commit[0])
		return ao_repo_read_file(out, source->repo, source->commit,
					 path);
	full = ao_xstrf("%s/%s", source->repo->at.work_tree, path);
	err = ao_file_read(out, full);
	free(full);
	return err ? err : as_committed(out, source, path);
}

/* Append the names of the folders in tasks/ of a commit. */
static struct ao_error *list_commit(struct ao_strs *out, struct source *source)
{
	struct ao_tree tree = { 0 };
	uint32_t mode;
	git_oid id;
	struct ao_error *err = find_in_commit(&mode, &id, source, AO_TASKS);

	if (!err && mode == AO_MODE_TREE)
		err = ao_tree_read(&tree, source->repo->odb, &id);
	for (size_t i = 0; i < tree.count; i++)
		if (tree.entries[i].mode == AO_MODE_TREE)
			ao_strs_push(out, tree.entries[i].name);
	ao_tree_release(&tree);
	return err;
}

static struct ao_error *list_work_tree(struct ao_strs *out,
				       const struct source *source)
{
	char *path = ao_xstrf("%s/" AO_TASKS, source->repo->at.work_tree);
	struct ao_error *err = NULL;

	if (ao_file_exists(path))
		err = ao_file_list(out, path);
	free(path);
	return err;
}

static bool has_definition(struct source *source, const char *name)
{
	char *path = ao_taskpath(name, AO_TASK_FILE);
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_error *err;
	bool has;

	if (source->commit[0]) {
		err = ao_repo_read_file(&text, source->repo, source->commit,
					path);
		/* One that cannot be read is a task, too: loading says why. */
		has = ao_error_code(err) != AO_ENOTFOUND;
		ao_error_free(err);
	} else {
		char *full = ao_xstrf("%s/%s", source->repo->at.work_tree,
				      path);

		has = ao_file_exists(full);
		free(full);
	}
	ao_buf_release(&text);
	free(path);
	return has;
}

static struct ao_error *list(struct ao_strs *out, struct source *source)
{
	struct ao_strs folders = { 0 };
	struct ao_error *err;

	err = source->commit[0] ? list_commit(&folders, source)
				: list_work_tree(&folders, source);
	for (size_t i = 0; i < folders.count && !err; i++)
		if (ao_task_name_is_valid(folders.v[i]) &&
		    has_definition(source, folders.v[i]))
			ao_strs_push(out, folders.v[i]);
	ao_strs_sort_unique(out);
	ao_strs_release(&folders);
	return err;
}

struct ao_error *ao_tasks_list(struct ao_strs *out, struct ao_repo *repo,
			       const char *commit)
{
	struct source source;
	struct ao_error *err = source_init(&source, repo, commit);

	if (!err)
		err = list(out, &source);
	if (err)
		return ao_error_wrap(err, "cannot list tasks");
	return NULL;
}

/* Whether a task that a commit lacks is in the work tree. */
static bool is_uncommitted(const struct source *source, const char *name)
{
	struct source work_tree = { .repo = source->repo };

	return source->commit[0] && source->repo->at.work_tree &&
	       ao_task_name_is_valid(name) && has_definition(&work_tree, name);
}

/* No such task: which one was meant? */
static struct ao_error *no_task(struct source *source, const char *name)
{
	struct ao_strs names = { 0 };
	struct ao_error *err;
	const char *nearest;

	if (is_uncommitted(source, name))
		return ao_error_new(AO_ENOTFOUND,
				    "the task '%s' is in the work tree, but "
				    "not in commit %.10s: commit it, with 'git "
				    "add tasks/%s' and 'git commit'",
				    name, source->commit, name);
	err = list(&names, source);
	if (err)
		return err;
	nearest = ao_text_nearest(name, (const char *const *)names.v,
				  names.count);
	if (nearest)
		err = ao_error_new(AO_ENOTFOUND,
				   "there is no task '%s'; did you mean '%s'?",
				   name, nearest);
	else if (!names.count)
		err = ao_error_new(AO_ENOTFOUND,
				   "there is no task '%s', and no other; "
				   "'git accelopt init' makes some",
				   name);
	else
		err = ao_error_new(AO_ENOTFOUND,
				   "there is no task '%s'; see 'git accelopt "
				   "task list'",
				   name);
	ao_strs_release(&names);
	return err;
}

static struct ao_error *load_definition(struct ao_task **out,
					struct source *source, const char *name)
{
	char *path = ao_taskpath(name, AO_TASK_FILE);
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_error *err = read_file(&text, source, path);

	if (!err)
		err = ao_task_parse(out, path, text.ptr, text.len);
	if (!err && strcmp((*out)->name, name) != 0) {
		err = ao_error_new(AO_EINVALID,
				   "%s: name: is '%s', but the folder is '%s'",
				   path, (*out)->name, name);
		ao_task_free(*out);
		*out = NULL;
	}
	ao_buf_release(&text);
	free(path);
	return err;
}

/* Append a file that task.json names; a complaint is about where it does. */
static struct ao_error *read_part(struct ao_buf *out, struct source *source,
				  const struct ao_task *task, const char *file)
{
	char *path = ao_taskpath(task->name, file);
	char *where = ao_taskpath(task->name, AO_TASK_FILE);
	struct ao_error *err = read_file(out, source, path);
	enum ao_errcode code = ao_error_code(err);
	char *what = NULL;

	if (code == AO_ENOTFOUND)
		what = ao_xstrf("there is no file '%s'", path);
	else if (code == AO_EINVALID || code == AO_ELIMIT)
		what = ao_xstrdup(ao_error_message(err));
	if (what) {
		ao_error_free(err);
		err = ao_task_complain(task, where, file, what);
	}
	free(what);
	free(where);
	free(path);
	return err;
}

static struct ao_error *load_reference(struct ao_task *task,
				       struct source *source)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_error *err = read_part(&text, source, task,
					 task->reference_file);

	if (!err)
		ao_task_set_reference(task, text.ptr, text.len);
	ao_buf_release(&text);
	return err;
}

struct ao_error *ao_tasks_find(struct ao_repo *repo, const char *commit,
			       const char *name)
{
	struct source source;
	struct ao_error *err = source_init(&source, repo, commit);

	if (!err &&
	    (!ao_task_name_is_valid(name) || !has_definition(&source, name)))
		err = no_task(&source, name);
	return err;
}

struct ao_error *ao_tasks_load(struct ao_task **out, struct ao_repo *repo,
			       const char *commit, const char *name)
{
	struct ao_task *task = NULL;
	struct source source;
	struct ao_error *err = source_init(&source, repo, commit);

	if (!err &&
	    (!ao_task_name_is_valid(name) || !has_definition(&source, name)))
		return no_task(&source, name);
	if (!err)
		err = load_definition(&task, &source, name);
	if (!err)
		err = load_reference(task, &source);
	if (err) {
		ao_task_free(task);
		return ao_error_wrap(err, "cannot load the task '%s'", name);
	}
	*out = task;
	return NULL;
}

/* Append a file that task.json names to a kernel. */
static struct ao_error *add_part(struct ao_kernel *kernel,
				 struct source *source,
				 const struct ao_task *task, const char *name)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_error *err = read_part(&text, source, task, name);

	if (!err)
		ao_kernel_add(kernel, name, text.ptr, text.len);
	ao_buf_release(&text);
	return err;
}

struct ao_error *ao_tasks_load_kernel(struct ao_kernel *out,
				      struct ao_repo *repo, const char *commit,
				      const struct ao_task *task)
{
	struct ao_kernel kernel = { 0 };
	struct source source;
	struct ao_error *err = source_init(&source, repo, commit);

	for (size_t i = 0; i < task->kernel_files.count && !err; i++)
		err = add_part(&kernel, &source, task, task->kernel_files.v[i]);
	if (err) {
		ao_kernel_release(&kernel);
		return ao_error_wrap(err, "cannot load the kernel of '%s'",
				     task->name);
	}
	ao_tasks_kernel_id(&kernel);
	*out = kernel;
	return NULL;
}

struct ao_error *ao_tasks_load_practitioner(struct ao_kernel *out,
					    struct ao_repo *repo,
					    const char *commit,
					    const struct ao_task *task)
{
	struct ao_kernel kernel = { .libraries = task->practitioner_libraries };
	struct source source;
	struct ao_error *err;

	if (!task->practitioner_file)
		return ao_error_new(AO_ENOTFOUND,
				    "the task '%s' has no practitioner's "
				    "baseline: its task.json names none",
				    task->name);
	err = source_init(&source, repo, commit);
	if (!err)
		err = add_part(&kernel, &source, task, task->practitioner_file);
	if (err) {
		ao_kernel_release(&kernel);
		return ao_error_wrap(err,
				     "cannot load the practitioner's baseline "
				     "of '%s'",
				     task->name);
	}
	ao_tasks_kernel_id(&kernel);
	*out = kernel;
	return NULL;
}

void ao_tasks_kernel_id(struct ao_kernel *kernel)
{
	struct ao_treeedit *files = ao_xcalloc(kernel->count, sizeof(*files));
	struct ao_error *err;

	for (size_t i = 0; i < kernel->count; i++) {
		files[i].path = kernel->files[i].path;
		ao_git_hash(&files[i].blob, kernel->files[i].data,
			    kernel->files[i].len, GIT_OBJECT_BLOB);
	}
	err = ao_taskpath_kernel_id(kernel->id, files, kernel->count);
	/* Paths that no tree can have: it has no id, and is no kernel. */
	if (err)
		kernel->id[0] = '\0';
	ao_error_free(err);
	free(files);
}
