/* SPDX-License-Identifier: MIT */
/*
 * author.h - who writes commits, and commit objects as text.
 *
 * As git has it: the environment, then author.*, committer.* and user.*.
 * Where nobody is configured we sign with a name of our own: a search must not
 * end for want of one.
 */
#ifndef AO_STORE_AUTHOR_H
#define AO_STORE_AUTHOR_H

#include "store/git.h"
#include "store/repo.h"

/* "Name <mail>" each; the caller frees them. */
struct ao_author {
	char *author; /* accelopt.author overrides it */
	char *committer;
};

/*
 * AO_EINVALID if accelopt.author is set but is no "Name <mail>": who set it
 * wants to hear that before commits by others are made.
 */
AO_MUST_CHECK
struct ao_error *ao_author_check(const struct ao_repo *repo);

void ao_author_init(struct ao_author *author, const struct ao_repo *repo);
void ao_author_release(struct ao_author *author);

struct ao_commit_spec {
	git_oid tree;
	const git_oid *parents; /* [parent_count] */
	size_t parent_count;
	int64_t time_unix_s;
	const char *message;
};

/* Append the bytes of a commit object; its time is in the local zone. */
struct ao_buf;
void ao_author_commit(struct ao_buf *out, const struct ao_author *author,
		      const struct ao_commit_spec *spec);

#endif
