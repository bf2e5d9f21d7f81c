/* SPDX-License-Identifier: MIT */
#include "gitbox.h"
#include "tap.h"

#include "store/install.h"

#define A "tasks/silu/task.json"
#define B "tasks/silu/sub folder/k\303\266rnel.c"

static char path_a[] = A, path_b[] = B;
static char text_a[] = "{ }\n", text_b[] = "int a;\nint b;\n";
static const struct ao_install_file files[] = {
	{ .path = path_a, .data = text_a, .len = sizeof(text_a) - 1 },
	{ .path = path_b, .data = text_b, .len = sizeof(text_b) - 1 },
};

static char commit[AO_ID_SIZE];

/* Install both files into the repository that we are in. */
static struct ao_error *install(void)
{
	struct ao_repo *repo = NULL;
	struct ao_error *err = ao_repo_open(&repo);

	commit[0] = 'x';
	if (!err)
		err = ao_install(commit, repo, files, 2, "init: add tasks\n");
	ao_repo_free(repo);
	return err;
}

static void files_are_committed_on_head_and_checked_out(void)
{
	char *before;

	box_enter();
	box_repo("r");
	before = box_out("git rev-parse HEAD");
	EXPECT(box_ok(install()));
	EXPECT(box_prints(commit, "git rev-parse HEAD"));
	EXPECT(box_prints(before, "git rev-parse HEAD^"));
	EXPECT(box_prints("A\t" B "\nA\t" A,
			  "git -c core.quotePath=false diff --name-status "
			  "HEAD^ HEAD"));
	EXPECT(box_prints("", "git status --porcelain"));
	EXPECT(box_prints("", "git diff-files; git diff-index --cached HEAD"));
	EXPECT(box_prints("int a;\nint b;", "cat '" B "'"));
	EXPECT(box_prints("", "git fsck --strict --no-dangling 2>&1"));
	free(before);
	box_leave();
}

static void a_second_time_there_is_nothing_to_commit(void)
{
	char *before;

	box_enter();
	box_repo("r");
	EXPECT(box_ok(install()));
	before = box_out("git rev-parse HEAD");
	EXPECT(box_ok(install()));
	EXPECT(!strcmp(commit, ""));
	EXPECT(box_prints(before, "git rev-parse HEAD"));
	free(before);
	box_leave();
}

static void an_unborn_branch_gets_its_first_commit(void)
{
	box_enter();
	EXPECT(!box_sh("git init -q -b trunk u && echo x >u/mine && "
		       "git -C u add mine"));
	EXPECT(!chdir("u"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints(commit, "git rev-parse trunk"));
	EXPECT(box_prints("1", "git rev-list --count HEAD"));
	EXPECT(box_prints("A  mine", "git status --porcelain"));
	box_leave();
}

static void a_detached_head_moves_and_its_branch_does_not(void)
{
	char *branch;

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git checkout -q --detach"));
	branch = box_out("git rev-parse main");
	EXPECT(box_ok(install()));
	EXPECT(box_prints(commit, "git rev-parse HEAD"));
	EXPECT(box_prints(branch, "git rev-parse main"));
	EXPECT(box_prints("", "git status --porcelain"));
	free(branch);
	box_leave();
}

static void a_linked_worktree_moves_its_own_head(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git worktree add -q -b side ../wt && "
		       "git worktree add -q --detach ../loose"));
	EXPECT(!chdir("../wt"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints(commit, "git rev-parse side"));
	EXPECT(box_prints("", "git status --porcelain"));
	EXPECT(!chdir("../loose"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints(commit, "git rev-parse HEAD"));
	EXPECT(box_prints("", "git status --porcelain"));
	EXPECT(box_prints("", "git -C ../r status --porcelain"));
	box_leave();
}

static void a_bare_repository_gets_the_commit_alone(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git clone -q --bare . ../b.git"));
	EXPECT(!chdir("../b.git"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints(commit, "git rev-parse main"));
	EXPECT(box_prints("{ }", "git show HEAD:" A));
	EXPECT(!ao_file_exists("tasks") && !ao_file_exists("index"));
	box_leave();
}

static void a_bare_repository_whose_branch_is_checked_out_is_refused(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git clone -q --bare . ../b.git && git -C ../b.git "
		       "worktree add -q ../wt main"));
	EXPECT(!chdir("../b.git"));
	EXPECT(box_fails(install(), AO_ECONFLICT, "checked out at"));
	box_leave();
}

