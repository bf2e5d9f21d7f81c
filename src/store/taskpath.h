/* SPDX-License-Identifier: MIT */
/* taskpath.h - where a task's files lie, and the id of its kernel files. */
#ifndef AO_STORE_TASKPATH_H
#define AO_STORE_TASKPATH_H

#include "store/treeedit.h"

#define AO_TASKS     "tasks"
#define AO_TASK_FILE "task.json"

/* "tasks/<task>/<file>"; the caller frees it. */
char *ao_taskpath(const char *task, const char *file);

/*
 * The kernel id of these files, their paths within the task's folder: the blob
 * of the one file, or the tree of several.  AO_EINVALID if no tree can have
 * one of the paths.  `files` may be reordered.
 */
AO_MUST_CHECK
struct ao_error *ao_taskpath_kernel_id(char out[AO_ID_SIZE],
				       struct ao_treeedit *files, size_t count);

#endif
