/* SPDX-License-Identifier: MIT */
/*
 * refs.h - reading refs and moving them by compare-and-swap, durably.
 */
#ifndef AO_STORE_REFS_H
#define AO_STORE_REFS_H

#include "store/guard.h"
#include "store/repo_data.h"

/* What a ref points at; *found_out tells whether there is one. */
AO_MUST_CHECK
struct ao_error *ao_refs_read(bool *found_out, git_oid *out,
			      const struct ao_repo *repo, const char *name);

/*
 * Move a ref from `from` (NULL: it must not exist) to `to`, whose object must
 * be on disk.  AO_ECONFLICT if it is not what it was, or git holds its lock:
 * read again and retry.  No hook runs.
 */
AO_MUST_CHECK
struct ao_error *ao_refs_swap(struct ao_guard *guard,
			      const struct ao_repo *repo, const char *name,
			      const git_oid *from, const git_oid *to,
			      const char *message);

/* Append the names of the refs that match a glob. */
AO_MUST_CHECK
struct ao_error *ao_refs_names(struct ao_strs *out, const struct ao_repo *repo,
			       const char *glob);

/*
 * AO_ECONFLICT, naming it, if a branch is in the way of
 * refs/heads/accelopt/<task>/<run>/; `run`, or both, may be NULL.
 */
AO_MUST_CHECK
struct ao_error *ao_refs_check_free(const struct ao_repo *repo,
				    const char *task, const char *run,
				    const char *writer);

/* AO_ECONFLICT, saying where, if a branch is checked out in a worktree. */
AO_MUST_CHECK
struct ao_error *ao_refs_check_not_out(const struct ao_repo *repo,
				       const char *name);

#endif
