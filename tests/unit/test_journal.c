/* SPDX-License-Identifier: MIT */
#include "runbox.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "store/journal.h"
#include "store/refs.h"
#include "util/lock.h"

static struct runbox box;

static void leave(void)
{
	runbox_close(&box);
	box_leave();
}

/* The run's branch `all` or `best`, in a buffer of ours. */
static const char *branch(const char *which)
{
	static char name[256];

	snprintf(name, sizeof(name), "accelopt/%s/%s/%s", box.run.task,
		 box.run.id, which);
	return name;
}

static void a_started_run_has_a_journal_on_its_baseline_at_once(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(box_prints(box.run.base, "git rev-parse %s^1", branch("all")));
	EXPECT(box_prints(box.run.id,
			  "git show %s:.accelopt/run.json | "
			  "sed -n 's/.*\"id\": *\"\\(2[^\"]*\\)\".*/\\1/p'",
			  branch("all")));
	EXPECT(box_prints("int kernel;", "git show %s:tasks/t/kernel.c",
			  branch("all")));
	EXPECT(box_fsck());
	leave();
}

static void its_message_keeps_build_servers_away(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(!box_sh("git log -1 --format=%%s %s | grep -q '\\[skip ci\\]'",
		       branch("all")));
	leave();
}

static void a_candidate_changes_the_kernel_alone(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int faster;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("M\ttasks/t/kernel.c", "git diff --name-status %s %s",
			  box.run.base, box.last));
	EXPECT(box_prints("int faster;", "git show %s:tasks/t/kernel.c",
			  box.last));
	EXPECT(box_prints(box.run.base, "git rev-parse %s^", box.last));
	EXPECT(box_prints("1.1",
			  "git log -1 --format='%%(trailers:key="
			  "Accelopt-Attempt,valueonly)' %s",
			  box.last));
	EXPECT(box_fsck());
	leave();
}

static void several_kernel_files_go_to_their_places(void)
{
	struct ao_candidate candidate;
	struct ao_kernel kernel = { 0 }, read = { 0 };

	runbox_repo();
	EXPECT(runbox_start(&box, "two"));
	runbox_candidate(&candidate, &box, box.run.base, 1);
	ao_kernel_add(&kernel, "kernel.c", "int a;\n", 7);
	ao_kernel_add(&kernel, "sub/part.h", "int b;\n", 7);
	EXPECT(box_ok(ao_journal_add(box.journal, &candidate, &kernel)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("M\ttasks/two/kernel.c\nM\ttasks/two/sub/part.h",
			  "git diff --name-status %s %s", box.run.base,
			  candidate.commit));
	EXPECT(box_ok(ao_tasks_load_kernel(&read, box.repo, candidate.commit,
					   box.task)));
	EXPECT(!strcmp(read.id, candidate.kernel));
	EXPECT(box_prints(read.id,
			  "git read-tree %s:tasks/two && git rm -q --cached "
			  "task.json reference.c && git write-tree",
			  candidate.commit));
	ao_kernel_release(&kernel);
	ao_kernel_release(&read);
	ao_candidate_release(&candidate);
	leave();
}

static void without_code_it_is_an_empty_change_of_the_same_kernel(void)
{
	struct ao_candidate candidate;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	runbox_candidate(&candidate, &box, box.run.base, 1);
	EXPECT(box_ok(ao_journal_add(box.journal, &candidate, NULL)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!strcmp(candidate.kernel, box.run.base_kernel));
	EXPECT(!strcmp(candidate.profile->kernel, box.run.base_kernel));
	EXPECT(box_prints("", "git diff --name-status %s %s", box.run.base,
			  candidate.commit));
	ao_candidate_release(&candidate);
	leave();
}

static void its_kernel_id_is_the_blob_and_its_time_the_commits(void)
{
	struct ao_candidate candidate;
	struct ao_kernel kernel = { 0 };
	char time_s[24];

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	runbox_candidate(&candidate, &box, box.run.base, 1);
	ao_kernel_add(&kernel, "kernel.c", "int z;\n", 7);
	EXPECT(box_ok(ao_journal_add(box.journal, &candidate, &kernel)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints(candidate.kernel, "git rev-parse %s:tasks/t/kernel.c",
			  candidate.commit));
	snprintf(time_s, sizeof(time_s), "%" PRId64,
		 candidate.time_unix_ms / 1000);
	EXPECT(box_prints(time_s, "git log -1 --format=%%ct %s",
			  candidate.commit));
	ao_kernel_release(&kernel);
	ao_candidate_release(&candidate);
	leave();
}

static void git_shows_profile_and_plan_as_notes(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("1",
			  "git notes --ref accelopt/%s/profile show %s | "
			  "grep -c '\"kind\":\"profile\".*PASSED'",
			  box.run.writer, box.last));
	EXPECT(box_prints("1",
			  "git notes --ref accelopt/%s/plan show %s | "
			  "grep -c 'tile the inner loop'",
			  box.run.writer, box.last));
	EXPECT(!box_sh("git log --graph --notes='refs/notes/accelopt/*/profile'"
		       " %s | grep -q '\"verdict\":\"PASSED\"'",
		       branch("all")));
	leave();
}

static void nothing_is_written_before_the_flush(void)
{
	char *before, *after;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	before = box_out("git for-each-ref; ls .git/objects/pack");
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(ao_journal_pending(box.journal) == 3);
	after = box_out("git for-each-ref; ls .git/objects/pack");
	EXPECT(!strcmp(before, after));
	EXPECT(box_sh("git cat-file -e %s 2>&-", box.last));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!ao_journal_pending(box.journal));
	free(before);
	free(after);
	leave();
}

static void a_flush_of_nothing_writes_nothing(void)
{
	char *before;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	before = box_out("git for-each-ref; ls .git/objects/pack");
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints(before, "git for-each-ref; ls .git/objects/pack"));
	free(before);
	leave();
}