static void in_the_git_folder_it_says_where_to_run(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!chdir(".git"));
	EXPECT(box_fails(install(), AO_EUSAGE, "work tree"));
	box_leave();
}

static void from_a_sub_folder_paths_start_at_the_top(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!chdir("tasks/t"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints("", "git status --porcelain"));
	EXPECT(box_prints("{ }", "cat ../silu/task.json"));
	box_leave();
}

static void other_changes_stay_as_they_are(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("echo s >staged && git add staged && "
		       "echo d >>tasks/t/kernel.c && echo u >untracked"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints("A  staged\n M tasks/t/kernel.c\n?? untracked",
			  "git status --porcelain | LC_ALL=C sort -k2"));
	EXPECT(box_prints(A, "git diff --name-only HEAD^ HEAD -- " A));
	EXPECT(box_prints("", "git diff --name-only HEAD^ HEAD -- staged"));
	box_leave();
}

static void other_contents_in_head_index_or_work_tree_are_a_conflict(void)
{
	static const struct {
		const char *make, *says;
	} cases[] = {
		{ "echo x >" A " && git add . && git commit -qm x",
		  "'" A "' is committed with other contents" },
		{ "echo x >" A " && git add . && rm " A,
		  "'" A "' is in the index with other contents" },
		{ "echo x >" A, "'" A "' is in the work tree with other" },
		{ "mkdir " A, "'" A "' in the work tree is not a file" },
		{ "rmdir tasks/silu && ln -s /tmp tasks/silu",
		  "'tasks/silu' in the work tree is not a folder" },
		{ "rmdir tasks/silu && echo x >tasks/silu && git add . && "
		  "rm tasks/silu",
		  "'tasks/silu' in the index is in the way" },
		{ "rmdir tasks/silu && echo x >tasks/silu && git add . && "
		  "git commit -qm x && git rm -q tasks/silu",
		  "'tasks/silu' is a file" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(cases); i++) {
		char *head;

		box_enter();
		box_repo("r");
		EXPECT(!box_sh("mkdir -p tasks/silu && { %s; }",
			       cases[i].make));
		head = box_out("git rev-parse HEAD; git status --porcelain");
		EXPECT(box_fails(install(), AO_ECONFLICT, cases[i].says));
		EXPECT(box_prints(
			head, "git rev-parse HEAD; git status --porcelain"));
		free(head);
		box_leave();
	}
}

static void the_same_contents_in_index_or_work_tree_are_taken(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("mkdir -p tasks/silu && echo '{ }' >" A));
	EXPECT(box_ok(install()));
	EXPECT(box_prints("", "git status --porcelain; git diff-files"));
	EXPECT(!box_sh("git reset -q --soft HEAD^ && rm " A));
	EXPECT(box_ok(install()));
	EXPECT(box_prints("", "git status --porcelain; git diff-files"));
	box_leave();
}

static void line_ends_in_the_work_tree_are_as_git_has_them(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("echo '* text=auto eol=crlf' >.gitattributes && "
		       "git add . && git commit -qm eol"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints("2", "grep -c \"$(printf '\\r')\" '" B "'"));
	EXPECT(box_prints("0", "git show 'HEAD:" B "' | grep -c "
			       "\"$(printf '\\r')\""));
	EXPECT(box_prints("", "git status --porcelain"));
	EXPECT(!box_sh("git reset -q HEAD^"));
	EXPECT(box_ok(install()));
	EXPECT(box_prints("", "git status --porcelain"));
	box_leave();
}

static void hooks_and_signing_do_not_fire(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git config commit.gpgsign true && "
		       "git config gpg.program false && "
		       "for h in pre-commit commit-msg post-commit "
		       "post-checkout reference-transaction "
		       "post-index-change; do "
		       "printf '#!/bin/sh\\ntouch %s/fired\\nexit 1\\n' "
		       ">.git/hooks/$h; chmod +x .git/hooks/$h; done",
		       box_root));
	EXPECT(box_ok(install()));
	EXPECT(!ao_file_exists("../fired"));
	EXPECT(box_prints("N", "git log -1 --format=%%G?"));
	box_leave();
}

