/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "store/commit.h"

#define TREE	  "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
#define PARENT	  "parent 1b825dc642cb6eb9a060e54bf8d69288fbee490"
#define AUTHOR	  "author A <a@example.com> 1600000000 +0100\n"
#define COMMITTER "committer C <c@example.com> 1700000000 -0800\n"

static bool read_commit(struct ao_commit *out, const char *text)
{
	return ao_commit_read(out, text, strlen(text));
}

static void a_commit_has_tree_parents_time_and_message(void)
{
	struct ao_commit commit;
	char hex[AO_ID_SIZE];
	git_oid parent;

	EXPECT(read_commit(&commit,
			   TREE PARENT "1\n" PARENT "2\n" AUTHOR COMMITTER
				       "\ntitle\n\nbody\n"));
	ao_git_hex(hex, &commit.tree);
	EXPECT(!strcmp(hex, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"));
	EXPECT(commit.parent_count == 2);
	ao_commit_parent(&parent, &commit, 1);
	ao_git_hex(hex, &parent);
	EXPECT(!strcmp(hex, "1b825dc642cb6eb9a060e54bf8d69288fbee4902"));
	EXPECT(commit.time_unix_ms == INT64_C(1700000000000));
	EXPECT(commit.message_len == 12 && !memcmp(commit.message, "title", 5));
}

static void a_signature_is_no_part_of_the_message(void)
{
	struct ao_commit commit;

	EXPECT(read_commit(&commit, TREE AUTHOR COMMITTER
			   "gpgsig -----BEGIN-----\n \n committer x> 5\n"
			   " -----END-----\n\nmessage"));
	EXPECT(commit.message_len == 7);
	EXPECT(commit.time_unix_ms == INT64_C(1700000000000));
	EXPECT(commit.parent_count == 0);
}

static void an_empty_message_is_one(void)
{
	struct ao_commit commit;

	EXPECT(read_commit(&commit, TREE AUTHOR COMMITTER "\n"));
	EXPECT(commit.message_len == 0);
}

static void an_odd_time_does_no_harm(void)
{
	struct ao_commit commit;

	EXPECT(read_commit(&commit, TREE "committer no time\n\n"));
	EXPECT(commit.time_unix_ms == 0);
	EXPECT(read_commit(&commit, TREE "committer a> "
					 "99999999999999999999999 +0000\n\n"));
	EXPECT(commit.time_unix_ms == INT64_C(999999999999000));
}

static void what_is_no_commit_is_refused(void)
{
	struct ao_commit commit;

	EXPECT(!read_commit(&commit, ""));
	EXPECT(!read_commit(&commit, "tree 4b825dc6\n"));
	EXPECT(!read_commit(&commit, AUTHOR));
	EXPECT(!read_commit(&commit, TREE "author without an end"));
}

int main(void)
{
	RUN(a_commit_has_tree_parents_time_and_message);
	RUN(a_signature_is_no_part_of_the_message);
	RUN(an_empty_message_is_one);
	RUN(an_odd_time_does_no_harm);
	RUN(what_is_no_commit_is_refused);
	return tap_done();
}