static void a_batch_is_one_pack_and_no_loose_object(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(!box_sh("git repack -adq && git prune-packed"));
	for (unsigned i = 0; i < 20; i++) {
		char text[32];

		snprintf(text, sizeof(text), "int x%u;\n", i);
		EXPECT(runbox_add(&box, text));
	}
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("2", "ls .git/objects/pack/*.pack | wc -l"));
	EXPECT(box_prints("0", "git count-objects | cut -d' ' -f1"));
	EXPECT(box_prints("", "ls .git/objects | grep tmp"));
	leave();
}

static void a_journal_commit_has_at_most_8_parents(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	for (unsigned i = 0; i < 16; i++)
		EXPECT(runbox_add(&box, NULL));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("3 8 8 2",
			  "git log --first-parent --format=%%p %s | "
			  "awk '{ print NF }' | head -4 | "
			  "awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } "
			  "NR == 3 { c = $1 } NR == 4 { d = $1 } "
			  "END { print a, b, c, d + 1 }'",
			  branch("all")));
	EXPECT(box_prints("16",
			  "git log --no-merges --format=%%H %s ^%s | "
			  "while read c; do git log -1 --format="
			  "'%%(trailers:key=Accelopt-Attempt,valueonly)' $c; "
			  "done | grep -c '^1\\.'",
			  branch("all"), box.run.base));
	EXPECT(box_fsck());
	leave();
}

static void the_journal_names_the_notes_of_its_time(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git show %s:.accelopt/notes >tips && "
		       "git for-each-ref --format='%%(objectname) %%(refname)' "
		       "refs/notes | diff - tips",
		       branch("all")));
	leave();
}

static void a_committed_config_stays_in_the_journals_tree(void)
{
	runbox_repo();
	EXPECT(!box_sh("mkdir .accelopt && echo '[accelopt]' "
		       ">.accelopt/config && git add . && git commit -qm c"));
	EXPECT(runbox_start(&box, "t"));
	EXPECT(box_prints("A\t.accelopt/notes\nA\t.accelopt/run.json",
			  "git diff --name-status HEAD %s", branch("all")));
	leave();
}

static void a_file_where_our_folder_goes_is_named(void)
{
	runbox_repo();
	EXPECT(!box_sh("echo x >.accelopt && git add . && git commit -qm c"));
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(
		ao_journal_start(&box.journal, box.repo, &box.run, box.task),
		AO_ECONFLICT, "'.accelopt' is a file"));
	leave();
}

static void head_index_and_work_tree_are_never_touched(void)
{
	static const char look[] =
		"cat .git/HEAD .git/refs/heads/main; sha1sum .git/index; "
		"find . -path ./.git -prune -o -type f -exec sha1sum {} + | "
		"sort";
	char *before;

	runbox_repo();
	EXPECT(!box_sh("echo dirty >>tasks/t/kernel.c && echo x >new && "
		       "git add new"));
	before = box_out(look);
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(box_prints(before, look));
	free(before);
	leave();
}

