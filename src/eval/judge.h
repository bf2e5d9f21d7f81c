/* SPDX-License-Identifier: MIT */
/*
 * judge.h - run kernels in workers, check what they write, time them.
 *
 *   judge   this process: clock, private inputs and answers, verdict
 *   warden  its child: namespaces, an empty root, limits; holds no candidate
 *           code; forks the workers
 *   worker  fresh for each sample: maps inputs read-only and outputs between
 *           guard pages, loads the object, closes all descriptors, drops to a
 *           list of system calls, runs the kernel on command
 *
 * Every call, timed or not, gets content never seen before at an address
 * chosen at random (a set of the dataset, permuted along the task's
 * independent axis) and an output poisoned with NaNs, and its own output is
 * checked from a copy made at once.
 */
#ifndef AO_EVAL_JUDGE_H
#define AO_EVAL_JUDGE_H

#include "eval/dataset.h"
#include "model/result.h"

struct ao_judge;

struct ao_judge_options {
	uint64_t seed;
	uint32_t call_timeout_ms;
	uint64_t memory_bytes; /* a worker may use beside its tensors */
	double hard_floor_ns;  /* faster is TOO_FAST; 0: unknown */
};

/* What a kernel did, as far as judged. */
struct ao_judgement {
	enum ao_verdict verdict; /* PASSED if every call was right */
	char *detail;		 /* one line: why not */
	char *log;		 /* what it printed, capped; may be NULL */
	double error;		 /* largest relative L2 error so far */
	double limit;		 /* allowed where that was */
	double min_ns;
	double median_ns;
};
void ao_judgement_release(struct ao_judgement *judgement);

/* For one dataset; the caller frees *out with ao_judge_free(). */
AO_MUST_CHECK
struct ao_error *ao_judge_new(struct ao_judge **out,
			      const struct ao_dataset *dataset,
			      const struct ao_judge_options *options);
void ao_judge_free(struct ao_judge *judge);

/*
 * Check an object on `calls` calls in a fresh worker, every set of the
 * dataset at least once; with times, rough ones.
 */
AO_MUST_CHECK
struct ao_error *ao_judge_check(struct ao_judgement *out,
				struct ao_judge *judge, const char *object,
				uint32_t calls);

struct ao_pair_options {
	double min_effect;  /* log gain that is worth deciding */
	uint32_t max_units; /* then UNDECIDED or TIE */
};

/*
 * Time object A (the candidate) against B (the opponent) in units of fresh
 * worker pairs in random order, by a sequential test, see timing.h.  Every
 * call is checked; the first that is wrong ends it with that verdict in
 * *a_out or *b_out.  The caller holds the machine's lock.  *out is released
 * by the caller, as are the judgements.
 */
AO_MUST_CHECK
struct ao_error *ao_judge_pair(struct ao_pair *out, struct ao_judgement *a_out,
			       struct ao_judgement *b_out,
			       struct ao_judge *judge, const char *object_a,
			       const char *object_b,
			       const struct ao_pair_options *options);

/* The isolation that workers get here: "namespaces", "seccomp", "rlimits". */
const char *ao_judge_sandbox_level(void);

/* CPU time so far by purpose, in nanoseconds. */
struct ao_judge_cpu {
	uint64_t compare, worker, isolation, inputs;
};
void ao_judge_cpu(struct ao_judge_cpu *out, const struct ao_judge *judge);

#endif
