/* SPDX-License-Identifier: MIT */
#include "histbox.h"

static const struct ao_history_options all = { .task = NULL };
static struct runbox box;
static struct ao_history history;

/* A run of task "t" with `count` attempts, written. */
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
	ao_history_release(&history);
	runbox_close(&box);
	box_leave();
}

/* The ref of a kind of notes of this clone, in a buffer of ours. */
static const char *notes(const char *kind)
{
	static char name[256];

	snprintf(name, sizeof(name), "refs/notes/accelopt/%s/%s",
		 box.run.writer, kind);
	return name;
}

/* The attempt of that number in the first run, counted from 1. */
static const struct ao_candidate *attempt(size_t number)
{
	static const struct ao_candidate none;

	if (!history.run_count || number > history.runs[0].candidate_count)
		return &none;
	return &history.runs[0].candidates[number - 1];
}

static bool has_profile(size_t number)
{
	return attempt(number)->profile != NULL;
}

static void a_repository_without_runs_has_no_history(void)
{
	box_enter();
	EXPECT(!box_sh("git init -q -b main r"));
	EXPECT(!chdir("r"));
	EXPECT(hist_load(&history, &all));
	EXPECT(!history.run_count && !history.insight_count);
	EXPECT(!history.lacks_notes && !history.is_incomplete);
	leave();
}

static void attempts_come_in_order_with_their_records(void)
{
	begin(9);
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1);
	EXPECT(history.runs[0].candidate_count == 9);
	for (size_t i = 1; i <= 9; i++) {
		EXPECT(attempt(i)->message.attempt.number == i);
		EXPECT(ao_candidate_verdict(attempt(i)) == AO_VERDICT_PASSED);
		EXPECT(attempt(i)->plan &&
		       !strcmp(attempt(i)->plan->title, "tile the inner loop"));
		EXPECT(!strcmp(attempt(i)->parent,
			       i == 1 ? box.run.base : attempt(i - 1)->commit));
	}
	EXPECT(!strcmp(attempt(9)->commit, box.last));
	EXPECT(box_prints(attempt(9)->kernel,
			  "git rev-parse %s:tasks/t/kernel.c", box.last));
	EXPECT(!history.lacks_notes && !history.is_incomplete);
	leave();
}

static void a_task_of_several_files_has_their_tree_as_kernel(void)
{
	struct ao_kernel kernel = { 0 };

	runbox_repo();
	EXPECT(runbox_start(&box, "two"));
	EXPECT(runbox_add(&box, NULL));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(hist_load(&history, &all));
	EXPECT(box_ok(
		ao_tasks_load_kernel(&kernel, box.repo, box.last, box.task)));
	EXPECT(*kernel.id && !strcmp(attempt(1)->kernel, kernel.id));
	ao_kernel_release(&kernel);
	leave();
}

static void runs_can_be_chosen_by_task_and_id(void)
{
	struct runbox other;
	struct ao_history_options options = { .task = "two" };

	begin(2);
	EXPECT(runbox_start(&other, "two"));
	EXPECT(runbox_add(&other, NULL));
	EXPECT(box_ok(ao_journal_flush(other.journal)));
	EXPECT(hist_load(&history, &all) && history.run_count == 2);
	ao_history_release(&history);
	EXPECT(hist_load(&history, &options));
	EXPECT(history.run_count == 1 &&
	       !strcmp(history.runs[0].run.task, "two"));
	ao_history_release(&history);
	options = (struct ao_history_options){ .run = box.run.id };
	EXPECT(hist_load(&history, &options));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	runbox_close(&other);
	leave();
}

static void the_winner_is_where_its_branch_points(void)
{
	begin(2);
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(hist_load(&history, &all));
	EXPECT(!strcmp(history.runs[0].best, box.last));
	leave();
}

static void a_commit_is_found_with_its_run(void)
{
	const struct ao_history_run *run = NULL;
	const struct ao_candidate *found;

	begin(3);
	EXPECT(hist_load(&history, &all));
	found = ao_history_find(&history, box.last, &run);
	EXPECT(found == attempt(3) && run == &history.runs[0]);
	EXPECT(!ao_history_find(&history, box.run.base, NULL));
	EXPECT(!ao_history_find(&history, "", NULL));
	leave();
}

