/* SPDX-License-Identifier: MIT */
/*
 * git.h - the seam to libgit2: its errors as ours, ids as text, raw objects.
 */
#ifndef AO_STORE_GIT_H
#define AO_STORE_GIT_H

#include <git2.h>

#include "util/error.h"

/*
 * An error from a negative return code of libgit2: the text, caused by what
 * libgit2 says.  AO_ENOTFOUND: no such object or ref; AO_ECONFLICT: a ref is
 * locked, moved, or there already; else AO_EIO.
 */
#define ao_git_error(rc, ...) \
	ao_error_wrap(ao_git_cause_at(__FILE__, __LINE__, rc), __VA_ARGS__)
AO_MUST_CHECK
struct ao_error *ao_git_cause_at(const char *file, int line, int rc);

/*
 * Start libgit2 and set what all of us rely on: refs and packs are synced, and
 * git alone decides whom a repository may belong to.  Every call is undone by
 * one git_libgit2_shutdown().
 */
AO_MUST_CHECK
struct ao_error *ao_git_init(void);

/* Whether an extension of the repository format changes nothing for us. */
bool ao_git_tolerates(const char *extension);

/* An id as text. */
void ao_git_hex(char out[AO_ID_SIZE], const git_oid *id);

/* Text as an id: exactly 40 hexadecimal digits, else AO_EINVALID. */
AO_MUST_CHECK
struct ao_error *ao_git_id(git_oid *out, const char *hex);

/* The id of an object with these bytes. */
void ao_git_hash(git_oid *out, const void *data, size_t len, git_object_t type);

/*
 * Read one object of the type asked for.  AO_ENOTFOUND if it is missing,
 * AO_EINVALID if it is of another type.  The caller frees *out with
 * git_odb_object_free().
 */
AO_MUST_CHECK
struct ao_error *ao_git_read(git_odb_object **out, git_odb *odb,
			     const git_oid *id, git_object_t type);

/* The tree of a commit. */
AO_MUST_CHECK
struct ao_error *ao_git_commit_tree(git_oid *tree_out, git_odb *odb,
				    const git_oid *commit);

#endif
