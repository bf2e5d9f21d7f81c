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
#include "eval/trial_rules.h"
#include "util/lock.h"

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
