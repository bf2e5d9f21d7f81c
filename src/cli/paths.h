/* SPDX-License-Identifier: MIT */
/*
 * paths.h - where this program's own files lie: in $GIT_ACCELOPT_DATA if that
 * is set, beside the program when it was installed to a prefix, in the source
 * tree when it runs from the build folder, else where it was built to be
 * installed.
 */
#ifndef AO_CLI_PATHS_H
#define AO_CLI_PATHS_H

#include "util/error.h"
#include "util/strs.h"

/*
 * The folder of an installed suite's tasks (of "nkibench").  AO_ENOTFOUND names
 * the places that were looked at.  The caller frees *path_out.
 */
AO_MUST_CHECK
struct ao_error *ao_paths_suite(char **path_out, const char *suite);

/*
 * The file of what is published of an installed suite, for published.h; the
 * same otherwise.
 */
AO_MUST_CHECK
struct ao_error *ao_paths_published(char **path_out, const char *suite);

/* The names of the tasks in such a folder, sorted. */
AO_MUST_CHECK
struct ao_error *ao_paths_suite_tasks(struct ao_strs *out, const char *folder);

/* An AO_ENOTFOUND for a task that is none of a suite's. */
AO_MUST_CHECK
struct ao_error *ao_paths_no_task(const char *task, const char *suite,
				  const struct ao_strs *names);

/*
 * The folder of manual pages that belongs to this program, or NULL where there
 * is none beside it.  The caller frees it.
 */
char *ao_paths_manual(void);

#endif
