/* SPDX-License-Identifier: MIT */
#include "histbox.h"

#include "store/snapshot.h"
#include "util/crypto.h"

static const char cache[] = ".git/accelopt/history-cache";
static struct runbox box;

static void begin(unsigned count)
{
	char text[32];

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "int k%u;\n", i);
		EXPECT(runbox_add(&box, text));
	}
	EXPECT(box_ok(ao_journal_flush(box.journal)));
}

static void leave(void)
{
	runbox_close(&box);
	box_leave();
}

/* The history in brief; with the cache, or without. */
static char *read_history(bool no_cache)
{
	const struct ao_history_options options = { .is_brief = true,
						    .no_cache = no_cache };

	return hist_read(&options);
}

/* Whether the history is the same with the cache, twice, and without. */
static bool is_same(const char *when)
{
	char *first = read_history(false);
	char *second = read_history(false);
	char *without = read_history(true);
	bool same = !strcmp(first, without) && !strcmp(second, without);

	if (!same)
		printf("# %s\n# with the cache:\n%s\n%s\n# without:\n%s\n",
		       when, first, second, without);
	free(first);
	free(second);
	free(without);
	return same;
}

static void the_cache_lies_in_the_common_git_folder(void)
{
	begin(2);
	EXPECT(!box_sh("git worktree add -q ../tree") && !chdir("../tree"));
	EXPECT(is_same("in a worktree"));
	EXPECT(ao_file_exists("../r/.git/accelopt/history-cache"));
	leave();
}

static void no_cache_leaves_no_file(void)
{
	begin(2);
	free(read_history(true));
	EXPECT(!ao_file_exists(cache));
	leave();
}

static void a_warm_cache_answers_without_the_attempts(void)
{
	char *before, *after;

	begin(3);
	before = read_history(false);
	EXPECT(!box_sh(
		"mkdir ../p && mv .git/objects/pack/*.pack ../p && rm -f "
		".git/objects/pack/* && for p in ../p/*.pack; do git "
		"unpack-objects -q <$p; done && rm -f "
		".git/objects/$(echo %s | cut -c1-2)/$(echo %s | cut "
		"-c3-)",
		box.last, box.last));
	after = read_history(false);
	EXPECT(!strcmp(before, after));
	free(before);
	free(after);
	leave();
}

static void an_incomplete_answer_is_not_kept(void)
{
	begin(3);
	EXPECT(!box_sh("git clone -q --depth 1 --no-single-branch "
		       "\"file://$PWD\" ../clone"));
	EXPECT(!chdir("../clone"));
	free(read_history(false));
	EXPECT(!ao_file_exists(cache));
	EXPECT(!box_sh("git fetch -q --unshallow"));
	EXPECT(is_same("whole again"));
	EXPECT(ao_file_exists(cache));
	leave();
}

static void add_attempts(struct runbox *to, unsigned count)
{
	char text[64];

	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "int more%" PRIu32 ";\n",
			 to->attempts);
		EXPECT(runbox_add(to, text));
	}
	EXPECT(box_ok(ao_journal_flush(to->journal)));
}

static void it_follows_what_is_added(void)
{
	struct runbox other;

	begin(2);
	EXPECT(is_same("at first"));
	add_attempts(&box, 10);
	EXPECT(is_same("more attempts"));
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(is_same("a winner"));
	EXPECT(runbox_start(&other, "two"));
	add_attempts(&other, 3);
	EXPECT(is_same("another run"));
	add_attempts(&box, 200);
	EXPECT(is_same("many more"));
	runbox_close(&other);
	leave();
}

