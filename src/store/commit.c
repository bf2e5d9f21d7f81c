/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/commit.h"

static const char tree_key[] = "tree ";
static const char parent_key[] = "parent ";
static const char committer_key[] = "committer ";

enum { PARENT_LEN = sizeof(parent_key) - 1 + GIT_OID_HEXSZ + 1 };

/* The id behind `key` at the start of a line of `len` bytes or more. */
static bool read_id(git_oid *out, const char *line, size_t len, const char *key)
{
	size_t key_len = strlen(key);

	return len > key_len + GIT_OID_HEXSZ && !memcmp(line, key, key_len) &&
	       line[key_len + GIT_OID_HEXSZ] == '\n' &&
	       !git_oid_fromstrn(out, line + key_len, GIT_OID_HEXSZ);
}

/* The time in "committer A U Thor <author@example.com> 1700000000 +0100". */
static int64_t read_time(const char *line, size_t len)
{
	const char *at = memrchr(line, '>', len);
	const char *end = line + len;
	int64_t seconds = 0;

	if (!at)
		return 0;
	for (at++; at < end && *at == ' ';)
		at++;
	/* 12 digits: enough for 30,000 years, and too few to overflow. */
	for (int i = 0; i < 12 && at < end && *at >= '0' && *at <= '9'; i++)
		seconds = seconds * 10 + (*at++ - '0');
	return seconds * 1000;
}

bool ao_commit_read(struct ao_commit *out, const char *data, size_t len)
{
	struct ao_commit commit = { 0 };
	const char *at = data, *end = data + len;
	git_oid id;

	if (!read_id(&commit.tree, at, len, tree_key))
		return false;
	at += strlen(tree_key) + GIT_OID_HEXSZ + 1;
	commit.parents = at;
	while (read_id(&id, at, (size_t)(end - at), parent_key)) {
		commit.parent_count++;
		at += PARENT_LEN;
	}
	/* The rest of the header ends with a blank line. */
	while (at < end && *at != '\n') {
		const char *eol = memchr(at, '\n', (size_t)(end - at));

		if (!eol)
			return false;
		if ((size_t)(eol - at) > strlen(committer_key) &&
		    !memcmp(at, committer_key, strlen(committer_key)))
			commit.time_unix_ms = read_time(at, (size_t)(eol - at));
		at = eol + 1;
	}
	if (at < end)
		at++;
	commit.message = at;
	commit.message_len = (size_t)(end - at);
	*out = commit;
	return true;
}

void ao_commit_parent(git_oid *out, const struct ao_commit *commit, size_t i)
{
	const char *line = commit->parents + i * PARENT_LEN;

	/* Was read before; a failure would be a parent out of range. */
	if (!read_id(out, line, PARENT_LEN, parent_key))
		abort();
}