static void what_was_added_since_is_found_too(void)
{
	struct ao_history_run *run;

	begin(2);
	EXPECT(hist_load(&history, &all));
	run = &history.runs[0];
	run->candidates = ao_xrealloc(run->candidates,
				      3 * sizeof(*run->candidates));
	run->candidates[2] = (struct ao_candidate){ 0 };
	memset(run->candidates[2].commit, 'a', AO_ID_SIZE - 1);
	run->candidate_count = 3;
	EXPECT(ao_history_find(&history, run->candidates[2].commit, NULL) ==
	       &run->candidates[2]);
	EXPECT(ao_history_find(&history, box.last, NULL) ==
	       &run->candidates[1]);
	leave();
}

static void the_baseline_has_its_profile(void)
{
	struct ao_profile profile = { 0 };

	begin(1);
	ao_record_head_init(&profile.head);
	memcpy(profile.kernel, box.run.base_kernel, AO_ID_SIZE);
	memcpy(profile.task, box.run.task_id, AO_ID_SIZE);
	profile.result.verdict = AO_VERDICT_PASSED;
	EXPECT(box_ok(
		ao_journal_add_profile(box.journal, box.run.base, &profile)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.runs[0].baseline &&
	       !strcmp(history.runs[0].baseline->head.id, profile.head.id));
	leave();
}

/* Add a profile of the last attempt's kernel that replaces `replaces`. */
static struct ao_record_head add_profile(int64_t time_unix_ms,
					 const char *replaces)
{
	struct ao_profile profile = { 0 };
	struct ao_kernel kernel = { 0 };

	EXPECT(box_ok(ao_journal_flush(box.journal)));
	ao_record_head_init(&profile.head);
	profile.head.time_unix_ms = time_unix_ms;
	snprintf(profile.head.replaces, sizeof(profile.head.replaces), "%s",
		 replaces);
	EXPECT(box_ok(
		ao_tasks_load_kernel(&kernel, box.repo, box.last, box.task)));
	memcpy(profile.kernel, kernel.id, AO_ID_SIZE);
	memcpy(profile.task, box.run.task_id, AO_ID_SIZE);
	profile.result.verdict = AO_VERDICT_TIMEOUT;
	EXPECT(box_ok(ao_journal_add_profile(box.journal, box.last, &profile)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	ao_kernel_release(&kernel);
	return profile.head;
}

static void the_newest_record_counts(void)
{
	struct ao_record_head newer;

	begin(1);
	add_profile(1000, "");
	newer = add_profile(INT64_C(4000000000000), "");
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) &&
	       !strcmp(attempt(1)->profile->head.id, newer.id));
	leave();
}

static void a_replaced_record_does_not_count_though_newer(void)
{
	struct ao_record_head newer, older;

	begin(1);
	newer = add_profile(INT64_C(4000000000000), "");
	older = add_profile(INT64_C(3900000000000), newer.id);
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) &&
	       !strcmp(attempt(1)->profile->head.id, older.id));
	leave();
}

static void a_record_about_another_kernel_does_not_count(void)
{
	begin(2);
	/* The newer note of the second attempt, on the first one, too. */
	EXPECT(!box_sh("git notes --ref %s append -C $(git notes --ref %s "
		       "list %s) %s^",
		       notes("profile"), notes("profile"), box.last, box.last));
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) && has_profile(2));
	EXPECT(has_profile(1) &&
	       !strcmp(attempt(1)->profile->kernel, attempt(1)->kernel));
	EXPECT(strcmp(attempt(1)->kernel, attempt(2)->kernel) != 0);
	leave();
}

static void a_record_on_another_commit_is_found_by_its_kernel(void)
{
	begin(2);
	/* As after an amend, that took the notes along. */
	EXPECT(!box_sh("c=$(git commit-tree -m x %s^{tree}) && "
		       "git notes --ref %s copy %s $c && "
		       "git notes --ref %s remove %s 2>/dev/null",
		       box.last, notes("profile"), box.last, notes("profile"),
		       box.last));
	EXPECT(!box_sh("c=$(git commit-tree -m x %s^{tree}) && "
		       "git notes --ref %s copy %s $c && "
		       "git notes --ref %s remove %s 2>/dev/null",
		       box.last, notes("plan"), box.last, notes("plan"),
		       box.last));
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(2));
	EXPECT(attempt(2)->plan != NULL);
	leave();
}

