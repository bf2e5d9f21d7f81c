/* SPDX-License-Identifier: MIT */
#include "gitbox.h"
#include "tap.h"

#include "store/author.h"
#include "store/notes.h"
#include "store/refs.h"
#include "util/buf.h"
#include "util/limits.h"
#include "util/rng.h"

#define REF "refs/notes/accelopt/w/profile"

static struct ao_repo *repo;

static void enter(void)
{
	box_enter();
	box_repo("r");
	EXPECT(box_ok(ao_repo_open(&repo)));
}

static void leave(void)
{
	ao_repo_free(repo);
	repo = NULL;
	box_leave();
}

/* An id that begins with `head` and ends with the digits of `number`. */
static const char *fake_id(char out[AO_ID_SIZE], const char *head,
			   unsigned number)
{
	memset(out, '0', AO_ID_SIZE - 1);
	memcpy(out, head, strlen(head));
	snprintf(out + AO_ID_SIZE - 1 - 8, 9, "%08x", number);
	return out;
}

/* Make the tree the next one of REF, as a flush does. */
static struct ao_error *store(struct ao_batch *batch, const git_oid *tree,
			      const git_oid *parent)
{
	struct ao_buf bytes = AO_BUF_INIT(4096);
	struct ao_author author;
	struct ao_commit_spec spec = {
		.tree = *tree,
		.parents = parent,
		.parent_count = parent != NULL,
		.message = "notes\n",
	};
	struct ao_guard *guard = NULL;
	struct ao_error *err;
	git_oid commit;

	ao_author_init(&author, repo);
	ao_author_commit(&bytes, &author, &spec);
	err = ao_batch_add(&commit, batch, GIT_OBJECT_COMMIT, bytes.ptr,
			   bytes.len);
	if (!err)
		err = ao_guard_take(&guard, repo);
	if (!err)
		err = ao_batch_store(batch);
	if (!err)
		err = ao_refs_swap(guard, repo, REF, parent, &commit, "t");
	ao_guard_free(guard);
	ao_author_release(&author);
	ao_buf_release(&bytes);
	return err;
}

static struct ao_error *add_lines(const struct ao_note_line *lines,
				  size_t count)
{
	struct ao_batch *batch = NULL;
	git_oid tip, old, tree;
	struct ao_error *err;
	bool found = false;

	err = ao_batch_new(&batch, repo);
	if (!err)
		err = ao_refs_read(&found, &tip, repo, REF);
	if (!err && found)
		err = ao_git_commit_tree(&old, ao_batch_odb(batch), &tip);
	if (!err)
		err = ao_notes_add(&tree, batch, found ? &old : NULL, lines,
				   count);
	if (!err)
		err = store(batch, &tree, found ? &tip : NULL);
	ao_batch_free(batch);
	return err;
}

static struct ao_error *add_text(const char *on, const char *text, size_t len)
{
	struct ao_note_line line = { .text = text, .len = len };

	EXPECT(box_ok(ao_git_id(&line.on, on)));
	return add_lines(&line, 1);
}

static bool add(const char *on, const char *text)
{
	return box_ok(add_text(on, text, strlen(text)));
}

static char *head_id(void)
{
	return box_out("git rev-parse HEAD");
}

static void a_note_lies_below_its_first_two_digits(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(add(head, "{\"a\":1}\n"));
	EXPECT(box_prints("{\"a\":1}", "git notes --ref " REF " show HEAD"));
	EXPECT(box_prints("3", "git ls-tree -r --name-only " REF
			       " | cut -d/ -f1 | wc -c"));
	EXPECT(box_prints("", "git fsck --strict --no-dangling 2>&1"));
	free(head);
	leave();
}

static void lines_are_appended_in_their_order(void)
{
	struct ao_note_line lines[] = { { .text = "z\n", .len = 2 },
					{ .text = "a\n", .len = 2 },
					{ .text = "m\n", .len = 2 } };
	char *head;

	enter();
	head = head_id();
	for (size_t i = 0; i < AO_ARRAY_SIZE(lines); i++)
		EXPECT(box_ok(ao_git_id(&lines[i].on, head)));
	EXPECT(add(head, "first\n"));
	EXPECT(box_ok(add_lines(lines, 3)));
	EXPECT(box_prints("first\nz\na\nm",
			  "git notes --ref " REF " show HEAD"));
	free(head);
	leave();
}

static void a_line_that_is_there_is_not_added_again(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(add(head, "{\"a\":1}\n"));
	EXPECT(add(head, "{\"a\":1}\n"));
	EXPECT(box_prints("{\"a\":1}", "git notes --ref " REF " show HEAD"));
	/* The end of a longer line is not the line. */
	EXPECT(add(head, "1}\n"));
	EXPECT(box_prints("{\"a\":1}\n1}",
			  "git notes --ref " REF " show HEAD"));
	free(head);
	leave();
}

