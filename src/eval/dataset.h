/* SPDX-License-Identifier: MIT */
/*
 * dataset.h - inputs of one case with their right answers, private to the
 * judge.
 *
 * Every tensor is a mapping of its own that child processes do not inherit.
 */
#ifndef AO_EVAL_DATASET_H
#define AO_EVAL_DATASET_H

#include "model/task.h"
#include "util/error.h"

struct ao_dataset {
	const struct ao_task *task;
	const struct ao_case *c;
	uint64_t seed;
	size_t count;	   /* sets of inputs */
	size_t hard_count; /* and hard ones behind them, see draw.h */
	size_t hard_numbers[AO_HARD_COUNT]; /* [hard_count] as drawn */
	void **inputs;	   /* [sets][input_count], row-major, in the dtype */
	double **expected; /* [sets][output_count], in double precision */
	/* [sets][output_count][slices], see bound.h; NULL: the norm alone */
	double **scales;
	/*
	 * Why there are no more hard sets: on what the reference is not finite,
	 * as one line; or NULL.
	 */
	char *hard_problem;
	uint64_t input_cpu_ns; /* that making them took */
	uint64_t reference_cpu_ns;
	size_t reference_calls; /* that these were spent on */
};

/*
 * Draw `count` sets of inputs, and some hard ones, from `seed` and compute
 * their answers with the task's reference, built and run in a process of its
 * own (reference.h). Hard sets whose answers are not finite are left out. Equal
 * arguments give equal inputs on every machine.  AO_EINVALID if the reference
 * does not compile (with the compiler's words), crashes, or leaves something
 * that is not finite; AO_ELIMIT if there is not the memory or time.
 *
 * `task` and `c` are borrowed and outlive the dataset, which the caller frees
 * with ao_dataset_free().
 */
AO_MUST_CHECK
struct ao_error *ao_dataset_make(struct ao_dataset **out,
				 const struct ao_task *task,
				 const struct ao_case *c, uint64_t seed,
				 size_t count);

/*
 * The same with a reference that ao_reference_build() made for the case; NULL:
 * without answers.
 */
AO_MUST_CHECK
struct ao_error *ao_dataset_make_with(struct ao_dataset **out,
				      const char *reference_object,
				      const struct ao_task *task,
				      const struct ao_case *c, uint64_t seed,
				      size_t count);

/* The same inputs without answers, for who wants to look at inputs alone. */
AO_MUST_CHECK
struct ao_error *ao_dataset_draw(struct ao_dataset **out,
				 const struct ao_task *task,
				 const struct ao_case *c, uint64_t seed,
				 size_t count);

void ao_dataset_free(struct ao_dataset *dataset);

/* Ordinary and hard sets together. */
size_t ao_dataset_sets(const struct ao_dataset *dataset);

/*
 * "x large, w one_hot": what a hard set, counted as the others are, is made of
 * at a slice of the independent axis.  The caller frees it.
 */
char *ao_dataset_describe(const struct ao_dataset *dataset, size_t set,
			  size_t slice);

/* Memory that a set of a case takes: inputs, and outputs as doubles. */
uint64_t ao_dataset_set_bytes(const struct ao_task *task,
			      const struct ao_case *c);

#endif
