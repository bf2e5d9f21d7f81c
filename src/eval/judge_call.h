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

enum { AO_JUDGE_SIDES = 2 };

struct ao_judge {
	const struct ao_dataset *dataset;
	struct ao_judge_options options;
	struct ao_rng rng;
	/*
	 * Candidate and opponent have memory of their own: neither sees what
	 * the other is given, or answers.  The second is made when it is
	 * needed.
	 */
	struct ao_arena arenas[AO_JUDGE_SIDES];
	struct ao_arena *arena; /* of the side whose turn it is */
	struct ao_order warden_order;
	struct ao_runner_cpu runner_cpu;
	uint64_t compare_cpu_ns;
	uint64_t input_cpu_ns;

	struct ao_view *input_views;  /* [input_count] */
	struct ao_view *output_views; /* [output_count] */
	void **copies;		      /* [output_count] of outputs */
	double *norms;		      /* [sets][output_count] of answers */

	/* What the next call is about, see ao_call_choose(). */
	size_t set;
	uint32_t slot;
	size_t *order;	  /* [order_len] of the independent axis' slices */
	size_t order_len; /* 0: no such axis */
};

/*
 * From now on it is the turn of the side with that arena, to be started and to
 * be called.  One that is released is made anew.
 */
AO_MUST_CHECK
struct ao_error *ao_call_turn(struct ao_judge *judge, struct ao_arena *arena);

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

/* Choose what is called next: a set in a new order, in a slot at random. */
void ao_call_choose(struct ao_judge *judge, size_t set);

/*
 * Call the kernel on the chosen operands and judge what it writes.  Returns
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
