/* SPDX-License-Identifier: MIT */
/* tasks.h - tasks as the repository holds them: tasks/<name>/. */
#ifndef AO_STORE_TASKS_H
#define AO_STORE_TASKS_H

#include "model/kernel.h"
#include "model/task.h"
#include "store/repo.h"

/*
 * The names of the tasks in a commit, sorted.  With `commit` NULL, in the work
 * tree (in a bare repository: in HEAD).
 */
AO_MUST_CHECK
struct ao_error *ao_tasks_list(struct ao_strs *out, struct ao_repo *repo,
			       const char *commit);

/*
 * Whether there is such a task, sound or not, in a commit or, with `commit`
 * NULL, in the work tree.  AO_ENOTFOUND says what to do: the nearest name, or
 * to commit what is in the work tree alone.
 */
AO_MUST_CHECK
struct ao_error *ao_tasks_find(struct ao_repo *repo, const char *commit,
			       const char *name);

/*
 * Load a task with its reference, from a commit or, with `commit` NULL, from
 * the work tree.  AO_ENOTFOUND as ao_tasks_find(); AO_EINVALID if task.json is
 * broken, or names a file that is not there or is a symbolic link.  The caller
 * frees *out with ao_task_free().
 */
AO_MUST_CHECK
struct ao_error *ao_tasks_load(struct ao_task **out, struct ao_repo *repo,
			       const char *commit, const char *name);

/*
 * The task's kernel in a commit or the work tree, with its id.  AO_EINVALID
 * for its files as ao_tasks_load().  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_tasks_load_kernel(struct ao_kernel *out,
				      struct ao_repo *repo, const char *commit,
				      const struct ao_task *task);

/*
 * The same for the practitioner's baseline, which may link libraries.
 * AO_ENOTFOUND if the task has none.
 */
AO_MUST_CHECK
struct ao_error *ao_tasks_load_practitioner(struct ao_kernel *out,
					    struct ao_repo *repo,
					    const char *commit,
					    const struct ao_task *task);

/* Give a kernel its id. */
void ao_tasks_kernel_id(struct ao_kernel *kernel);

#endif