static void bytes_that_others_wrote_stay_as_they_are(void)
{
	char *head;

	enter();
	head = head_id();
	/* Not UTF-8, CRs, an unknown version, blank lines, no last newline. */
	EXPECT(!box_sh("printf '\\377\\r\\n\\n{\"v\":99,\"kind\":\"new\"}' "
		       ">raw && git notes --ref " REF
		       " add -C $(git hash-object -w raw) HEAD"));
	EXPECT(add(head, "ours\n"));
	EXPECT(!box_sh("{ cat raw; printf '\\nours\\n'; } >want && "
		       "git notes --ref " REF " show HEAD | cmp - want"));
	free(head);
	leave();
}

static void flat_notes_of_git_are_folded_in(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(!box_sh("for i in 1 2 3 4 5 6 7 8; do "
		       "git notes --ref " REF " add -m \"note $i\" "
		       "$(echo $i | git hash-object -w --stdin); done && "
		       "git notes --ref " REF " add -m 'on head' HEAD"));
	EXPECT(box_prints("40", "git ls-tree --name-only " REF
				" | awk '{ print length }' | sort -u"));
	EXPECT(add(head, "ours\n"));
	EXPECT(box_prints("2", "git ls-tree --name-only " REF
			       " | awk '{ print length }' | sort -u"));
	EXPECT(box_prints("9", "git notes --ref " REF " list | wc -l"));
	EXPECT(box_prints("on head\nours",
			  "git notes --ref " REF " show HEAD"));
	EXPECT(box_prints("note 3", "git notes --ref " REF " show "
				    "$(echo 3 | git hash-object --stdin)"));
	free(head);
	leave();
}

static void notes_in_deeper_folders_are_found_there(void)
{
	char *head;

	enter();
	head = head_id();
	/* ab/cd/ef/... for HEAD, by hand. */
	EXPECT(!box_sh("h=%s; b=$(echo deep | git hash-object -w --stdin) && "
		       "GIT_INDEX_FILE=i git update-index --add --cacheinfo "
		       "100644,$b,$(echo $h | sed 's|^\\(..\\)\\(..\\)\\(..\\)|"
		       "\\1/\\2/\\3/|') && "
		       "t=$(GIT_INDEX_FILE=i git write-tree) && "
		       "git update-ref " REF " $(git commit-tree -m x $t)",
		       head));
	EXPECT(add(head, "ours\n"));
	EXPECT(box_prints("deep\nours", "git notes --ref " REF " show HEAD"));
	EXPECT(box_prints("1", "git notes --ref " REF " list | wc -l"));
	EXPECT(box_prints("1", "git ls-tree -r " REF " | wc -l"));
	free(head);
	leave();
}

static void a_note_that_lies_twice_becomes_one(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(!box_sh(
		"h=%s; b=$(echo one | git hash-object -w --stdin); "
		"c=$(echo two | git hash-object -w --stdin); "
		"printf '100644 blob %%s\\t%%s\\n' $b "
		"$(echo $h | cut -c3-) | git mktree >sub && "
		"printf '100644 blob %%s\\t%%s\\n040000 tree %%s\\t%%s\\n' "
		"$c $h $(cat sub) $(echo $h | cut -c1-2) | git mktree "
		">top && git update-ref " REF
		" $(git commit-tree -m x $(cat top))",
		head));
	EXPECT(add(head, "ours\n"));
	EXPECT(box_prints("one\ntwo\nours",
			  "git notes --ref " REF " show HEAD"));
	EXPECT(box_prints("1", "git ls-tree -r " REF " | wc -l"));
	free(head);
	leave();
}

static void entries_that_are_not_notes_are_kept(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(!box_sh("export GIT_INDEX_FILE=i; "
		       "b=$(echo x | git hash-object -w --stdin) && "
		       "for p in README zz/file a/b 00/odd %.2s/name; do "
		       "git update-index --add --cacheinfo 100755,$b,$p; "
		       "done && git update-ref " REF
		       " $(git commit-tree -m x $(git write-tree))",
		       head));
	EXPECT(add(head, "ours\n"));
	EXPECT(box_prints("5", "git ls-tree -r " REF " | grep -c ^100755"));
	EXPECT(box_prints("ours", "git notes --ref " REF " show HEAD"));
	EXPECT(box_prints("", "git fsck --strict --no-dangling 2>&1"));
	free(head);
	leave();
}

static void a_folder_with_many_notes_is_split_and_git_reads_on(void)
{
	enum { COUNT = AO_NOTES_SPLIT + 1 };
	struct ao_note_line lines[COUNT];
	char id[AO_ID_SIZE], count[16];

	enter();
	snprintf(count, sizeof(count), "%d", COUNT);
	for (unsigned i = 0; i < COUNT; i++) {
		char head[8];

		lines[i] = (struct ao_note_line){ .text = "x\n", .len = 2 };
		snprintf(head, sizeof(head), "ab%02x", i);
		EXPECT(box_ok(ao_git_id(&lines[i].on, fake_id(id, head, i))));
	}
	EXPECT(box_ok(add_lines(lines, COUNT - 1)));
	EXPECT(box_prints("38", "git ls-tree --name-only " REF ":ab | "
				"awk '{ print length }' | sort -u"));
	EXPECT(box_ok(add_lines(lines + COUNT - 1, 1)));
	EXPECT(box_prints("2", "git ls-tree --name-only " REF ":ab | "
			       "awk '{ print length }' | sort -u"));
	EXPECT(box_prints(count, "git notes --ref " REF " list | wc -l"));
	EXPECT(add(fake_id(id, "ab00", 0), "y\n"));
	EXPECT(box_prints("x\ny",
			  "git cat-file blob $(git notes --ref " REF
			  " list | grep %s | cut -d' ' -f1)",
			  id));
	leave();
}

