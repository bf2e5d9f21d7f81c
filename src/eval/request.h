/* SPDX-License-Identifier: MIT */
/* request.h - what an evaluation is asked: a bundle of all that it needs. */
#ifndef AO_EVAL_REQUEST_H
#define AO_EVAL_REQUEST_H

#include "model/kernel.h"
#include "model/result.h"
#include "model/task.h"
#include "util/buf.h"

/* How far an evaluation goes. */
enum ao_stage {
	/* Build and check on the cases, opponents too; rough time. */
	AO_STAGE_CHECK,
	/*
	 * And time the main case, at most 8 units: does it gain?  Not timed if
	 * it is the machine code of its only opponent.
	 */
	AO_STAGE_SCREEN,
	AO_STAGE_FULL, /* and time all cases with weight, at most 60 units */
	/*
	 * The same, but the main case is decided at ten times the evidence:
	 * who asks it of thousands would else crown one by luck in a hundred.
	 * The other cases are timed only if it is faster on the main one.
	 */
	AO_STAGE_CONFIRM,
};

struct ao_bundle {
	const struct ao_task *task; /* with its reference */
	const struct ao_kernel *candidate;
	const struct ao_kernel *opponents; /* [opponent_count] may have
					      libraries */
	size_t opponent_count;
	/*
	 * Names of the cases to judge, the first of which, in the task's order,
	 * plays the main one; each that is named is timed.  NULL or none: all
	 * that are not on request.
	 */
	const struct ao_strs *cases;
	const struct ao_machine *machine; /* with ceilings; NULL: as measured */
	enum ao_stage stage;
	/*
	 * Say what holds the candidate up, see feedback.h.  FULL does so of
	 * what passes, and all stages of what is faster.
	 */
	bool with_remarks;
	bool with_cachegrind; /* count a call, see cachegrind.h; takes seconds
			       */
	uint64_t seed;	      /* of the inputs */
	uint32_t call_timeout_ms; /* for one call; 0: 20 x reference, >= 10 s */
	uint32_t build_timeout_ms; /* 0: 60 s */
};

/* The most opponents of one bundle. */
enum { AO_MAX_OPPONENTS = 16 };

#endif
