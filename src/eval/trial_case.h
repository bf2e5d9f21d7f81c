/* SPDX-License-Identifier: MIT */
/*
 * trial_case.h - a trial, what it does about one of its cases, and notes of it
 * in its result.  All but the trial itself is for trial.c.
 *
 * `i` is the number of the case among those chosen: result.cases[i].  Case 0 is
 * the main one.
 */
#ifndef AO_EVAL_TRIAL_CASE_H
#define AO_EVAL_TRIAL_CASE_H

#include "eval/court.h"
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

/* Work out floors and percentages anew, after the ceilings have changed. */
void ao_trial_rate(struct ao_trial *trial);

/* Whether it has failed, so that nothing more needs to be done. */
bool ao_trial_has_verdict(const struct ao_trial *trial);

const struct ao_case *ao_trial_case_at(const struct ao_trial *trial, size_t i);

/*
 * The object of the candidate or an opponent, built unless it was.  *out stays
 * as it is where the candidate does not build, which is its verdict then; an
 * opponent that does not build is AO_EINVALID.  Borrowed from the session.
 */
AO_MUST_CHECK
struct ao_error *ao_trial_get_object(const char **out, struct ao_trial *trial,
				     size_t i, const struct ao_kernel *kernel);

/* The judges of its cases. */
struct ao_court ao_trial_court(const struct ao_trial *trial);

/* See ao_court_open(). */
AO_MUST_CHECK
struct ao_error *ao_trial_open_judge(struct ao_judge **out,
				     const struct ao_trial *trial, size_t i);

/* Note what a judgement of the candidate says; takes its detail over. */
void ao_trial_note(struct ao_trial *trial, size_t i,
		   struct ao_judgement *judgement);

/* The error that an opponent is wrong. */
struct ao_error *ao_trial_refuse_opponent(const struct ao_kernel *opponent,
					  const struct ao_judgement *judgement);

/* Check the candidate with `calls` calls; what is wrong is its verdict. */
AO_MUST_CHECK
struct ao_error *ao_trial_check_case(struct ao_trial *trial, size_t i,
				     uint32_t calls);

/* The same of an opponent; what is wrong is an error. */
AO_MUST_CHECK
struct ao_error *ao_trial_check_opponent(struct ao_trial *trial, size_t i,
					 const struct ao_kernel *opponent);

#endif
