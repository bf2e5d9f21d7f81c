/* SPDX-License-Identifier: MIT */
/*
 * judge.h - run kernels in workers, check what they write, time them.
 *
 *   judge   this process: clock, private inputs and answers, verdict
 *   warden  its child, the same program started anew: namespaces, an empty
 *           root; holds no candidate code; forks the workers
 *   worker  fresh for each sample: maps inputs read-only and outputs between
 *           guard pages, closes all descriptors, loads the object, drops to a
 *           list of system calls, runs the kernel on command
 *
 * Every call, timed or not, gets content never seen before at an address
 * chosen at random (a set of the dataset, permuted along the task's
 * independent axis) and an output poisoned with NaNs, and its own output is
 * checked from a copy made at once.  Of what a timed call gets, its worker has
 * not seen a single slice: each call is about another set.
 *
 * Where two kernels are compared, a call takes what it took by the clock, and
 * the CPU time that its worker used besides, as far as it is more than what the
 * other's did.  An honest one uses some to wake up and to read its operands;
 * who works before the clock starts, or goes on after it has stopped, has won
 * nothing.
 */
#ifndef AO_EVAL_JUDGE_H
#define AO_EVAL_JUDGE_H

#include "eval/dataset.h"
#include "eval/judgement.h"
#include "eval/timing.h"
#include "model/result.h"

struct ao_judge;

/*
 * For one dataset, which is borrowed; the caller frees *out with
 * ao_judge_free().  AO_ELIMIT if the task has more arguments than a kernel may
 * take, AO_EIO if there is not the memory.
 */
AO_MUST_CHECK
struct ao_error *ao_judge_new(struct ao_judge **out,
			      const struct ao_dataset *dataset,
			      const struct ao_judge_options *options);
void ao_judge_free(struct ao_judge *judge);

/*
 * Check an object on `calls` calls in a fresh worker, no set of the dataset
 * twice as long as there are others, and among them on each hard set; with
 * times of the former, rough ones: other work may go on beside it, and what is
 * computed beside the calls is not charged, as only an opponent shows how much
 * of that is usual.  They show; nothing is decided by them but that a call
 * cannot be as fast.
 */
AO_MUST_CHECK
struct ao_error *ao_judge_check(struct ao_judgement *out,
				struct ao_judge *judge, const char *object,
				uint32_t calls);

/* The same of an opponent, which may be linked with libraries: library.h. */
AO_MUST_CHECK
struct ao_error *ao_judge_check_opponent(struct ao_judgement *out,
					 struct ao_judge *judge,
					 const char *object, uint32_t libraries,
					 uint32_t calls);

struct ao_pair_options {
	struct ao_timing_rules rules;
	/* What object B, if it is trusted, is linked with: see library.h. */
	uint32_t opponent_libraries;
};

/*
 * Time object A (the candidate) against B (the opponent) in units of fresh
 * worker pairs in random order, by a sequential test, see timing.h.  Every
 * call is checked; the first that is wrong ends it with that verdict in
 * *a_out or *b_out.  The caller holds the machine's lock.  *out is released
 * by the caller, as are the judgements; out->against is left empty.
 */
AO_MUST_CHECK
struct ao_error *ao_judge_pair(struct ao_pair *out, struct ao_judgement *a_out,
			       struct ao_judgement *b_out,
			       struct ao_judge *judge, const char *object_a,
			       const char *object_b,
			       const struct ao_pair_options *options);

/*
 * The isolation that workers get here, found out once: "namespaces",
 * "seccomp", "rlimits".
 */
const char *ao_judge_sandbox_level(void);

/* CPU time so far by purpose, in nanoseconds. */
struct ao_judge_cpu {
	uint64_t compare;
	uint64_t worker;    /* calls, and the judge's waiting for them */
	uint64_t isolation; /* wardens, workers outside calls, quiet CPUs */
	uint64_t inputs;    /* and the memory for them */
};
void ao_judge_cpu(struct ao_judge_cpu *out, const struct ao_judge *judge);

#endif
