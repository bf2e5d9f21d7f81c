/* SPDX-License-Identifier: MIT */
#include "gitbox.h"
#include "tap.h"

#include "store/repo_data.h"
#include "util/buf.h"

static struct ao_repo *repo;

/* Open from a folder; says how it failed. */
static bool opens(const char *folder)
{
	repo = NULL;
	return !chdir(folder) && box_ok(ao_repo_open(&repo));
}

static void close_all(void)
{
	ao_repo_free(repo);
	repo = NULL;
	box_leave();
}

static void a_repository_opens_from_a_sub_folder(void)
{
	char *top;

	box_enter();
	box_repo("r");
	EXPECT(opens("tasks/t"));
	top = box_out("git rev-parse --show-toplevel");
	EXPECT(!strcmp(ao_repo_work_tree(repo), top));
	EXPECT(!ao_repo_is_shallow(repo) && !ao_repo_is_partial(repo));
	free(top);
	close_all();
}

static void outside_of_a_repository_it_says_so(void)
{
	box_enter();
	EXPECT(box_fails(ao_repo_open(&repo), AO_ENOTFOUND,
			 "not a git repository"));
	close_all();
}

static void a_bare_repository_has_no_work_tree(void)
{
	char *head;
	char id[AO_ID_SIZE] = "";

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git clone -q --bare . ../bare.git"));
	EXPECT(opens("../bare.git"));
	EXPECT(!ao_repo_work_tree(repo));
	EXPECT(box_ok(ao_repo_resolve(id, repo, "HEAD")));
	head = box_out("git rev-parse HEAD");
	EXPECT(!strcmp(id, head));
	free(head);
	close_all();
}

static void a_mirror_clone_opens(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git clone -q --mirror . ../mirror"));
	EXPECT(opens("../mirror"));
	close_all();
}

static void a_linked_worktree_shares_the_common_folder(void)
{
	char id[AO_ID_SIZE] = "";
	char *common;

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git worktree add -q -b side ../wt && cd ../wt && "
		       "git commit -q --allow-empty -m side"));
	common = box_out("realpath .git");
	EXPECT(opens("../wt"));
	EXPECT(!strcmp(repo->at.common_folder, common));
	EXPECT(box_ok(ao_repo_resolve(id, repo, "HEAD")));
	EXPECT(box_prints(id, "git rev-parse side"));
	free(common);
	close_all();
}

static void a_submodule_opens_as_itself(void)
{
	box_enter();
	box_repo("inner");
	EXPECT(!chdir(".."));
	box_repo("outer");
	EXPECT(!box_sh("git -c protocol.file.allow=always submodule --quiet "
		       "add ../inner sub"));
	EXPECT(opens("sub"));
	EXPECT(strstr(repo->at.common_folder, ".git/modules/sub"));
	close_all();
}

static void a_sparse_checkout_opens(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git sparse-checkout set tasks"));
	EXPECT(box_prints("true", "git config extensions.worktreeConfig"));
	EXPECT(opens("."));
	close_all();
}

static void git_dir_in_the_environment_is_obeyed(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!chdir(".."));
	setenv("GIT_DIR", "r/.git", 1);
	EXPECT(opens("."));
	EXPECT(strstr(repo->at.common_folder, "/r/.git"));
	unsetenv("GIT_DIR");
	close_all();
}

static void a_repository_with_sha256_objects_is_refused_by_name(void)
{
	box_enter();
	EXPECT(!box_sh("git init -q --object-format=sha256 s"));
	EXPECT(!chdir("s"));
	EXPECT(box_fails(ao_repo_open(&repo), AO_EINVALID, "sha256"));
	close_all();
}

static void a_repository_with_reftable_is_refused_by_name(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git config core.repositoryformatversion 1 && "
		       "git config extensions.refStorage reftable"));
	EXPECT(box_fails(ao_repo_open(&repo), AO_EINVALID, "reftable"));
	close_all();
}

static void an_unknown_format_extension_is_named(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git config core.repositoryFormatVersion 1 && "
		       "git config extensions.strange true"));
	EXPECT(box_fails(ao_repo_open(&repo), AO_EINVALID,
			 "extension found: strange"));
	close_all();
}

static void an_owner_that_git_does_not_trust_is_refused(void)
{
	box_enter();
	box_repo("r");
	setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 1);
	EXPECT(box_fails(ao_repo_open(&repo), AO_ETRUST, "safe.directory"));
	EXPECT(!box_sh("git config --global safe.directory '*'"));
	EXPECT(opens("."));
	unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER");
	close_all();
}

