/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/task.h"
#include "store/kernelid.h"
#include "store/taskpath.h"
#include "store/treeiter.h"

static const struct ao_strs *known_files(const struct ao_kernelids *ids,
					 const git_oid *json)
{
	for (size_t i = ids->count; i-- > 0;)
		if (git_oid_equal(&ids->tasks[i].json, json))
			return &ids->tasks[i].files;
	return NULL;
}

/* What task.json names; nothing if it is not one that we understand. */
static void read_files(struct ao_strs *out, struct ao_objects *objects,
		       const git_oid *json)
{
	git_odb_object *object;
	struct ao_task *task = NULL;
	struct ao_error *err;

	object = ao_objects_read(objects, json, GIT_OBJECT_BLOB);
	if (!object)
		return;
	err = ao_task_parse(&task, "task.json", git_odb_object_data(object),
			    git_odb_object_size(object));
	git_odb_object_free(object);
	if (err) {
		ao_error_free(err);
		return;
	}
	for (size_t i = 0; i < task->kernel_files.count; i++)
		ao_strs_push(out, task->kernel_files.v[i]);
	ao_task_free(task);
}

static const struct ao_strs *files_of(struct ao_kernelids *ids,
				      struct ao_objects *objects,
				      const git_oid *json)
{
	const struct ao_strs *files = known_files(ids, json);
	struct ao_kernelid_task *task;

	if (files)
		return files;
	ids->tasks = ao_grow(ids->tasks, &ids->alloc, ids->count + 1,
			     sizeof(*ids->tasks));
	task = &ids->tasks[ids->count++];
	*task = (struct ao_kernelid_task){ .json = *json };
	read_files(&task->files, objects, json);
	return &task->files;
}

/* The usual case, for thousands of commits: one file, one look at a tree. */
static bool find_file(git_oid *out, struct ao_objects *objects,
		      git_odb_object *folder, const char *file)
{
	struct ao_treeiter iter;

	if (strchr(file, '/'))
		return ao_objects_find(out, objects, git_odb_object_id(folder),
				       file);
	if (!ao_treeiter_find(&iter, folder, file, strlen(file)) ||
	    !ao_treeiter_is_file(&iter))
		return false;
	*out = iter.id;
	return true;
}

static bool hash_files(char out[AO_ID_SIZE], struct ao_objects *objects,
		       git_odb_object *folder, const struct ao_strs *names)
{
	struct ao_treeedit *files = ao_xcalloc(names->count, sizeof(*files));
	bool is_whole = true;

	for (size_t i = 0; i < names->count && is_whole; i++) {
		files[i].path = names->v[i];
		is_whole = find_file(&files[i].blob, objects, folder,
				     names->v[i]);
	}
	if (is_whole) {
		struct ao_error *err;

		err = ao_taskpath_kernel_id(out, files, names->count);
		is_whole = !err;
		ao_error_free(err);
	}
	free(files);
	return is_whole;
}

bool ao_kernelid_find(char out[AO_ID_SIZE], struct ao_kernelids *ids,
		      struct ao_objects *objects, const git_oid *tree,
		      const char *task)
{
	const struct ao_strs *files = NULL;
	git_odb_object *folder = NULL;
	struct ao_treeiter json;
	bool is_found = false;
	char path[256];
	git_oid id;

	snprintf(path, sizeof(path), AO_TASKS "/%s", task);
	if (ao_objects_find(&id, objects, tree, path))
		folder = ao_objects_read(objects, &id, GIT_OBJECT_TREE);
	if (!folder)
		return false;
	if (ao_treeiter_find(&json, folder, AO_TASK_FILE, strlen(AO_TASK_FILE)))
		files = files_of(ids, objects, &json.id);
	if (files && files->count)
		is_found = hash_files(out, objects, folder, files);
	git_odb_object_free(folder);
	return is_found;
}

void ao_kernelids_release(struct ao_kernelids *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		ao_strs_release(&ids->tasks[i].files);
	free(ids->tasks);
	*ids = (struct ao_kernelids){ 0 };
}
