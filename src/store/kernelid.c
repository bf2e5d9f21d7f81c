/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/task.h"
#include "store/kernelid.h"
#include "store/taskpath.h"
#include "store/treeiter.h"

static struct ao_kernelid_task *known_task(const struct ao_kernelids *ids,
					   const git_oid *json)
{
	for (size_t i = ids->count; i-- > 0;)
		if (git_oid_equal(&ids->tasks[i].json, json))
			return &ids->tasks[i];
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

/* Borrowed until the next task is met. */
static struct ao_kernelid_task *task_of(struct ao_kernelids *ids,
					struct ao_objects *objects,
					const git_oid *json)
{
	struct ao_kernelid_task *task = known_task(ids, json);

	if (task)
		return task;
	ids->tasks = ao_grow(ids->tasks, &ids->alloc, ids->count + 1,
			     sizeof(*ids->tasks));
	task = &ids->tasks[ids->count++];
	*task = (struct ao_kernelid_task){ .json = *json };
	read_files(&task->files, objects, json);
	task->places = ao_xcalloc(task->files.count + 1, sizeof(*task->places));
	return task;
}

/* Thousands of commits are looked at, so no tree twice. */
static bool find_file(git_oid *out, struct ao_objects *objects,
		      git_odb_object *folder, const char *file,
		      struct ao_kernelid_place *place)
{
	size_t len = strcspn(file, "/");
	struct ao_treeiter entry;

	if (!ao_treeiter_find(&entry, folder, file, len))
		return false;
	if (file[len]) {
		if (!ao_treeiter_is_tree(&entry))
			return false;
		if (!git_oid_equal(&place->folder, &entry.id)) {
			if (!ao_objects_find(&place->blob, objects, &entry.id,
					     file + len + 1))
				return false;
			place->folder = entry.id;
		}
		*out = place->blob;
		return true;
	}
	*out = entry.id;
	return ao_mode_is_file(entry.mode);
}

static bool find_files(char out[AO_ID_SIZE], struct ao_objects *objects,
		       git_odb_object *folder,
		       const struct ao_kernelid_task *task)
{
	size_t count = task->files.count;
	struct ao_treeedit *files = ao_xcalloc(count + 1, sizeof(*files));
	bool is_whole = count > 0;

	for (size_t i = 0; i < count && is_whole; i++) {
		files[i].path = task->files.v[i];
		is_whole = find_file(&files[i].blob, objects, folder,
				     task->files.v[i], &task->places[i]);
	}
	if (is_whole) {
		struct ao_error *err;

		err = ao_taskpath_kernel_id(out, files, count);
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
		is_found = find_files(out, objects, folder,
				      task_of(ids, objects, &json.id));
	git_odb_object_free(folder);
	return is_found;
}

void ao_kernelids_release(struct ao_kernelids *ids)
{
	for (size_t i = 0; i < ids->count; i++) {
		ao_strs_release(&ids->tasks[i].files);
		free(ids->tasks[i].places);
	}
	free(ids->tasks);
	*ids = (struct ao_kernelids){ 0 };
}
