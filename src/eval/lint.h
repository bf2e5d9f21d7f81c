/* SPDX-License-Identifier: MIT */
/*
 * lint.h - is a task sound?
 *
 * A weak check is the task's fault, and every search would find it.  So before
 * a task is used: its inputs come out the same from the same seed and differ
 * between seeds, its kernel builds and agrees with its reference on all cases,
 * and none of the mutants (mutant.h) passes.
 */
#ifndef AO_EVAL_LINT_H
#define AO_EVAL_LINT_H

#include "eval/ask.h"
#include "model/kernel.h"
#include "model/task.h"

/* One thing that was looked at. */
struct ao_lint_finding {
	char *what;   /* "kernel agrees with the reference" */
	char *detail; /* one line */
	bool is_good;
};

/* All zero is empty. */
struct ao_lint {
	struct ao_lint_finding *findings; /* [count] */
	size_t count, alloc;
	bool is_sound; /* all are good */
};

void ao_lint_release(struct ao_lint *lint);

/*
 * Look at a task with its kernel.  What is wrong with the task is a finding;
 * an error means that we could not find out.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_lint_task(struct ao_lint *out, struct ao_asker *asker,
			      const struct ao_task *task,
			      const struct ao_kernel *kernel, uint64_t seed);

#endif
