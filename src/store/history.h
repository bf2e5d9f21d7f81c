/* SPDX-License-Identifier: MIT */
/*
 * history.h - all runs and candidates of a repository, as journals and notes
 * have them.  Reading only.
 *
 * Branches of this clone and those under refs/remotes/ (as a plain clone has
 * them) are read alike, notes of every writer together.  A cache in the common
 * git folder makes reading again quick; it can be deleted at any time.
 */
#ifndef AO_STORE_HISTORY_H
#define AO_STORE_HISTORY_H

#include "model/candidate.h"
#include "model/run.h"
#include "store/repo.h"

/* One run with its attempts in the order of iteration and number. */
struct ao_history_run {
	struct ao_run run;
	char tip[AO_ID_SIZE];		 /* of the journal */
	char best[AO_ID_SIZE];		 /* commit, or "" */
	bool is_remote;			 /* only known from a remote's branch */
	struct ao_candidate *candidates; /* [candidate_count] */
	size_t candidate_count;
	struct ao_profile *baseline; /* of run.base_kernel, or NULL */
};

struct ao_history {
	struct ao_history_run *runs; /* [run_count] oldest first */
	size_t run_count;
	struct ao_insight *insights; /* [insight_count] oldest first */
	size_t insight_count;

	/* Why the answer may not be complete. */
	bool lacks_notes;     /* there are candidates, but not one note */
	bool is_incomplete;   /* shallow, partial, or a missing object */
	char *incomplete_why; /* one line, or NULL */
};

struct ao_history_options {
	const char *task;  /* only this task; NULL: all */
	const char *run;   /* only this run; NULL: all */
	const char *as_of; /* only what this journal commit knew; NULL: now */
	bool no_cache;
};

AO_MUST_CHECK
struct ao_error *ao_history_load(struct ao_history *out, struct ao_repo *repo,
				 const struct ao_history_options *options);
void ao_history_release(struct ao_history *history);

/* The run and candidate with that commit, or NULL. */
const struct ao_candidate *ao_history_find(
	const struct ao_history *history, const char *commit,
	const struct ao_history_run **run_out);

#endif