static void hooks_and_signing_do_not_fire(void)
{
	runbox_repo();
	EXPECT(!box_sh("git config commit.gpgsign true && "
		       "git config gpg.program false && mkdir hooks && "
		       "git config core.hooksPath $PWD/hooks && "
		       "for h in pre-commit commit-msg post-commit "
		       "reference-transaction post-index-change; do "
		       "printf '#!/bin/sh\\ntouch %s/fired\\nexit 1\\n' "
		       ">hooks/$h; chmod +x hooks/$h; done",
		       box_root));
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(!ao_file_exists("../fired"));
	leave();
}

static void without_a_user_name_it_signs_with_its_own(void)
{
	runbox_repo();
	EXPECT(!box_sh("git config --unset user.name; "
		       "git config --unset user.email; "
		       "git config user.useConfigOnly true"));
	EXPECT(runbox_start(&box, "t"));
	EXPECT(box_prints("git accelopt <accelopt@localhost>",
			  "git log -1 --format='%%an <%%ae>' %s",
			  branch("all")));
	EXPECT(box_fsck());
	leave();
}

static void the_environment_and_accelopt_author_name_the_author(void)
{
	runbox_repo();
	EXPECT(!box_sh("git config accelopt.author 'The Bot <bot@x.org>'"));
	setenv("GIT_COMMITTER_NAME", "C O Mitter", 1);
	EXPECT(runbox_start(&box, "t"));
	EXPECT(box_prints("The Bot <bot@x.org>|C O Mitter <author@example.com>",
			  "git log -1 --format='%%an <%%ae>|%%cn <%%ce>' %s",
			  branch("all")));
	unsetenv("GIT_COMMITTER_NAME");
	leave();
}

static void a_plain_clone_carries_every_candidate(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(runbox_add(&box, NULL));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git clone -q . ../c && git -C ../c cat-file -e %s && "
		       "git -C ../c rev-parse -q --verify origin/%s >/dev/null",
		       box.last, branch("all")));
	leave();
}

static void best_points_at_the_winner_and_moves(void)
{
	char first[AO_ID_SIZE];

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	memcpy(first, box.last, AO_ID_SIZE);
	EXPECT(box_ok(ao_journal_set_best(box.journal, first)));
	EXPECT(box_prints(first, "git rev-parse %s", branch("best")));
	EXPECT(runbox_add(&box, "int y;\n"));
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(box_prints(box.last, "git rev-parse %s", branch("best")));
	leave();
}

static void best_does_not_move_while_it_is_checked_out(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(!box_sh("git worktree add -q '../a tree' %s", branch("best")));
	EXPECT(runbox_add(&box, "int y;\n"));
	EXPECT(box_fails(ao_journal_set_best(box.journal, box.last),
			 AO_ECONFLICT, "a tree"));
	EXPECT(!box_sh("git cat-file -e %s", box.last));
	leave();
}

static void a_branch_in_the_way_is_named(void)
{
	runbox_repo();
	EXPECT(!box_sh("git branch accelopt/t"));
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(
		ao_journal_start(&box.journal, box.repo, &box.run, box.task),
		AO_ECONFLICT, "'accelopt/t' is in the way"));
	leave();
}

static void a_note_in_the_way_is_named(void)
{
	runbox_repo();
	EXPECT(!box_sh("git notes --ref accelopt add -m mine"));
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(
		ao_journal_start(&box.journal, box.repo, &box.run, box.task),
		AO_ECONFLICT, "'refs/notes/accelopt' is in the way"));
	EXPECT(!box_sh("git update-ref -d refs/notes/accelopt && "
		       "git notes --ref accelopt/$(git config accelopt.writer) "
		       "add -m mine"));
	EXPECT(box_fails(
		ao_journal_start(&box.journal, box.repo, &box.run, box.task),
		AO_ECONFLICT, "' is in the way"));
	EXPECT(box_prints("", "git for-each-ref refs/heads/accelopt"));
	leave();
}

static void a_journal_that_is_checked_out_is_not_resumed(void)
{
	struct ao_journal *journal = NULL;
	struct ao_run run = { 0 };
	char *id;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	id = ao_xstrdup(box.run.id);
	EXPECT(!box_sh("git worktree add -q ../there %s", branch("all")));
	runbox_close(&box);
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(ao_journal_resume(&journal, &run, box.repo, "t", id),
			 AO_ECONFLICT, "/there'"));
	EXPECT(!box_sh("git -C ../there switch -q --detach"));
	runbox_close(&box);
	EXPECT(runbox_resume(&box, "t", id));
	free(id);
	leave();
}

