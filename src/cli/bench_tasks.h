/* SPDX-License-Identifier: MIT */
/* bench_tasks.h - the tasks that a benchmark is about. */
#ifndef AO_CLI_BENCH_TASKS_H
#define AO_CLI_BENCH_TASKS_H

#include "collab/bench.h"

struct ao_bench_choice {
	const char *suite; /* an installed one; NULL: all that are committed */
	const char *tasks; /* names, commas between them; NULL: all */
	bool with_practitioner;
	bool is_all_cases; /* those on request, too */
	bool is_elsewhere; /* another machine judges: it has its own libraries
			    */
};

/* A task with its baselines. */
struct ao_bench_subject {
	struct ao_task *task;
	struct ao_kernel author;
	struct ao_kernel practitioner;
	struct ao_strs cases;
	struct ao_bench_task bench; /* borrows from the others */
};

/* All zero is empty. */
struct ao_bench_subjects {
	struct ao_bench_subject *items; /* [count] */
	size_t count;
	struct ao_strs libraries; /* files that baselines are linked with */
};
void ao_bench_subjects_release(struct ao_bench_subjects *subjects);

/*
 * Load the tasks of `commit` that are chosen, so that whatever is wrong with
 * one, or not installed, is said before hours are spent on others.
 * AO_ENOTFOUND if there is none.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_bench_subjects_load(struct ao_bench_subjects *out,
					struct ao_repo *repo,
					const char *commit,
					const struct ao_bench_choice *choice);

#endif
