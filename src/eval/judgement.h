/* SPDX-License-Identifier: MIT */
/* judgement.h - what judging a kernel takes, and what it finds. */
#ifndef AO_EVAL_JUDGEMENT_H
#define AO_EVAL_JUDGEMENT_H

#include "eval/sampler.h"
#include "model/verdict.h"

struct ao_judge_options {
	uint64_t seed;		  /* of what is chosen at random */
	uint32_t call_timeout_ms; /* for a call, and for loading; 0: 10 s */
	uint64_t memory_bytes; /* a worker may use beside its tensors; 0: 1 G */
	double hard_floor_ns;  /* faster is TOO_FAST; 0: unknown */
	/*
	 * Where to put what is seen of an object that is checked: where it is
	 * every `sample_us`.  Its times are worth nothing then.  NULL: do not
	 * look.
	 */
	struct ao_samples *samples;
	uint32_t sample_us; /* > 0 */
	uint32_t threads;   /* at most, where the task allows more; 0: those */
};

/* What a kernel did, as far as judged. */
struct ao_judgement {
	enum ao_verdict verdict; /* PASSED if every call was right */
	char *detail;		 /* one line: why not */
	double error;	  /* the relative L2 error nearest to its limit */
	double limit;	  /* allowed for that output */
	double min_ns;	  /* of the calls that were timed; 0: none */
	double median_ns; /* the same */
};
void ao_judgement_release(struct ao_judgement *judgement);

/*
 * PASSED, with the times of its calls, unless there is a verdict already.
 *
 * ns  [count] of all timed calls; reordered
 */
void ao_judgement_conclude(struct ao_judgement *judgement, double *ns,
			   size_t count);

#endif