/* The modes of what a flush leaves in our folder and among the packs. */
static char *modes(const char *shared)
{
	char *text;

	runbox_repo();
	EXPECT(!box_sh("rm -f .git/objects/pack/* && "
		       "git config core.sharedRepository %s",
		       shared));
	umask(077);
	EXPECT(runbox_start(&box, "t"));
	umask(022);
	text = box_out("stat -c '%%a' .git/accelopt .git/accelopt/lock "
		       ".git/accelopt/lock.turn .git/accelopt/run-*.lock "
		       ".git/objects/pack/*.pack .git/objects/pack/*.idx | "
		       "tr '\\n' ' '");
	leave();
	return text;
}

static void what_we_make_in_a_shared_repository_is_shared(void)
{
	EXPECT(box_same_and_free("2770 660 660 660 440 440 ", modes("group")));
	EXPECT(box_same_and_free("2775 664 664 664 444 444 ", modes("all")));
	EXPECT(box_same_and_free("2750 640 640 640 440 440 ", modes("0640")));
	EXPECT(box_same_and_free("700 600 600 600 400 400 ", modes("false")));
}

static void a_second_process_cannot_write_the_same_run(void)
{
	struct ao_journal *other = NULL;
	struct ao_run run = { 0 };

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(box_fails(
		ao_journal_resume(&other, &run, box.repo, "t", box.run.id),
		AO_ECONFLICT, "another process is writing"));
	ao_journal_free(other);
	leave();
}

static void a_resumed_run_goes_on_where_the_journal_ended(void)
{
	struct ao_run run = { 0 };
	char *tip;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	tip = box_out("git rev-parse %s", branch("all"));
	ao_journal_free(box.journal);
	box.journal = NULL;
	EXPECT(box_prints("", "ls .git/accelopt | grep '^run-'"));
	EXPECT(box_ok(ao_journal_resume(&box.journal, &run, box.repo, "t",
					box.run.id)));
	EXPECT(run.id && !strcmp(run.id, box.run.id));
	EXPECT(!strcmp(run.base, box.run.base));
	EXPECT(runbox_add(&box, "int y;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints(tip, "git rev-parse %s^1", branch("all")));
	EXPECT(box_prints("t",
			  "git show %s:.accelopt/run.json | sed -n "
			  "'s/.*\"task\": *\"\\(t\\)\".*/\\1/p'",
			  branch("all")));
	ao_run_release(&run);
	free(tip);
	leave();
}

static void an_unknown_run_cannot_be_resumed(void)
{
	struct ao_run run = { 0 };

	runbox_repo();
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(ao_journal_resume(&box.journal, &run, box.repo, "t",
					   "20200101T000000-00000000"),
			 AO_ENOTFOUND, "has no run"));
	EXPECT(box_fails(
		ao_journal_resume(&box.journal, &run, box.repo, "t", "../../x"),
		AO_ENOTFOUND, "not a run"));
	leave();
}

static void a_journal_that_ends_with_a_foreign_commit_is_not_resumed(void)
{
	struct ao_journal *journal = NULL;
	struct ao_run run = { 0 };
	char *id;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	id = ao_xstrdup(box.run.id);
	EXPECT(!box_sh("j=refs/heads/%s && git update-ref $j "
		       "$(git commit-tree -m mine -p $j $j^{tree})",
		       branch("all")));
	runbox_close(&box);
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(ao_journal_resume(&journal, &run, box.repo, "t", id),
			 AO_EINVALID, "is no commit of the journal"));
	free(id);
	leave();
}

static void the_run_of_another_writer_is_not_resumed(void)
{
	struct ao_run run = { 0 };
	char *id;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	id = ao_xstrdup(box.run.id);
	runbox_close(&box);
	EXPECT(!box_sh("git config accelopt.writer other"));
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(
		ao_journal_resume(&box.journal, &run, box.repo, "t", id),
		AO_ECONFLICT, "start a new run"));
	free(id);
	leave();
}

static void a_journal_that_was_moved_by_hand_is_not_written_over(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(!box_sh("git update-ref refs/heads/%s HEAD", branch("all")));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_fails(ao_journal_flush(box.journal), AO_EINVALID,
			 "was moved"));
	EXPECT(ao_journal_pending(box.journal));
	leave();
}

