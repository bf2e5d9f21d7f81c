/* SPDX-License-Identifier: MIT */
/*
 * repo.h - the git repository: opening it, its paths, its configuration.
 *
 * Opens what git would open (GIT_DIR, -C, linked worktrees, bare repositories,
 * safe.directory), and refuses by name what libgit2 would misread: SHA-256 and
 * reftable repositories.  Configuration is read through git itself, once, so
 * that `git -c`, includes and worktree configuration count.
 */
#ifndef AO_STORE_REPO_H
#define AO_STORE_REPO_H

#include "util/error.h"
#include "util/strs.h"

struct ao_repo;

/*
 * Open the repository that git finds from the current folder.
 * AO_ENOTFOUND if there is none; AO_ETRUST if git does not trust its owner;
 * AO_EINVALID if its format is not for us.
 * The caller frees *out with ao_repo_free().
 */
AO_MUST_CHECK
struct ao_error *ao_repo_open(struct ao_repo **out);
void ao_repo_free(struct ao_repo *repo);

/* The work tree without a slash behind, or NULL in a bare repository. */
const char *ao_repo_work_tree(const struct ao_repo *repo);

/* A shallow or partial clone, of which history may be missing. */
bool ao_repo_is_shallow(const struct ao_repo *repo);
bool ao_repo_is_partial(const struct ao_repo *repo);

/*
 * The last value of a configuration key ("accelopt.beam", any case), from git;
 * behind all of git's, from the committed file .accelopt/config of HEAD, which
 * may only set search settings.  NULL if unset.  Borrowed from `repo`.
 */
const char *ao_repo_config(const struct ao_repo *repo, const char *key);

/* Write accelopt.* to the repository's own configuration. */
AO_MUST_CHECK
struct ao_error *ao_repo_config_set(struct ao_repo *repo, const char *key,
				    const char *value);

/*
 * Who writes here: a random id made once and kept as accelopt.writer, 8
 * hexadecimal digits.  AO_EINVALID if somebody set it to what cannot be part of
 * a ref.  Borrowed from `repo`.
 */
AO_MUST_CHECK
struct ao_error *ao_repo_writer(const char **out, struct ao_repo *repo);

/*
 * The commit that a revision names ("HEAD", a branch, an abbreviated id).
 * AO_ENOTFOUND if there is none, saying so for an unborn branch too.
 */
AO_MUST_CHECK
struct ao_error *ao_repo_resolve(char out[AO_ID_SIZE], struct ao_repo *repo,
				 const char *revision);

/*
 * The bytes of a file in a commit, appended to `out`; AO_ENOTFOUND if it is
 * not in it, AO_EIO if objects are missing, as in a partial clone.  `path` from
 * the top, with /.
 */
struct ao_buf;
AO_MUST_CHECK
struct ao_error *ao_repo_read_file(struct ao_buf *out, struct ao_repo *repo,
				   const char *commit, const char *path);

/*
 * Have git tidy up if there is enough to do, as its own commands that write
 * objects do in the end.  It goes on in the background (gc.autoDetach).
 */
void ao_repo_maintain(const struct ao_repo *repo);

/* The id that `data` has, or would have, as a blob. */
void ao_repo_blob_id(char out[AO_ID_SIZE], const void *data, size_t len);

#endif
