/* SPDX-License-Identifier: MIT */
/*
 * commit.h - what a commit object says, read from its bytes.
 *
 * libgit2's own commit walks drop what lies at a shallow boundary and cost an
 * object each; here the parents are what is written, there or not.
 */
#ifndef AO_STORE_COMMIT_H
#define AO_STORE_COMMIT_H

#include "store/git.h"

/* Borrowed from the bytes it was read from. */
struct ao_commit {
	git_oid tree;
	const char *parents; /* "parent <id>\n" for each */
	size_t parent_count;
	int64_t time_unix_ms; /* of the committer; to the second */
	const char *message;
	size_t message_len;
};

/* Returns false if it is not a commit. */
bool ao_commit_read(struct ao_commit *out, const char *data, size_t len);

/* The parent of number `i`, from 0. */
void ao_commit_parent(git_oid *out, const struct ao_commit *commit, size_t i);

#endif