static void a_newer_record_and_an_insight_reach_their_commits(void)
{
	struct ao_profile profile = { .score = 1.5 };
	struct ao_insight insight = { 0 };

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	ao_record_head_init(&profile.head);
	ao_record_head_init(&insight.head);
	memcpy(insight.fast, box.last, AO_ID_SIZE);
	memcpy(insight.slow, box.run.base, AO_ID_SIZE);
	EXPECT(box_ok(
		ao_journal_add_profile(box.journal, box.run.base, &profile)));
	EXPECT(box_ok(ao_journal_add_profile(box.journal, box.last, &profile)));
	EXPECT(box_ok(ao_journal_add_insight(box.journal, &insight)));
	EXPECT(ao_journal_pending(box.journal) == 3);
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("2",
			  "git notes --ref accelopt/%s/profile show %s | wc -l",
			  box.run.writer, box.last));
	EXPECT(box_prints("1",
			  "git notes --ref accelopt/%s/profile show %s | wc -l",
			  box.run.writer, box.run.base));
	EXPECT(box_prints("1",
			  "git notes --ref accelopt/%s/insight show %s | wc -l",
			  box.run.writer, box.last));
	leave();
}

static void a_bare_repository_and_a_linked_worktree_can_be_searched(void)
{
	runbox_repo();
	EXPECT(!box_sh("git clone -q --bare . ../b.git && "
		       "git worktree add -q --detach ../wt"));
	EXPECT(!chdir("../b.git"));
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_fsck());
	runbox_close(&box);
	EXPECT(!chdir("../wt"));
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git -C ../r cat-file -e %s && "
		       "git -C ../r rev-parse -q --verify %s >/dev/null",
		       box.last, branch("all")));
	leave();
}

/* Write `attempts` attempts, each flushed; tell each commit on `fd`. */
static void write_run(int fd, unsigned attempts)
{
	struct runbox mine;

	if (!runbox_start(&mine, "t"))
		_exit(1);
	for (unsigned i = 0; i < attempts; i++) {
		char text[64];

		snprintf(text, sizeof(text), "int x%d_%u;\n", getpid(), i);
		if (!runbox_add(&mine, text) ||
		    !box_ok(ao_journal_flush(mine.journal)))
			_exit(1);
		if (dprintf(fd, "%s\n", mine.last) < 0)
			_exit(1);
	}
	runbox_close(&mine);
	_exit(0);
}

static void eight_processes_lose_nothing(void)
{
	enum { PROCESSES = 8, ATTEMPTS = 6 };
	pid_t children[PROCESSES];
	int fds[2], status;

	runbox_repo();
	fflush(stdout);
	EXPECT(!pipe(fds));
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (!children[i])
			write_run(fds[1], ATTEMPTS);
	}
	close(fds[1]);
	for (int i = 0; i < PROCESSES; i++) {
		EXPECT(waitpid(children[i], &status, 0) == children[i]);
		EXPECT(WIFEXITED(status) && !WEXITSTATUS(status));
	}
	close(fds[0]);
	EXPECT(box_prints("8", "git for-each-ref 'refs/heads/accelopt/t/*/all' "
			       "| wc -l"));
	EXPECT(box_prints("1", "git for-each-ref 'refs/notes/accelopt/*/plan' "
			       "| wc -l"));
	EXPECT(box_prints("48",
			  "git notes --ref $(git for-each-ref --format="
			  "'%%(refname)' 'refs/notes/accelopt/*/profile') list "
			  "| wc -l"));
	EXPECT(box_prints(
		"48", "git log --branches='accelopt/*' --format='%%(trailers"
		      ":key=Accelopt-Attempt,valueonly)' | grep -c '^1\\.'"));
	EXPECT(box_fsck());
	box_leave();
}

/* Kill a writing process after it has told `after` commits. */
static void kill_after(unsigned after, char *told, size_t room)
{
	int fds[2], status;
	size_t len = 0;
	pid_t child;

	fflush(stdout);
	EXPECT(!pipe(fds));
	child = fork();
	if (!child)
		write_run(fds[1], 1000);
	close(fds[1]);
	while (len < after * (size_t)AO_ID_SIZE) {
		ssize_t got = read(fds[0], told + len, room - len);

		if (got <= 0)
			break;
		len += (size_t)got;
	}
	/* In the midst of whatever it does now. */
	usleep((useconds_t)(after * 1300));
	kill(child, SIGKILL);
	EXPECT(waitpid(child, &status, 0) == child);
	while (len < room - 1) {
		ssize_t got = read(fds[0], told + len, room - 1 - len);

		if (got <= 0)
			break;
		len += (size_t)got;
	}
	told[len] = '\0';
	close(fds[0]);
}

