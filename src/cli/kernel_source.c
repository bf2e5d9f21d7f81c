/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/stat.h>

#include "util/file.h"
#include "util/limits.h"

#include "cli/kernel_source.h"

void ao_kernel_source_release(struct ao_kernel_source *source)
{
	ao_kernel_release(&source->kernel);
	free(source->label);
	*source = (struct ao_kernel_source){ 0 };
}

struct ao_error *ao_kernel_source_current(struct ao_kernel_source *out,
					  struct ao_repo *repo,
					  const struct ao_task *task)
{
	struct ao_kernel_source source = { 0 };
	struct ao_error *err;

	err = ao_tasks_load_kernel(&source.kernel, repo, NULL, task);
	if (err)
		return err;
	source.label = ao_xstrdup(ao_repo_work_tree(repo) ? "work tree"
							  : "HEAD");
	*out = source;
	return NULL;
}

struct ao_error *ao_kernel_source_commit(struct ao_kernel_source *out,
					 struct ao_repo *repo,
					 const struct ao_task *task,
					 const char *revision)
{
	struct ao_kernel_source source = { 0 };
	struct ao_error *err;

	err = ao_repo_resolve(source.commit, repo, revision);
	if (!err)
		err = ao_tasks_load_kernel(&source.kernel, repo, source.commit,
					   task);
	if (err)
		return err;
	source.label = ao_xstrf("%.10s", source.commit);
	*out = source;
	return NULL;
}

struct ao_error *ao_kernel_source_practitioner(struct ao_kernel_source *out,
					       struct ao_repo *repo,
					       const struct ao_task *task)
{
	struct ao_kernel_source source = { 0 };
	struct ao_error *err;

	err = ao_tasks_load_practitioner(&source.kernel, repo, NULL, task);
	if (err)
		return err;
	source.label = ao_xstrdup("practitioner");
	*out = source;
	return NULL;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static struct ao_error *add_file(struct ao_kernel *kernel, const char *path,
				 const char *name)
{
	struct ao_buf data = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_error *err = ao_file_read(&data, path);

	if (!err)
		ao_kernel_add(kernel, name, data.ptr, data.len);
	ao_buf_release(&data);
	return err;
}

static struct ao_error *add_folder(struct ao_kernel *kernel,
				   const struct ao_task *task,
				   const char *folder)
{
	struct ao_error *err = NULL;

	for (size_t i = 0; !err && i < task->kernel_files.count; i++) {
		const char *name = task->kernel_files.v[i];
		char *path = ao_xstrf("%s/%s", folder, name);

		err = add_file(kernel, path, name);
		free(path);
	}
	return err;
}

struct ao_error *ao_kernel_source_file(struct ao_kernel_source *out,
				       const struct ao_task *task,
				       const char *path)
{
	struct ao_kernel_source source = { 0 };
	struct ao_error *err;

	if (is_folder(path))
		err = add_folder(&source.kernel, task, path);
	else if (task->kernel_files.count == 1)
		err = add_file(&source.kernel, path, task->kernel_files.v[0]);
	else
		err = ao_error_new(AO_EUSAGE,
				   "the kernel of '%s' is %zu files: give the "
				   "folder that holds them, not '%s'",
				   task->name, task->kernel_files.count, path);
	if (err) {
		ao_kernel_source_release(&source);
		return err;
	}
	ao_tasks_kernel_id(&source.kernel);
	source.label = ao_xstrdup(path);
	*out = source;
	return NULL;
}

struct ao_error *ao_kernel_source_any(struct ao_kernel_source *out,
				      struct ao_repo *repo,
				      const struct ao_task *task,
				      const char *name)
{
	bool is_file = ao_file_exists(name);
	char commit[AO_ID_SIZE];
	struct ao_error *err;

	err = ao_repo_resolve(commit, repo, name);
	if (err && is_file) {
		ao_error_free(err);
		return ao_kernel_source_file(out, task, name);
	}
	if (err)
		return ao_error_wrap(err, "'%s' is neither a commit nor a file",
				     name);
	if (is_file)
		return ao_error_new(AO_EUSAGE,
				    "'%s' is both a commit and a file: say "
				    "'./%s' for the file",
				    name, name);
	return ao_kernel_source_commit(out, repo, task, commit);
}
