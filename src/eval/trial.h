/* SPDX-License-Identifier: MIT */
/*
 * trial.h - one evaluation: check its cases beside others, then time with the
 * machine to itself.
 *
 * The first case on which the candidate fails decides the verdict.
 */
#ifndef AO_EVAL_TRIAL_H
#define AO_EVAL_TRIAL_H

#include "eval/request.h"
#include "util/lock.h"

/*
 * The rules by which verdicts and decisions come about.  Results under
 * different rules are never mixed: count AO_TRIAL_RULES up with every change
 * to what passes or how it is timed.
 */
enum {
	AO_TRIAL_RULES = 2,
	AO_TRIAL_CHECK_CALLS = 4,  /* of a case; each set at least once */
	AO_TRIAL_ROUGH_CALLS = 7,  /* for a time without an opponent */
	AO_TRIAL_SCREEN_UNITS = 8, /* on the main case */
	AO_TRIAL_FULL_UNITS = 60,  /* the same, of a would-be best */
	AO_TRIAL_OTHER_UNITS = 16, /* on each other case */
};

struct ao_trial {
	struct ao_session *session;	/* borrowed */
	const struct ao_bundle *bundle; /* borrowed */
	struct ao_machine machine;	/* with ceilings */
	struct ao_lock *lock;		/* of the machine, while it runs */
	size_t *chosen; /* [chosen_count] cases of the task that are judged */
	size_t chosen_count;
	/* Without machine, seed, own CPU time.  Its cases: as chosen. */
	struct ao_result result;
};

/* Fill in the result.  The machine's lock is not held afterwards. */
AO_MUST_CHECK
struct ao_error *ao_trial_run(struct ao_trial *trial);

/* Work out floors and percentages anew, after the ceilings have changed. */
void ao_trial_rate(struct ao_trial *trial);

void ao_trial_release(struct ao_trial *trial);

#endif