static void after_kill_9_all_that_was_flushed_is_there_and_it_resumes(void)
{
	enum { ROUNDS = 5 };

	for (unsigned round = 1; round <= ROUNDS; round++) {
		char told[65536], *id;

		runbox_repo();
		kill_after(round, told, sizeof(told));
		EXPECT(box_fsck());
		id = box_out("git for-each-ref --format='%%(refname)' "
			     "'refs/heads/accelopt/t/*/all' | cut -d/ -f5");
		for (char *line = strtok(told, "\n"); line;
		     line = strtok(NULL, "\n"))
			EXPECT(!box_sh("git merge-base --is-ancestor %s "
				       "accelopt/t/%s/all",
				       line, id));
		EXPECT(runbox_resume(&box, "t", id));
		EXPECT(runbox_add(&box, "int after;\n"));
		EXPECT(box_ok(ao_journal_flush(box.journal)));
		EXPECT(box_fsck());
		EXPECT(box_prints("", "find .git -name '*.lock' -o -name "
				      "'tmp_*' | grep -v accelopt/"));
		free(id);
		leave();
	}
}

static void the_lock_that_a_killed_process_left_on_a_ref_is_removed(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(!box_sh("printf refs/heads/%s >.git/accelopt/swapping && "
		       "touch .git/refs/heads/%s.lock",
		       branch("all"), branch("all")));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	leave();
}

static void while_git_holds_a_ref_the_flush_waits_for_it(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(!box_sh("lock=.git/refs/heads/%s.lock; touch $lock; "
		       "{ sleep 0.3; rm $lock; } >&- 2>&- &",
		       branch("all")));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git cat-file -e %s", box.last));
	leave();
}

/*
 * Flush while the journal's ref is blocked, so that pack and notes are written
 * and the journal is not: where a crash may come.
 */
static void flush_up_to_the_notes(void)
{
	struct ao_error *err;
	char *ref = ao_xstrdup(branch("all"));

	EXPECT(!box_sh("mkdir -p .git/refs/heads/%s.lock", ref));
	err = ao_journal_flush(box.journal);
	EXPECT(err);
	ao_error_free(err);
	EXPECT(!box_sh("rmdir .git/refs/heads/%s.lock", ref));
	free(ref);
}

static void git_repacking_amid_a_flush_deletes_nothing_of_it(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	/* While the journal's ref is locked, the new pack is garbage to git. */
	EXPECT(!box_sh("git repack -adq; lock=.git/refs/heads/%s.lock; "
		       "touch $lock; { for i in $(seq 500); do "
		       "test $(ls .git/objects/pack/*.idx | wc -l) -gt 1 && "
		       "break; done; git repack -adq; git prune --expire=now; "
		       "rm $lock; } >/dev/null 2>&1 &",
		       branch("all")));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_fsck());
	EXPECT(!box_sh("git cat-file -e %s", box.last));
	EXPECT(box_prints("", "ls .git/objects/pack | grep keep"));
	leave();
}

static void what_a_failed_flush_had_written_stays_until_the_next(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	flush_up_to_the_notes();
	EXPECT(!box_sh("git repack -adq && git prune --expire=now"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git cat-file -e %s", box.last));
	EXPECT(box_fsck());
	EXPECT(box_prints("", "ls .git/objects/pack | grep keep"));
	leave();
}

static void git_keeps_no_pack_of_a_process_that_died(void)
{
	pid_t child;
	int status;

	runbox_repo();
	fflush(stdout);
	child = fork();
	if (!child) {
		if (!runbox_start(&box, "t") || !runbox_add(&box, "int x;\n"))
			_exit(1);
		flush_up_to_the_notes();
		_exit(0);
	}
	EXPECT(waitpid(child, &status, 0) == child);
	EXPECT(!status);
	EXPECT(!box_sh("ls .git/objects/pack | grep -q keep"));
	EXPECT(!box_sh("touch .git/objects/pack/pack-1.keep; "
		       "echo mine >.git/objects/pack/pack-2.keep"));
	EXPECT(runbox_start(&box, "t"));
	EXPECT(box_prints("pack-1.keep\npack-2.keep",
			  "ls .git/objects/pack | grep keep"));
	leave();
}

static void the_pack_of_a_process_that_lives_stays_kept(void)
{
	struct runbox other;
	char *before;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	flush_up_to_the_notes();
	before = box_out("ls .git/objects/pack | grep keep");
	EXPECT(*before);
	EXPECT(runbox_start(&other, "t"));
	EXPECT(box_prints(before, "ls .git/objects/pack | grep keep"));
	runbox_close(&other);
	free(before);
	leave();
}

/* What `git pack-refs` does with folders that it empties, over and over. */
static void remove_empty_folders(void)
{
	for (;;) {
		rmdir(".git/refs/heads/accelopt/t/run");
		rmdir(".git/refs/heads/accelopt/t");
		rmdir(".git/refs/heads/accelopt");
		usleep(5000);
	}
}

static void a_ref_is_made_though_git_removes_its_empty_folder(void)
{
	enum { ROUNDS = 200 };
	static const char ref[] = "refs/heads/accelopt/t/run/all";
	struct ao_guard *guard = NULL;
	struct ao_error *err = NULL;
	unsigned round;
	git_oid to;
	pid_t child;

	runbox_repo();
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_ok(ao_git_id(&to, box.run.base)));
	EXPECT(box_ok(ao_guard_take(&guard, box.repo)));
	fflush(stdout);
	child = fork();
	if (!child)
		remove_empty_folders();
	for (round = 0; round < ROUNDS && !err; round++) {
		err = ao_refs_swap(guard, box.repo, ref, NULL, &to, "test");
		unlink(".git/refs/heads/accelopt/t/run/all");
	}
	kill(child, SIGKILL);
	EXPECT(waitpid(child, NULL, 0) == child);
	EXPECT(box_ok(err));
	ao_guard_free(guard);
	leave();
}

static void on_signal(int number)
{
	(void)number;
}

static void an_interrupt_does_not_keep_a_flush_from_its_end(void)
{
	struct itimerval often = { { 0, 20000 }, { 0, 20000 } }, never = { 0 };
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct ao_lock *lock = NULL;
	int status;
	pid_t child;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	fflush(stdout);
	child = fork();
	if (!child) {
		if (!box_ok(ao_lock_take(&lock, ".git/accelopt/lock",
					 AO_LOCK_EXCLUSIVE, 1000)))
			_exit(1);
		EXPECT(!box_sh("touch ../held"));
		usleep(300000);
		_exit(0);
	}
	while (!ao_file_exists("../held"))
		usleep(1000);
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &often, NULL);
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	EXPECT(waitpid(child, &status, 0) == child);
	EXPECT(!box_sh("git cat-file -e %s", box.last));
	leave();
}