static void a_file_where_a_folder_belongs_is_named(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(!box_sh(
		"b=$(echo x | git hash-object -w --stdin) && "
		"t=$(printf '100644 blob %%s\\t%.2s\\n' $b | git mktree) "
		"&& git update-ref " REF " $(git commit-tree -m x $t)",
		head));
	EXPECT(box_fails(add_text(head, "x\n", 2), AO_EINVALID, "a file '"));
	free(head);
	leave();
}

static void a_note_over_the_limit_is_refused(void)
{
	struct ao_buf big = AO_BUF_INIT(AO_MAX_NOTE_BYTES);
	char *head;

	enter();
	head = head_id();
	while (big.len < AO_MAX_NOTE_BYTES - 64)
		ao_buf_addstr(&big, "0123456789abcdef0123456789abcdef\n");
	EXPECT(box_ok(add_text(head, big.ptr, big.len)));
	ao_buf_release(&big);
	EXPECT(box_fails(add_text(head,
				  "one line that is 64 bytes long, so "
				  "that it does not fit any more.\n",
				  66),
			 AO_ELIMIT, "note on"));
	free(head);
	leave();
}

static void a_notes_tree_that_is_broken_is_refused(void)
{
	char *head;

	enter();
	head = head_id();
	EXPECT(!box_sh("t=$(printf '100644 x' | git hash-object -w --literally "
		       "-t tree --stdin) && git update-ref " REF
		       " $(git commit-tree -m x $t)"));
	EXPECT(box_fails(add_text(head, "x\n", 2), AO_EINVALID, "is broken"));
	free(head);
	leave();
}

/*
 * Whatever git and we write in turns, on objects whose ids begin alike: each
 * line is there, once.
 */
static void git_and_we_write_in_turns_and_no_line_is_lost(void)
{
	enum { OBJECTS = 120, ROUNDS = 12, LINES = 40 };
	char *ids[OBJECTS];
	unsigned expected = 0;
	struct ao_rng rng;

	enter();
	ao_rng_seed(&rng, 7);
	for (unsigned i = 0; i < OBJECTS; i++)
		ids[i] = box_out("echo %u | git hash-object -w --stdin", i);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct ao_note_line lines[LINES];
		char texts[LINES][32];

		for (unsigned i = 0; i < LINES; i++) {
			const char *on = ids[ao_rng_below(&rng, OBJECTS)];

			snprintf(texts[i], sizeof(texts[i]), "ours %u.%u\n",
				 round, i);
			lines[i].text = texts[i];
			lines[i].len = strlen(texts[i]);
			EXPECT(box_ok(ao_git_id(&lines[i].on, on)));
		}
		EXPECT(box_ok(add_lines(lines, LINES)));
		EXPECT(!box_sh("git notes --ref " REF
			       " append -m 'theirs %u' %s",
			       round, ids[ao_rng_below(&rng, OBJECTS)]));
		expected += LINES + 1;
	}
	{
		char want[32];

		snprintf(want, sizeof(want), "%u", expected);
		EXPECT(box_prints(want, "git notes --ref " REF
					" list | cut -d' ' -f1 | "
					"git cat-file --batch | "
					"grep -e ^ours -e ^theirs | sort -u | "
					"wc -l"));
	}
	EXPECT(box_prints("", "git ls-tree -r --name-only " REF
			      " | tr -d / | sort | uniq -d"));
	EXPECT(box_prints("", "git fsck --strict --no-dangling 2>&1"));
	for (unsigned i = 0; i < OBJECTS; i++)
		free(ids[i]);
	leave();
}

int main(void)
{
	RUN(a_note_lies_below_its_first_two_digits);
	RUN(lines_are_appended_in_their_order);
	RUN(a_line_that_is_there_is_not_added_again);
	RUN(bytes_that_others_wrote_stay_as_they_are);
	RUN(flat_notes_of_git_are_folded_in);
	RUN(notes_in_deeper_folders_are_found_there);
	RUN(a_note_that_lies_twice_becomes_one);
	RUN(entries_that_are_not_notes_are_kept);
	RUN(a_folder_with_many_notes_is_split_and_git_reads_on);
	RUN(a_file_where_a_folder_belongs_is_named);
	RUN(a_note_over_the_limit_is_refused);
	RUN(a_notes_tree_that_is_broken_is_refused);
	RUN(git_and_we_write_in_turns_and_no_line_is_lost);
	return tap_done();
}
