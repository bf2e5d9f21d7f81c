/* SPDX-License-Identifier: MIT */
/*
 * lint.h - is a task sound?
 *
 * A weak check is the task's fault, and every search would find it.  So before
 * a task is used: its inputs come out the same from the same seed and differ
 * between seeds, hard ones have finite answers, all parts of them and of the
 * outputs matter (coverage.h), its kernel and the practitioner's baseline build
 * and agree with its reference on the cases looked at, and none of the mutants
 * (mutant.h) passes.
 */
#ifndef AO_EVAL_LINT_H
#define AO_EVAL_LINT_H

#include "eval/ask.h"
#include "model/kernel.h"
#include "model/task.h"

/* One thing that was looked at. */
struct ao_lint_finding {
	const char *what;   /* "the kernel agrees with the reference" */
	const char *detail; /* one line */
	bool is_good;
};

/* Called for each finding, as soon as it is known. */
typedef void ao_lint_cb(void *data, const struct ao_lint_finding *finding);

struct ao_lint_options {
	const struct ao_task *task;
	const struct ao_kernel *kernel;
	const struct ao_kernel *practitioner; /* its baseline, or NULL */
	const struct ao_strs
		*cases; /* names; none or NULL: those not on request */
	uint64_t seed;	/* of the inputs */
	ao_lint_cb *on_finding;
	void *data;
};

/*
 * Look at a task with its kernel; *is_sound_out: all findings are good.  What
 * is wrong with the task is a finding; an error means that we could not find
 * out.
 */
AO_MUST_CHECK
struct ao_error *ao_lint_task(bool *is_sound_out, struct ao_asker *asker,
			      const struct ao_lint_options *options);

#endif
