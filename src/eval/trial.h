/* SPDX-License-Identifier: MIT */
/*
 * trial.h - one evaluation: check its cases beside others, then time with the
 * machine to itself.
 *
 * The first case on which the candidate fails decides the verdict.
 */
#ifndef AO_EVAL_TRIAL_H
#define AO_EVAL_TRIAL_H

#include "eval/trial_case.h"
#include "eval/trial_rules.h"

/* Fill in the result.  The machine's lock is not held afterwards. */
AO_MUST_CHECK
struct ao_error *ao_trial_run(struct ao_trial *trial);

void ao_trial_release(struct ao_trial *trial);

#endif
