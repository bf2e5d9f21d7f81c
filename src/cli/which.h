/* SPDX-License-Identifier: MIT */
/* which.h - the task, run or candidate that somebody means. */
#ifndef AO_CLI_WHICH_H
#define AO_CLI_WHICH_H

#include "store/history.h"

/* A candidate with its run, loaded in full.  All zero is empty. */
struct ao_which {
	struct ao_history history; /* of the run alone */
	const struct ao_history_run *run;
	const struct ao_candidate *candidate;
};

/*
 * The run whose id begins with `name`; NULL if there is none, AO_EUSAGE with
 * their ids if there are several.  `is_own`: of this clone's runs alone.
 * Borrowed from `history`.
 */
AO_MUST_CHECK
struct ao_error *ao_which_run(const struct ao_history_run **out,
			      const struct ao_history *history,
			      const char *name, bool is_own);

/*
 * Whether a run in `history` or the work tree knows the task; another name is
 * a slip, AO_ENOTFOUND.  NULL is no name.
 */
AO_MUST_CHECK
struct ao_error *ao_which_task(struct ao_repo *repo,
			       const struct ao_history *history,
			       const char *task);

/*
 * Find it by a revision, also one of another commit with the same kernel, or by
 * "<run>/<iteration>.<n>", where the beginning of a run's id will do if no
 * other begins so.  AO_ENOTFOUND if there is none, after telling of gaps in the
 * history.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_which_find(struct ao_which *out, struct ao_repo *repo,
			       const char *name);
void ao_which_release(struct ao_which *which);

#endif