static void a_shallow_clone_is_known_as_such(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git commit -q --allow-empty -m two && "
		       "git clone -q --depth 1 file://$PWD ../shallow"));
	EXPECT(opens("../shallow"));
	EXPECT(ao_repo_is_shallow(repo));
	close_all();
}

static void a_partial_clone_is_known_and_says_what_is_missing(void)
{
	struct ao_buf file = AO_BUF_INIT(1 << 16);
	char id[AO_ID_SIZE];

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git config uploadpack.allowFilter true && git clone -q "
		       "--no-checkout --filter=blob:none file://$PWD ../p"));
	EXPECT(opens("../p"));
	EXPECT(ao_repo_is_partial(repo));
	EXPECT(box_ok(ao_repo_resolve(id, repo, "HEAD")));
	EXPECT(box_fails(ao_repo_read_file(&file, repo, id, "tasks/t/kernel.c"),
			 AO_EIO, "partial clone"));
	ao_buf_release(&file);
	close_all();
}

static void the_last_value_of_a_key_in_any_case_counts(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git config accelopt.fixRounds 2 && "
		       "git config --add accelopt.fixRounds 3 && "
		       "git config 'remote.Up.URL' somewhere"));
	EXPECT(opens("."));
	EXPECT(!strcmp(ao_repo_config(repo, "accelopt.FIXrounds"), "3"));
	EXPECT(!strcmp(ao_repo_config(repo, "Remote.Up.url"), "somewhere"));
	EXPECT(!ao_repo_config(repo, "remote.up.url"));
	EXPECT(!ao_repo_config(repo, "accelopt.beam"));
	close_all();
}

static void configuration_from_the_command_line_counts(void)
{
	box_enter();
	box_repo("r");
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", "accelopt.beam", 1);
	setenv("GIT_CONFIG_VALUE_0", "7", 1);
	EXPECT(opens("."));
	EXPECT(!strcmp(ao_repo_config(repo, "accelopt.beam"), "7"));
	unsetenv("GIT_CONFIG_COUNT");
	close_all();
}

static void a_committed_file_sets_search_settings_alone(void)
{
	const char *beam, *runner;

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("mkdir .accelopt && git config -f .accelopt/config "
		       "accelopt.beam 9 && git config -f .accelopt/config "
		       "accelopt.runner 'rm -rf /' && git add . && "
		       "git commit -q -m config"));
	EXPECT(opens("."));
	beam = ao_repo_config(repo, "accelopt.beam");
	runner = ao_repo_config(repo, "accelopt.runner");
	EXPECT(beam && !strcmp(beam, "9"));
	EXPECT(!runner);
	close_all();
}

static void the_users_own_setting_wins_over_the_committed_file(void)
{
	box_enter();
	box_repo("r");
	EXPECT(!box_sh("mkdir .accelopt && git config -f .accelopt/config "
		       "accelopt.beam 9 && git add . && git commit -q -m c && "
		       "git config accelopt.beam 2"));
	EXPECT(opens("."));
	EXPECT(!strcmp(ao_repo_config(repo, "accelopt.beam"), "2"));
	close_all();
}

static void a_written_setting_is_read_back_by_git_and_by_us(void)
{
	box_enter();
	box_repo("r");
	EXPECT(opens("."));
	EXPECT(box_ok(ao_repo_config_set(repo, "accelopt.maxEvals", "60")));
	EXPECT(!strcmp(ao_repo_config(repo, "accelopt.maxevals"), "60"));
	EXPECT(box_prints("60", "git config --local accelopt.maxEvals"));
	close_all();
}

static void a_writer_is_made_once_and_kept(void)
{
	const char *writer = "";
	char *first;

	box_enter();
	box_repo("r");
	EXPECT(opens("."));
	EXPECT(box_ok(ao_repo_writer(&writer, repo)));
	EXPECT(strlen(writer) == 8);
	first = ao_xstrdup(writer);
	ao_repo_free(repo);
	EXPECT(opens("."));
	EXPECT(box_ok(ao_repo_writer(&writer, repo)));
	EXPECT(!strcmp(writer, first));
	EXPECT(box_prints(first, "git config --local accelopt.writer"));
	free(first);
	close_all();
}

static void a_writer_that_cannot_be_part_of_a_ref_is_refused(void)
{
	const char *writer = NULL;

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git config accelopt.writer ../x"));
	EXPECT(opens("."));
	EXPECT(box_fails(ao_repo_writer(&writer, repo), AO_EINVALID,
			 "accelopt.writer"));
	close_all();
}

