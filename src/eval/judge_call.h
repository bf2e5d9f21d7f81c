/* SPDX-License-Identifier: MIT */
/*
 * judge_call.h - one call of a kernel, as the judge makes it: fresh operands,
 * poison, clock, copy, verdict.
 */
#ifndef AO_EVAL_JUDGE_CALL_H
#define AO_EVAL_JUDGE_CALL_H

#include "eval/arena.h"
#include "eval/dataset.h"
#include "eval/judgement.h"
#include "eval/runner.h"

struct ao_judge {
	const struct ao_dataset *dataset;
	struct ao_judge_options options;
	struct ao_rng rng;
	struct ao_arena arena;
	struct ao_order warden_order;
	struct ao_runner_cpu runner_cpu;
	uint64_t compare_cpu_ns;
	uint64_t input_cpu_ns;

	struct ao_view *input_views;  /* [input_count] */
	struct ao_view *output_views; /* [output_count] */
	void **copies;		      /* [output_count] of outputs */
	double *norms;		      /* [sets][output_count] of answers */

	/* The operands that lie ready, see ao_call_prepare(). */
	size_t set;
	uint32_t slot;
	size_t *order;	  /* [order_len] of the independent axis' slices */
	size_t order_len; /* 0: no such axis */
};

/*
 * Start a warden for an object that is linked with `libraries`; the caller
 * frees it with ao_runner_free().
 */
AO_MUST_CHECK
struct ao_error *ao_call_start(struct ao_runner **out, struct ao_judge *judge,
			       const char *object, uint32_t libraries);

/*
 * Have a fresh worker, or a verdict and detail in *judgement.  Its process id
 * is *pid_out.
 */
AO_MUST_CHECK
struct ao_error *ao_call_spawn(struct ao_judgement *judgement, pid_t *pid_out,
			       struct ao_judge *judge,
			       struct ao_runner *runner);

/* Put a set of the dataset, in a new order, into a slot chosen at random. */
void ao_call_prepare(struct ao_judge *judge, size_t set);

/*
 * Call the kernel on the prepared operands and judge what it writes.  Returns
 * false, with verdict and detail in *judgement, if something is wrong.
 */
bool ao_call_run(uint64_t *wall_ns_out, struct ao_judgement *judgement,
		 struct ao_judge *judge, struct ao_runner *runner,
		 uint64_t spin_ns);

/* End the worker; a verdict if it did what it must not. */
AO_MUST_CHECK
struct ao_error *ao_call_stop(struct ao_judgement *judgement,
			      struct ao_runner *runner);

/*
 * From here on no other process of this user may look into ours.  Returns
 * whether one might before, for ao_call_unhide().
 */
bool ao_call_hide(void);
void ao_call_unhide(bool was_dumpable);

#endif