static void a_locked_index_leaves_everything_as_it_was(void)
{
	char *before;

	box_enter();
	box_repo("r");
	before = box_out("git rev-parse HEAD; ls tasks");
	EXPECT(!box_sh("touch .git/index.lock"));
	EXPECT(box_fails(install(), AO_EIO, "index.lock"));
	EXPECT(box_prints(before, "git rev-parse HEAD; ls tasks"));
	EXPECT(!box_sh("rm .git/index.lock"));
	EXPECT(box_ok(install()));
	free(before);
	box_leave();
}

static void variables_of_a_hook_do_not_mislead_it(void)
{
	box_enter();
	box_repo("r");
	setenv("GIT_DIR", ".git", 1);
	setenv("GIT_INDEX_FILE", ".git/index", 1);
	setenv("GIT_PREFIX", "tasks/", 1);
	EXPECT(box_ok(install()));
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	unsetenv("GIT_PREFIX");
	EXPECT(box_prints("", "git status --porcelain"));
	box_leave();
}

static void the_move_of_the_branch_is_in_the_reflog(void)
{
	box_enter();
	box_repo("r");
	EXPECT(box_ok(install()));
	EXPECT(box_prints("accelopt: init|accelopt: init",
			  "git reflog -1 --format=%%gs main | tr '\\n' '|'; "
			  "git reflog -1 --format=%%gs HEAD"));
	box_leave();
}

static void a_branch_in_the_way_of_a_task_is_named(void)
{
	struct ao_repo *repo = NULL;

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git branch accelopt"));
	EXPECT(box_ok(ao_repo_open(&repo)));
	EXPECT(box_fails(ao_install_check_refs(repo, "silu"), AO_ECONFLICT,
			 "'accelopt' is in the way"));
	EXPECT(!box_sh("git branch -m accelopt accelopt/silu"));
	EXPECT(box_fails(ao_install_check_refs(repo, "silu"), AO_ECONFLICT,
			 "'accelopt/silu' is in the way"));
	EXPECT(box_ok(ao_install_check_refs(repo, "matmul")));
	ao_repo_free(repo);
	box_leave();
}

static void a_path_out_of_the_work_tree_is_refused(void)
{
	static char up[] = "tasks/../../x", git[] = "a/.GIT/config";
	char *paths[] = { up, git };

	for (size_t i = 0; i < AO_ARRAY_SIZE(paths); i++) {
		struct ao_install_file file = files[0];
		struct ao_repo *repo = NULL;

		box_enter();
		box_repo("r");
		file.path = paths[i];
		EXPECT(box_ok(ao_repo_open(&repo)));
		EXPECT(box_fails(ao_install(commit, repo, &file, 1, "x\n"),
				 AO_EINVALID, "must stay within"));
		ao_repo_free(repo);
		box_leave();
	}
}

int main(void)
{
	RUN(files_are_committed_on_head_and_checked_out);
	RUN(a_second_time_there_is_nothing_to_commit);
	RUN(an_unborn_branch_gets_its_first_commit);
	RUN(a_detached_head_moves_and_its_branch_does_not);
	RUN(a_linked_worktree_moves_its_own_head);
	RUN(a_bare_repository_gets_the_commit_alone);
	RUN(a_bare_repository_whose_branch_is_checked_out_is_refused);
	RUN(in_the_git_folder_it_says_where_to_run);
	RUN(from_a_sub_folder_paths_start_at_the_top);
	RUN(other_changes_stay_as_they_are);
	RUN(other_contents_in_head_index_or_work_tree_are_a_conflict);
	RUN(the_same_contents_in_index_or_work_tree_are_taken);
	RUN(line_ends_in_the_work_tree_are_as_git_has_them);
	RUN(hooks_and_signing_do_not_fire);
	RUN(a_locked_index_leaves_everything_as_it_was);
	RUN(variables_of_a_hook_do_not_mislead_it);
	RUN(the_move_of_the_branch_is_in_the_reflog);
	RUN(a_branch_in_the_way_of_a_task_is_named);
	RUN(a_path_out_of_the_work_tree_is_refused);
	return tap_done();
}
