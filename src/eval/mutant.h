/* SPDX-License-Identifier: MIT */
/*
 * mutant.h - wrong kernels that every task must refuse.
 *
 * A task whose own check passes an output of zeros, or one rounded to bf16,
 * would reward kernels that do not do the work.  A mutant is the task's kernel
 * under another name with a function around it that spoils one output.
 *
 * Pure: source text in, source text out.
 */
#ifndef AO_EVAL_MUTANT_H
#define AO_EVAL_MUTANT_H

#include "model/kernel.h"
#include "model/task.h"

enum ao_mutant_kind {
	AO_MUTANT_ZERO,	    /* all zeros */
	AO_MUTANT_CONSTANT, /* the mean of the right output everywhere */
	AO_MUTANT_HALF,	    /* the second half is zeros */
	AO_MUTANT_BF16,	    /* right, but rounded to bf16 */
	AO_MUTANT_COPY,	    /* an input, over and over */
	AO_MUTANT_KIND_COUNT,
};

struct ao_mutant {
	enum ao_mutant_kind kind;
	size_t output; /* which one is spoiled */
	size_t input;  /* which one is copied, of AO_MUTANT_COPY */
};

/*
 * All mutants of a task; the caller frees *out.  Rounding is left out for
 * outputs of whole numbers, and copies of inputs of another type.
 */
void ao_mutant_list(struct ao_mutant **out, size_t *count_out,
		    const struct ao_task *task);

/* "out rounded to bf16"; the caller frees it. */
char *ao_mutant_name(const struct ao_mutant *mutant,
		     const struct ao_task *task);

/* The mutant's source, without an id; the caller releases *out. */
void ao_mutant_make(struct ao_kernel *out, const struct ao_mutant *mutant,
		    const struct ao_task *task, const struct ao_kernel *kernel);

#endif
