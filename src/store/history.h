/* SPDX-License-Identifier: MIT */
/*
 * history.h - all runs and candidates of a repository, as journals and notes
 * have them.  Reading only.
 *
 * Branches of this clone and those under refs/remotes/ (as a plain clone has
 * them) are read alike, notes of every writer together.  A cache in the common
 * git folder makes reading in brief quick; it can be deleted at any time, and
 * what is read is the same without it.
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

struct ao_commitindex;

struct ao_history {
	struct ao_history_run *runs; /* [run_count] oldest first */
	size_t run_count;
	struct ao_insight *insights; /* [insight_count] oldest first */
	size_t insight_count;

	/* Why the answer may not be complete. */
	bool lacks_notes;	  /* there are candidates, but not one note */
	bool is_incomplete;	  /* cut off, damaged, or changed by hand */
	char *incomplete_why;	  /* one line, or NULL */
	struct ao_strs bad_notes; /* a line for each ref that has some */

	/*
	 * Where commits are found quickly; NULL is fine, and so are runs and
	 * candidates that were added to the arrays since.
	 */
	struct ao_commitindex *index;
};

struct ao_history_options {
	const char *task;  /* only this task; NULL: all */
	const char *run;   /* only this run; NULL: all */
	const char *as_of; /* only what this journal commit knew; NULL: now */
	/*
	 * Records as model/brief.h reads them, and messages without the plan.
	 * Some five times as quick, and the only way that has a cache.
	 */
	bool is_brief;
	bool no_insights;
	bool no_cache;
};

/*
 * AO_ENOTFOUND or AO_EINVALID if `as_of` is no journal commit.  What is missing
 * is no error: see is_incomplete.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_history_load(struct ao_history *out, struct ao_repo *repo,
				 const struct ao_history_options *options);
void ao_history_release(struct ao_history *history);

/* Delete the cache.  False if there is one that cannot be deleted. */
bool ao_history_drop_cache(struct ao_repo *repo);

/*
 * The attempts of a run from the one with that commit back to the first step
 * on the base, as indices into run->candidates [*count_out], newest first.
 * Empty if it has no such attempt.  The caller frees the array.
 */
size_t *ao_history_lineage(size_t *count_out, const struct ao_history_run *run,
			   const char *commit);

/*
 * Whether what the attempt at `at` of a lineage changed is still in the
 * lineage's end: it was not left out again, and leaves out nothing itself.
 */
bool ao_history_keeps(const struct ao_history_run *run, const size_t *lineage,
		      size_t at);

/* The run and candidate with that commit, or NULL. */
const struct ao_candidate *ao_history_find(
	const struct ao_history *history, const char *commit,
	const struct ao_history_run **run_out);

#endif