static void records_of_another_task_do_not_count(void)
{
	struct ao_profile profile = { 0 };
	struct ao_record_head own;

	begin(1);
	own = add_profile(1000, "");
	ao_record_head_init(&profile.head);
	profile.head.time_unix_ms = INT64_C(4000000000000);
	memset(profile.task, 'a', AO_ID_SIZE - 1);
	EXPECT(hist_load(&history, &all));
	memcpy(profile.kernel, attempt(1)->kernel, AO_ID_SIZE);
	EXPECT(box_ok(ao_journal_add_profile(box.journal, box.last, &profile)));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	ao_history_release(&history);
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) &&
	       strcmp(attempt(1)->profile->head.id, profile.head.id) != 0);
	EXPECT(has_profile(1) &&
	       strcmp(attempt(1)->profile->head.id, own.id) != 0);
	leave();
}

static void lines_that_are_no_records_are_passed_over(void)
{
	begin(1);
	EXPECT(!box_sh("git notes --ref %s append -m 'Reviewed: yes' "
		       "-m '{\"time\":\"x\",\"v\":9}' -m '{' %s",
		       notes("profile"), box.last));
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1));
	EXPECT(!history.is_incomplete);
	leave();
}

/* Lay out the profile notes anew: a sed command edits `git ls-tree -r`. */
static void lay_out(const char *sed)
{
	EXPECT(!box_sh(
		"export GIT_INDEX_FILE=$PWD/../index && rm -f ../index && "
		"git ls-tree -r %s | sed '%s' | git update-index --add "
		"--index-info && git update-ref %s "
		"$(git commit-tree -m anew $(git write-tree))",
		notes("profile"), sed, notes("profile")));
}

static void flat_notes_are_read(void)
{
	begin(3);
	lay_out("s,\\t\\(..\\)/,\\t\\1,");
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) && has_profile(2) && has_profile(3));
	leave();
}

static void deep_notes_are_read(void)
{
	begin(3);
	lay_out("s,\\t\\(..\\)/\\(..\\)\\(..\\),\\t\\1/\\2/\\3/,");
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) && has_profile(2) && has_profile(3));
	leave();
}

static void what_is_not_a_note_is_passed_over(void)
{
	begin(3);
	lay_out("p;s,\\t\\(..\\)/..,\\t\\1/zz,;p;s,\\t.*,\\tREADME,");
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) && has_profile(2) && has_profile(3));
	EXPECT(!history.is_incomplete);
	leave();
}

/* Whether the history is said to be incomplete, with these words. */
static bool is_incomplete_as(const char *text)
{
	bool is_so = history.is_incomplete && history.incomplete_why &&
		     strstr(history.incomplete_why, text);

	if (!is_so)
		printf("# expected: %s\n# got: %s\n", text,
		       history.incomplete_why ? history.incomplete_why : "-");
	return is_so;
}

static void a_branch_that_is_no_journal_is_passed_over_and_named(void)
{
	begin(1);
	EXPECT(!box_sh("git branch accelopt/t/20200101T000000-00000000/all && "
		       "git branch accelopt/t/20200101T000000-00000000/best && "
		       "git branch accelopt/notes"));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1);
	EXPECT(is_incomplete_as("'accelopt/t/20200101T000000-00000000/all'"));
	leave();
}