static void an_abbreviated_id_and_a_tag_resolve_to_the_commit(void)
{
	char id[AO_ID_SIZE] = "";

	box_enter();
	box_repo("r");
	EXPECT(!box_sh("git tag -a -m t v1"));
	EXPECT(opens("."));
	EXPECT(box_ok(ao_repo_resolve(id, repo, "v1")));
	EXPECT(box_prints(id, "git rev-parse HEAD"));
	id[9] = '\0';
	EXPECT(box_ok(ao_repo_resolve(id, repo, id)));
	EXPECT(box_prints(id, "git rev-parse HEAD"));
	close_all();
}

static void an_unknown_revision_is_named(void)
{
	char id[AO_ID_SIZE];

	box_enter();
	box_repo("r");
	EXPECT(opens("."));
	EXPECT(box_fails(ao_repo_resolve(id, repo, "nowhere"), AO_ENOTFOUND,
			 "'nowhere' names no commit"));
	EXPECT(box_fails(ao_repo_resolve(id, repo, "--all"), AO_ENOTFOUND,
			 "'--all' names no commit"));
	close_all();
}

static void an_unborn_branch_is_said_to_be_one(void)
{
	char id[AO_ID_SIZE];

	box_enter();
	EXPECT(!box_sh("git init -q -b trunk u"));
	EXPECT(opens("u"));
	EXPECT(box_fails(ao_repo_resolve(id, repo, "HEAD"), AO_ENOTFOUND,
			 "'trunk', which has no commit yet"));
	EXPECT(box_fails(ao_repo_resolve(id, repo, "trunk"), AO_ENOTFOUND,
			 "no commit yet"));
	close_all();
}

static void a_file_of_a_commit_is_read_byte_for_byte(void)
{
	struct ao_buf file = AO_BUF_INIT(1 << 16);
	char id[AO_ID_SIZE] = "";

	box_enter();
	box_repo("r");
	EXPECT(opens("."));
	EXPECT(box_ok(ao_repo_resolve(id, repo, "HEAD")));
	EXPECT(box_ok(ao_repo_read_file(&file, repo, id, "tasks/t/kernel.c")));
	EXPECT(!strcmp(file.ptr, "int kernel;\n"));
	EXPECT(box_fails(ao_repo_read_file(&file, repo, id, "tasks/t"),
			 AO_ENOTFOUND, "no file 'tasks/t'"));
	EXPECT(box_fails(
		ao_repo_read_file(&file, repo, id, "tasks/t/kernel.c/x"),
		AO_ENOTFOUND, "no file"));
	ao_buf_release(&file);
	close_all();
}

static void a_blob_id_is_gits(void)
{
	char id[AO_ID_SIZE];

	ao_repo_blob_id(id, "int kernel;\n", 12);
	EXPECT(box_prints(id, "echo 'int kernel;' | git hash-object --stdin"));
}

int main(void)
{
	RUN(a_repository_opens_from_a_sub_folder);
	RUN(outside_of_a_repository_it_says_so);
	RUN(a_bare_repository_has_no_work_tree);
	RUN(a_mirror_clone_opens);
	RUN(a_linked_worktree_shares_the_common_folder);
	RUN(a_submodule_opens_as_itself);
	RUN(a_sparse_checkout_opens);
	RUN(git_dir_in_the_environment_is_obeyed);
	RUN(a_repository_with_sha256_objects_is_refused_by_name);
	RUN(a_repository_with_reftable_is_refused_by_name);
	RUN(an_unknown_format_extension_is_named);
	RUN(an_owner_that_git_does_not_trust_is_refused);
	RUN(a_shallow_clone_is_known_as_such);
	RUN(a_partial_clone_is_known_and_says_what_is_missing);
	RUN(the_last_value_of_a_key_in_any_case_counts);
	RUN(configuration_from_the_command_line_counts);
	RUN(a_committed_file_sets_search_settings_alone);
	RUN(the_users_own_setting_wins_over_the_committed_file);
	RUN(a_written_setting_is_read_back_by_git_and_by_us);
	RUN(a_writer_is_made_once_and_kept);
	RUN(a_writer_that_cannot_be_part_of_a_ref_is_refused);
	RUN(an_abbreviated_id_and_a_tag_resolve_to_the_commit);
	RUN(an_unknown_revision_is_named);
	RUN(an_unborn_branch_is_said_to_be_one);
	RUN(a_file_of_a_commit_is_read_byte_for_byte);
	RUN(a_blob_id_is_gits);
	return tap_done();
}