static void a_note_that_git_adds_meanwhile_is_kept(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git notes --ref accelopt/%s/profile append "
		       "-m 'a remark' %s",
		       box.run.writer, box.last));
	EXPECT(runbox_add(&box, "int y;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("a remark",
			  "git notes --ref accelopt/%s/profile show %s^ | "
			  "tail -1",
			  box.run.writer, box.last));
	EXPECT(box_prints("2",
			  "git notes --ref accelopt/%s/profile list | wc -l",
			  box.run.writer));
	leave();
}

static void what_a_failed_flush_had_written_is_not_doubled_by_the_next(void)
{
	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	flush_up_to_the_notes();
	EXPECT(ao_journal_pending(box.journal) == 3);
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("1",
			  "git notes --ref accelopt/%s/profile show %s | wc -l",
			  box.run.writer, box.last));
	EXPECT(box_prints("1",
			  "git rev-list --count refs/notes/accelopt/%s/"
			  "profile",
			  box.run.writer));
	EXPECT(box_fsck());
	leave();
}

static void after_a_crash_between_notes_and_journal_the_attempt_is_redone(void)
{
	char *id;

	runbox_repo();
	EXPECT(runbox_start(&box, "t"));
	EXPECT(runbox_add(&box, "int x;\n"));
	flush_up_to_the_notes();
	id = ao_xstrdup(box.run.id);
	runbox_close(&box);
	EXPECT(runbox_resume(&box, "t", id));
	EXPECT(runbox_add(&box, "int again;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(box_prints("1",
			  "git log --format='%%(trailers:key=Accelopt-Attempt,"
			  "valueonly)' %s | grep -c '^1\\.1$'",
			  branch("all")));
	EXPECT(box_prints("int again;", "git show %s:tasks/t/kernel.c",
			  box.last));
	EXPECT(box_fsck());
	free(id);
	leave();
}

/* In a child, as the limit on file sizes cannot be lifted again. */
static void flush_on_a_full_disk(void)
{
	struct rlimit full = { 2048, RLIM_INFINITY }, free_again;
	struct ao_error *err;

	if (!runbox_start(&box, "t"))
		_exit(1);
	for (unsigned i = 0; i < 200; i++) {
		char text[64];

		snprintf(text, sizeof(text), "int x%u_%u;\n", i, i * 7919);
		if (!runbox_add(&box, text))
			_exit(2);
	}
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &free_again);
	setrlimit(RLIMIT_FSIZE, &full);
	err = ao_journal_flush(box.journal);
	if (!err || ao_journal_pending(box.journal) != 600)
		_exit(3);
	ao_error_free(err);
	setrlimit(RLIMIT_FSIZE, &free_again);
	if (!box_fsck())
		_exit(4);
	_exit(box_ok(ao_journal_flush(box.journal)) ? 0 : 5);
}