static void add_profile(const char *commit, const char *kernel)
{
	struct ao_profile profile = { 0 };

	ao_record_head_init(&profile.head);
	memcpy(profile.kernel, kernel, AO_ID_SIZE);
	memcpy(profile.task, box.run.task_id, AO_ID_SIZE);
	profile.result.verdict = AO_VERDICT_TIMEOUT;
	EXPECT(box_ok(ao_journal_add_profile(box.journal, commit, &profile)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
}

static void it_follows_newer_records(void)
{
	char *kernel;

	begin(3);
	EXPECT(is_same("at first"));
	add_profile(box.run.base, box.run.base_kernel);
	EXPECT(is_same("a baseline"));
	kernel = box_out("git rev-parse %s:tasks/t/kernel.c", box.last);
	add_profile(box.last, kernel);
	EXPECT(is_same("a newer profile"));
	free(kernel);
	leave();
}

/* Delete, copy and move notes with git's own commands. */
static void it_follows_notes_that_others_change(void)
{
	char *ref, *note, *older;

	begin(4);
	EXPECT(is_same("at first"));
	ref = ao_xstrf("refs/notes/accelopt/%s/profile", box.run.writer);
	older = box_out("git rev-parse %s", ref);
	note = box_out("git notes --ref %s list %s", ref, box.last);
	EXPECT(!box_sh("git notes --ref %s remove %s 2>/dev/null", ref,
		       box.last));
	EXPECT(is_same("a note removed"));
	EXPECT(!box_sh("c=$(git commit-tree -m x %s^{tree}) && git notes "
		       "--ref %s add -C %s $c",
		       box.last, ref, note));
	EXPECT(is_same("it lies on another commit with the same kernel"));
	EXPECT(!box_sh("git notes --ref %s add -C $(git notes --ref %s list "
		       "%s^) %s",
		       ref, ref, box.last, box.last));
	EXPECT(is_same("a note about another kernel in its place"));
	EXPECT(!box_sh("git update-ref refs/notes/remotes/up/accelopt/other1/"
		       "profile %s && git update-ref -d %s",
		       older, ref));
	EXPECT(is_same("the first notes, as a remote has them"));
	EXPECT(!box_sh("git update-ref -d refs/notes/remotes/up/accelopt/"
		       "other1/profile"));
	EXPECT(is_same("no notes of that kind"));
	free(older);
	free(note);
	free(ref);
	leave();
}

static void it_follows_a_journal_that_is_rewritten(void)
{
	struct runbox other;
	char *name;

	begin(9);
	EXPECT(runbox_start(&other, "two"));
	add_attempts(&other, 3);
	EXPECT(is_same("at first"));
	name = ao_xstrf("refs/heads/accelopt/t/%s/all", box.run.id);
	EXPECT(!box_sh("git update-ref %s %s^", name, name));
	EXPECT(is_same("the last journal commit taken back"));
	EXPECT(!box_sh("git update-ref -d %s", name));
	EXPECT(is_same("a run deleted"));
	free(name);
	runbox_close(&other);
	leave();
}

static void it_follows_notes_trees_that_are_garbage_now(void)
{
	begin(3);
	EXPECT(is_same("at first"));
	EXPECT(!box_sh("r=refs/notes/accelopt/%s/profile && t=$(git rev-parse "
		       "$r^{tree}) && git update-ref -d $r && git update-ref "
		       "$r $(git commit-tree -m anew $t) && git notes --ref $r "
		       "remove %s 2>/dev/null && git update-ref $r $(git "
		       "commit-tree -m anew $r^{tree}) && git gc -q "
		       "--prune=now && git reflog expire --expire=now --all && "
		       "git gc -q --prune=now",
		       box.run.writer, box.last));
	EXPECT(is_same("after gc"));
	leave();
}

static void any_damage_to_the_file_is_survived(void)
{
	struct ao_buf file = AO_BUF_INIT(1 << 20);
	char *good;

	begin(3);
	good = read_history(true);
	free(read_history(false));
	EXPECT(box_ok(ao_file_read(&file, cache)));
	for (size_t i = 0; i < file.len; i += 1 + i / 3) {
		char *text;

		file.ptr[i] ^= 0x41;
		EXPECT(box_ok(ao_file_write(cache, file.ptr, file.len)));
		text = read_history(false);
		EXPECT(!strcmp(text, good));
		free(text);
		file.ptr[i] ^= 0x41;
		EXPECT(box_ok(ao_file_write(cache, file.ptr, i)));
		text = read_history(false);
		EXPECT(!strcmp(text, good));
		free(text);
	}
	ao_buf_release(&file);
	free(good);
	leave();
}

static void a_cache_that_cannot_be_written_does_no_harm(void)
{
	begin(2);
	EXPECT(!box_sh("mkdir %s", cache));
	EXPECT(is_same("a folder in its place"));
	leave();
}

/* With the right hash, so that the content itself is read. */
static bool forge(const char *body, size_t len)
{
	struct ao_buf file = AO_BUF_INIT(1 << 20);
	struct ao_hash *hash = ao_hash_new();
	char hex[AO_HASH_SIZE];
	bool is_good;

	ao_hash_add(hash, body, len);
	ao_hash_finish(hash, hex);
	ao_buf_addf(&file, "git-accelopt cache 1, %s\n%s\n", ao_version(), hex);
	ao_buf_add(&file, body, len);
	is_good = box_ok(ao_file_write(cache, file.ptr, file.len));
	ao_buf_release(&file);
	return is_good;
}

static void a_forged_cache_that_makes_no_sense_is_built_anew(void)
{
	struct ao_buf file = AO_BUF_INIT(1 << 20);
	size_t head;
	char *good;

	begin(3);
	good = read_history(true);
	free(read_history(false));
	EXPECT(box_ok(ao_file_read(&file, cache)));
	head = strcspn(file.ptr, "\n") + 1 + AO_HASH_SIZE;
	for (size_t i = head; i < file.len; i += 397) {
		char *text;

		EXPECT(forge(file.ptr + head, i - head));
		text = read_history(false);
		EXPECT(!strcmp(text, good));
		free(text);
	}
	ao_buf_release(&file);
	free(good);
	leave();
}

int main(void)
{
	RUN(the_cache_lies_in_the_common_git_folder);
	RUN(no_cache_leaves_no_file);
	RUN(a_warm_cache_answers_without_the_attempts);
	RUN(an_incomplete_answer_is_not_kept);
	RUN(it_follows_what_is_added);
	RUN(it_follows_newer_records);
	RUN(it_follows_notes_that_others_change);
	RUN(it_follows_a_journal_that_is_rewritten);
	RUN(it_follows_notes_trees_that_are_garbage_now);
	RUN(any_damage_to_the_file_is_survived);
	RUN(a_cache_that_cannot_be_written_does_no_harm);
	RUN(a_forged_cache_that_makes_no_sense_is_built_anew);
	return tap_done();
}
