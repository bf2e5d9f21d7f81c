/* SPDX-License-Identifier: MIT */
/*
 * kernel_source.h - a kernel by what a user calls it: a commit, a file, a
 * folder with the task's kernel files, or the work tree.
 */
#ifndef AO_CLI_KERNEL_SOURCE_H
#define AO_CLI_KERNEL_SOURCE_H

#include "model/kernel.h"
#include "store/tasks.h"

/* All zero is empty. */
struct ao_kernel_source {
	struct ao_kernel kernel; /* with its id */
	char *label;		 /* what to call it in the answer */
	char commit[AO_ID_SIZE]; /* "" if it is not from a commit */
};

void ao_kernel_source_release(struct ao_kernel_source *source);

/* The work tree's kernel; in a bare repository HEAD's. */
AO_MUST_CHECK
struct ao_error *ao_kernel_source_current(struct ao_kernel_source *out,
					  struct ao_repo *repo,
					  const struct ao_task *task);

AO_MUST_CHECK
struct ao_error *ao_kernel_source_commit(struct ao_kernel_source *out,
					 struct ao_repo *repo,
					 const struct ao_task *task,
					 const char *revision);

/*
 * A file outside of git; a folder where the task has several files.  AO_EUSAGE
 * if it is one and should be the other.
 */
AO_MUST_CHECK
struct ao_error *ao_kernel_source_file(struct ao_kernel_source *out,
				       const struct ao_task *task,
				       const char *path);

/* The practitioner's baseline of the task; AO_ENOTFOUND if it has none. */
AO_MUST_CHECK
struct ao_error *ao_kernel_source_practitioner(struct ao_kernel_source *out,
					       struct ao_repo *repo,
					       const struct ao_task *task);

/* A commit or a file; AO_EUSAGE if `name` could be both, as git has it. */
AO_MUST_CHECK
struct ao_error *ao_kernel_source_any(struct ao_kernel_source *out,
				      struct ao_repo *repo,
				      const struct ao_task *task,
				      const char *name);

#endif