static void what_a_remote_knows_counts_where_the_own_branch_was_moved(void)
{
	begin(2);
	EXPECT(!box_sh("git update-ref refs/remotes/o/accelopt/t/%s/all "
		       "accelopt/t/%s/all && git branch -f accelopt/t/%s/all "
		       "main",
		       box.run.id, box.run.id, box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	EXPECT(is_incomplete_as("is no journal commit"));
	leave();
}

static void a_commit_on_top_of_a_journal_hides_nothing(void)
{
	begin(2);
	EXPECT(!box_sh("j=refs/heads/accelopt/t/%s/all && git update-ref $j "
		       "$(git commit-tree -m mine -p $j $j^{tree})",
		       box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	EXPECT(!history.is_incomplete);
	leave();
}

static void a_journal_commit_that_was_amended_hides_nothing(void)
{
	begin(2);
	EXPECT(!box_sh("git checkout -q accelopt/t/%s/all && git commit -q "
		       "--amend -m mine && git checkout -q main",
		       box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	EXPECT(!history.is_incomplete);
	leave();
}

static void a_journal_that_does_not_lead_to_its_base_is_incomplete(void)
{
	begin(2);
	EXPECT(!box_sh("j=refs/heads/accelopt/t/%s/all && git update-ref $j "
		       "$(git commit-tree -m mine $j^{tree})",
		       box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && !history.runs[0].candidate_count);
	EXPECT(is_incomplete_as("does not lead to its base"));
	leave();
}

static void a_base_that_has_another_id_now_still_ends_the_journal(void)
{
	begin(1);
	/* As if all of history was rewritten, and run.json was not. */
	EXPECT(!box_sh("j=refs/heads/accelopt/t/%s/all && b=$(git commit-tree "
		       "-m other $j~2^{tree}) && s=$(git log -1 --format=%%B "
		       "$j^ | git commit-tree -p $b $j^{tree}) && git "
		       "update-ref $j $(git log -1 --format=%%B $j | git "
		       "commit-tree -p $s -p $j^2 $j^{tree})",
		       box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 1);
	EXPECT(!history.is_incomplete);
	leave();
}

static void a_run_of_a_newer_version_is_named_as_such(void)
{
	begin(1);
	EXPECT(!box_sh("j=accelopt/t/%s/all && git worktree add -q --detach "
		       "../w $j && cd ../w && sed -i 's/\"v\": *1/\"v\":2/' "
		       ".accelopt/run.json && git commit -qam 'x' && git "
		       "update-ref refs/heads/$j HEAD",
		       box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(is_incomplete_as("needs a newer git accelopt"));
	EXPECT(!history.incomplete_why ||
	       !strstr(history.incomplete_why, "fsck"));
	leave();
}

static void a_ref_whose_file_is_broken_is_named(void)
{
	begin(1);
	EXPECT(!box_sh("echo garbage >.git/refs/heads/accelopt/t/%s/all && "
		       "touch .git/refs/heads/accelopt/t/%s/all.lock && "
		       "echo garbage >.git/refs/heads/accelopt/mine",
		       box.run.id, box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(!history.run_count);
	EXPECT(is_incomplete_as(box.run.id));
	EXPECT(is_incomplete_as("is broken; "));
	EXPECT(!history.incomplete_why ||
	       !strstr(history.incomplete_why, "others"));
	leave();
}

static void packed_refs_and_those_in_files_make_one_history(void)
{
	begin(1);
	EXPECT(!box_sh("git pack-refs --all"));
	EXPECT(runbox_add(&box, "int more;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	EXPECT(!strcmp(history.runs[0].run.id, box.run.id));
	EXPECT(has_profile(1) && has_profile(2) && !history.is_incomplete);
	leave();
}

static void what_others_merged_into_a_journal_is_passed_over(void)
{
	begin(1);
	EXPECT(!box_sh("j=accelopt/t/%s/all && git update-ref refs/heads/$j "
		       "$(printf 'x\\n\\nAccelopt-Run: %s\\n' | git "
		       "commit-tree -p $j -p main $j^{tree})",
		       box.run.id, box.run.id));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 1);
	leave();
}

static void a_plain_clone_has_the_attempts_and_lacks_notes(void)
{
	begin(2);
	EXPECT(box_ok(ao_journal_set_best(box.journal, box.last)));
	EXPECT(!box_sh("git clone -q . ../clone"));
	EXPECT(!chdir("../clone"));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && history.runs[0].is_remote);
	EXPECT(history.runs[0].candidate_count == 2);
	EXPECT(!strcmp(history.runs[0].best, box.last));
	EXPECT(!has_profile(1));
	EXPECT(history.lacks_notes && !history.is_incomplete);
	leave();
}

static void fetched_notes_count_like_our_own(void)
{
	begin(2);
	EXPECT(!box_sh("git clone -q . ../clone && cd ../clone && git fetch -q "
		       "origin 'refs/notes/accelopt/*:"
		       "refs/notes/remotes/origin/accelopt/*'"));
	EXPECT(!chdir("../clone"));
	EXPECT(hist_load(&history, &all));
	EXPECT(has_profile(1) && has_profile(2));
	EXPECT(!history.lacks_notes);
	leave();
}

static void what_two_remotes_know_of_a_run_adds_up(void)
{
	begin(1);
	EXPECT(!box_sh("git clone -q . ../clone && cd ../clone && git branch "
		       "accelopt/t/%s/all origin/accelopt/t/%s/all",
		       box.run.id, box.run.id));
	EXPECT(runbox_add(&box, "int more;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!chdir("../clone") && !box_sh("git fetch -q"));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1 && !history.runs[0].is_remote);
	EXPECT(history.runs[0].candidate_count == 2);
	leave();
}

static void a_shallow_clone_says_that_it_is_incomplete(void)
{
	begin(2);
	EXPECT(runbox_add(&box, "int more;\n"));
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(!box_sh("git clone -q --depth 1 --no-single-branch "
		       "\"file://$PWD\" ../clone"));
	EXPECT(!chdir("../clone"));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.is_incomplete);
	EXPECT(history.incomplete_why &&
	       strstr(history.incomplete_why, "shallow") &&
	       strstr(history.incomplete_why, "--unshallow"));
	EXPECT(history.run_count == 1);
	leave();
}

static void a_shallow_clone_without_the_branches_says_so_too(void)
{
	begin(1);
	EXPECT(!box_sh("git clone -q --depth 1 \"file://$PWD\" ../clone"));
	EXPECT(!chdir("../clone"));
	EXPECT(hist_load(&history, &all));
	EXPECT(!history.run_count);
	EXPECT(is_incomplete_as("this is a shallow clone"));
	ao_history_release(&history);
	EXPECT(!box_sh("git fetch -q origin \"+refs/heads/accelopt/*:"
		       "refs/remotes/origin/accelopt/*\""));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.run_count == 1);
	leave();
}

static void a_partial_clone_says_that_it_is_incomplete(void)
{
	begin(2);
	EXPECT(!box_sh("git config uploadpack.allowFilter true && git clone -q "
		       "--bare --filter=blob:none \"file://$PWD\" ../clone"));
	EXPECT(!chdir("../clone"));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.is_incomplete);
	EXPECT(history.incomplete_why &&
	       strstr(history.incomplete_why, "partial"));
	leave();
}

static void a_missing_object_says_that_it_is_incomplete(void)
{
	begin(3);
	/* All objects loose, then without the second attempt. */
	EXPECT(!box_sh(
		"mkdir ../p && mv .git/objects/pack/*.pack ../p && rm -f "
		".git/objects/pack/* && for p in ../p/*.pack; do git "
		"unpack-objects -q <$p; done && c=$(git rev-parse %s^) && "
		"rm -f .git/objects/$(echo $c | cut -c1-2)/$(echo $c | "
		"cut -c3-)",
		box.last));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.is_incomplete);
	EXPECT(history.incomplete_why &&
	       strstr(history.incomplete_why, "git fsck"));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	leave();
}

static void as_of_an_earlier_time_what_came_later_is_unknown(void)
{
	struct ao_history_options options = { .as_of = NULL };
	struct runbox other;
	char *tip;

	begin(2);
	tip = box_out("git rev-parse accelopt/t/%s/all", box.run.id);
	EXPECT(runbox_add(&box, "int later;\n"));
	add_profile(INT64_C(4000000000000), "");
	EXPECT(runbox_start(&other, "two"));
	EXPECT(runbox_add(&other, NULL));
	EXPECT(box_ok(ao_journal_flush(other.journal)));
	options.as_of = tip;
	EXPECT(hist_load(&history, &options));
	EXPECT(history.run_count == 1 && history.runs[0].candidate_count == 2);
	EXPECT(has_profile(2));
	EXPECT(!strcmp(history.runs[0].tip, tip));
	runbox_close(&other);
	free(tip);
	leave();
}

static void as_of_needs_a_journal_commit(void)
{
	const struct ao_history_options main_branch = { .as_of = "main" };
	const struct ao_history_options none = { .as_of = "nowhere" };

	begin(1);
	EXPECT(box_fails(ao_history_load(&history, box.repo, &main_branch),
			 AO_EINVALID, "is not a commit of a run's journal"));
	EXPECT(box_fails(ao_history_load(&history, box.repo, &none),
			 AO_ENOTFOUND, "nowhere"));
	leave();
}

static void insights_come_oldest_first_and_without_replaced_ones(void)
{
	struct ao_insight insight = { .task = (char[]){ "t" },
				      .title = (char[]){ "first" } };
	char old_id[AO_RECORD_ID_SIZE];

	begin(2);
	insight.run = box.run.id;
	memcpy(insight.fast, box.last, AO_ID_SIZE);
	for (int i = 0; i < 3; i++) {
		ao_record_head_init(&insight.head);
		insight.head.time_unix_ms = 3000 - 1000 * i;
		if (i == 2)
			memcpy(insight.head.replaces, old_id, sizeof(old_id));
		memcpy(old_id, insight.head.id, sizeof(old_id));
		insight.title[0] = (char)('a' + i);
		EXPECT(box_ok(ao_journal_add_insight(box.journal, &insight)));
	}
	EXPECT(box_ok(ao_journal_flush(box.journal)));
	EXPECT(hist_load(&history, &all));
	EXPECT(history.insight_count == 2);
	EXPECT(history.insight_count == 2 &&
	       history.insights[0].title[0] == 'c' &&
	       history.insights[1].title[0] == 'a');
	leave();
}

static void in_brief_attempts_come_without_their_long_texts(void)
{
	const struct ao_history_options brief = { .is_brief = true };

	begin(1);
	EXPECT(hist_load(&history, &brief));
	EXPECT(!attempt(1)->message.plan && has_profile(1) &&
	       !attempt(1)->profile->result.flags);
	ao_history_release(&history);
	EXPECT(hist_load(&history, &all));
	EXPECT(attempt(1)->message.plan && has_profile(1) &&
	       attempt(1)->profile->result.flags);
	leave();
}

static void linked_worktrees_see_the_same(void)
{
	char *here, *there;

	begin(2);
	here = hist_read(&all);
	EXPECT(!box_sh("git worktree add -q ../tree") && !chdir("../tree"));
	there = hist_read(&all);
	EXPECT(!strcmp(here, there));
	free(here);
	free(there);
	leave();
}

int main(void)
{
	RUN(a_repository_without_runs_has_no_history);
	RUN(attempts_come_in_order_with_their_records);
	RUN(a_task_of_several_files_has_their_tree_as_kernel);
	RUN(runs_can_be_chosen_by_task_and_id);
	RUN(the_winner_is_where_its_branch_points);
	RUN(a_commit_is_found_with_its_run);
	RUN(what_was_added_since_is_found_too);
	RUN(the_baseline_has_its_profile);
	RUN(the_newest_record_counts);
	RUN(a_replaced_record_does_not_count_though_newer);
	RUN(a_record_about_another_kernel_does_not_count);
	RUN(a_record_on_another_commit_is_found_by_its_kernel);
	RUN(records_of_another_task_do_not_count);
	RUN(lines_that_are_no_records_are_passed_over);
	RUN(flat_notes_are_read);
	RUN(deep_notes_are_read);
	RUN(what_is_not_a_note_is_passed_over);
	RUN(a_branch_that_is_no_journal_is_passed_over_and_named);
	RUN(what_a_remote_knows_counts_where_the_own_branch_was_moved);
	RUN(a_commit_on_top_of_a_journal_hides_nothing);
	RUN(a_journal_commit_that_was_amended_hides_nothing);
	RUN(a_journal_that_does_not_lead_to_its_base_is_incomplete);
	RUN(a_base_that_has_another_id_now_still_ends_the_journal);
	RUN(a_run_of_a_newer_version_is_named_as_such);
	RUN(a_ref_whose_file_is_broken_is_named);
	RUN(packed_refs_and_those_in_files_make_one_history);
	RUN(what_others_merged_into_a_journal_is_passed_over);
	RUN(a_plain_clone_has_the_attempts_and_lacks_notes);
	RUN(fetched_notes_count_like_our_own);
	RUN(what_two_remotes_know_of_a_run_adds_up);
	RUN(a_shallow_clone_says_that_it_is_incomplete);
	RUN(a_shallow_clone_without_the_branches_says_so_too);
	RUN(a_partial_clone_says_that_it_is_incomplete);
	RUN(a_missing_object_says_that_it_is_incomplete);
	RUN(as_of_an_earlier_time_what_came_later_is_unknown);
	RUN(as_of_needs_a_journal_commit);
	RUN(insights_come_oldest_first_and_without_replaced_ones);
	RUN(in_brief_attempts_come_without_their_long_texts);
	RUN(linked_worktrees_see_the_same);
	return tap_done();
}