static void a_full_disk_is_an_error_after_which_a_retry_works(void)
{
	int status;
	pid_t child;

	runbox_repo();
	fflush(stdout);
	child = fork();
	if (!child)
		flush_on_a_full_disk();
	EXPECT(waitpid(child, &status, 0) == child);
	EXPECT(WIFEXITED(status));
	EXPECT(WEXITSTATUS(status) == 0);
	EXPECT(box_fsck());
	EXPECT(box_prints(
		"200", "git log --branches='accelopt/*' --format='%%(trailers"
		       ":key=Accelopt-Attempt,valueonly)' | grep -c '^1\\.'"));
	box_leave();
}

static void a_repository_that_cannot_be_written_says_so(void)
{
	runbox_repo();
	/* Also root cannot make a folder where a file is. */
	EXPECT(!box_sh("touch .git/accelopt"));
	EXPECT(runbox_open(&box, "t"));
	EXPECT(box_fails(
		ao_journal_start(&box.journal, box.repo, &box.run, box.task),
		AO_EIO, "cannot lock the repository"));
	leave();
}

int main(void)
{
	RUN(a_started_run_has_a_journal_on_its_baseline_at_once);
	RUN(its_message_keeps_build_servers_away);
	RUN(a_candidate_changes_the_kernel_alone);
	RUN(several_kernel_files_go_to_their_places);
	RUN(without_code_it_is_an_empty_change_of_the_same_kernel);
	RUN(its_kernel_id_is_the_blob_and_its_time_the_commits);
	RUN(git_shows_profile_and_plan_as_notes);
	RUN(nothing_is_written_before_the_flush);
	RUN(a_flush_of_nothing_writes_nothing);
	RUN(a_batch_is_one_pack_and_no_loose_object);
	RUN(a_journal_commit_has_at_most_8_parents);
	RUN(the_journal_names_the_notes_of_its_time);
	RUN(a_committed_config_stays_in_the_journals_tree);
	RUN(a_file_where_our_folder_goes_is_named);
	RUN(head_index_and_work_tree_are_never_touched);
	RUN(hooks_and_signing_do_not_fire);
	RUN(without_a_user_name_it_signs_with_its_own);
	RUN(the_environment_and_accelopt_author_name_the_author);
	RUN(a_plain_clone_carries_every_candidate);
	RUN(best_points_at_the_winner_and_moves);
	RUN(best_does_not_move_while_it_is_checked_out);
	RUN(a_branch_in_the_way_is_named);
	RUN(a_note_in_the_way_is_named);
	RUN(a_journal_that_is_checked_out_is_not_resumed);
	RUN(what_we_make_in_a_shared_repository_is_shared);
	RUN(a_second_process_cannot_write_the_same_run);
	RUN(a_resumed_run_goes_on_where_the_journal_ended);
	RUN(an_unknown_run_cannot_be_resumed);
	RUN(a_journal_that_ends_with_a_foreign_commit_is_not_resumed);
	RUN(the_run_of_another_writer_is_not_resumed);
	RUN(a_journal_that_was_moved_by_hand_is_not_written_over);
	RUN(a_newer_record_and_an_insight_reach_their_commits);
	RUN(a_bare_repository_and_a_linked_worktree_can_be_searched);
	RUN(eight_processes_lose_nothing);
	RUN(after_kill_9_all_that_was_flushed_is_there_and_it_resumes);
	RUN(the_lock_that_a_killed_process_left_on_a_ref_is_removed);
	RUN(while_git_holds_a_ref_the_flush_waits_for_it);
	RUN(git_repacking_amid_a_flush_deletes_nothing_of_it);
	RUN(what_a_failed_flush_had_written_stays_until_the_next);
	RUN(git_keeps_no_pack_of_a_process_that_died);
	RUN(the_pack_of_a_process_that_lives_stays_kept);
	RUN(a_ref_is_made_though_git_removes_its_empty_folder);
	RUN(an_interrupt_does_not_keep_a_flush_from_its_end);
	RUN(a_note_that_git_adds_meanwhile_is_kept);
	RUN(what_a_failed_flush_had_written_is_not_doubled_by_the_next);
	RUN(after_a_crash_between_notes_and_journal_the_attempt_is_redone);
	RUN(a_full_disk_is_an_error_after_which_a_retry_works);
	RUN(a_repository_that_cannot_be_written_says_so);
	return tap_done();
}
