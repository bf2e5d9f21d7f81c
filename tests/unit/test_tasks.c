/* SPDX-License-Identifier: MIT */
#include "runbox.h"

#include "store/tasks.h"

static struct ao_repo *repo;
static struct ao_task *task;

static void enter(void)
{
	runbox_repo();
	EXPECT(box_ok(ao_repo_open(&repo)));
}

static void leave(void)
{
	ao_task_free(task);
	task = NULL;
	ao_repo_free(repo);
	repo = NULL;
	box_leave();
}

static bool lists(const char *commit, const char *expected)
{
	struct ao_strs names = { 0 };
	char joined[256] = "";
	bool is_same;

	if (!box_ok(ao_tasks_list(&names, repo, commit)))
		return false;
	for (size_t i = 0; i < names.count; i++)
		snprintf(joined + strlen(joined),
			 sizeof(joined) - strlen(joined), "%s ", names.v[i]);
	is_same = !strcmp(joined, expected);
	if (!is_same)
		printf("# listed: %s\n", joined);
	ao_strs_release(&names);
	return is_same;
}

static void tasks_of_a_commit_are_listed_sorted(void)
{
	enter();
	EXPECT(!box_sh("mkdir tasks/empty tasks/.hidden && "
		       "touch tasks/.hidden/task.json tasks/empty/x tasks/file "
		       "&& git add -f . && git commit -qm more"));
	EXPECT(lists("HEAD", "t two "));
	leave();
}

static void tasks_of_the_work_tree_need_no_commit(void)
{
	enter();
	EXPECT(runbox_write_task("fresh", "\"kernel.c\""));
	EXPECT(lists(NULL, "fresh t two "));
	EXPECT(lists("HEAD", "t two "));
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "fresh")));
	leave();
}

static void a_repository_without_tasks_lists_none(void)
{
	enter();
	EXPECT(!box_sh("git rm -rq tasks && git commit -qm none"));
	EXPECT(lists(NULL, ""));
	EXPECT(lists("HEAD", ""));
	EXPECT(lists("HEAD~1", "t two "));
	leave();
}

static void in_a_bare_repository_head_stands_for_the_work_tree(void)
{
	enter();
	ao_repo_free(repo);
	EXPECT(!box_sh("git clone -q --bare . ../b.git") && !chdir("../b.git"));
	EXPECT(box_ok(ao_repo_open(&repo)));
	EXPECT(lists(NULL, "t two "));
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "t")));
	leave();
}

static void a_task_has_its_reference_and_the_same_id_from_anywhere(void)
{
	char id[AO_ID_SIZE];

	enter();
	EXPECT(box_ok(ao_tasks_load(&task, repo, "HEAD", "t")));
	EXPECT(task && !strcmp(task->reference, "void r;\n"));
	EXPECT(task && task->id[0]);
	memcpy(id, task->id, AO_ID_SIZE);
	ao_task_free(task);
	task = NULL;
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "t")));
	EXPECT(!strcmp(task->id, id));
	leave();
}

static void an_unknown_task_brings_up_the_nearest(void)
{
	enter();
	EXPECT(box_fails(ao_tasks_load(&task, repo, "HEAD", "tow"),
			 AO_ENOTFOUND, "did you mean 'two'?"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, NULL, "quite-different"),
			 AO_ENOTFOUND, "there is no task 'quite-different'"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, NULL, "../t"), AO_ENOTFOUND,
			 "there is no task"));
	leave();
}

static void without_any_task_init_is_advised(void)
{
	enter();
	EXPECT(!box_sh("git rm -rq tasks && git commit -qm none"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, "HEAD", "t"), AO_ENOTFOUND,
			 "git accelopt init"));
	leave();
}

static void a_missing_file_is_named(void)
{
	struct ao_kernel kernel = { 0 };

	enter();
	EXPECT(!box_sh("git rm -q tasks/t/reference.c tasks/two/sub/part.h && "
		       "git commit -qm gone"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, "HEAD", "t"), AO_EINVALID,
			 "tasks/t/task.json:5: reference: there is no file "
			 "'tasks/t/reference.c'"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, NULL, "t"), AO_EINVALID,
			 "tasks/t/reference.c"));
	EXPECT(box_ok(ao_tasks_load(&task, repo, "HEAD", "two")));
	EXPECT(box_fails(ao_tasks_load_kernel(&kernel, repo, "HEAD", task),
			 AO_EINVALID,
			 "tasks/two/task.json:5: kernel[1]: there is no file "
			 "'tasks/two/sub/part.h'"));
	leave();
}

static void a_symbolic_link_is_refused(void)
{
	struct ao_kernel kernel = { 0 };

	enter();
	EXPECT(!box_sh("echo secret >../s && mv tasks/two/sub ../sub && "
		       "ln -sf ../../../s tasks/t/kernel.c && "
		       "ln -s ../../../sub tasks/two/sub && "
		       "git add . && git commit -qm links"));
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "t")));
	EXPECT(box_fails(ao_tasks_load_kernel(&kernel, repo, NULL, task),
			 AO_EINVALID,
			 "tasks/t/task.json:5: kernel[0]: "
			 "'tasks/t/kernel.c' is or goes through a symbolic "
			 "link"));
	EXPECT(box_fails(ao_tasks_load_kernel(&kernel, repo, "HEAD", task),
			 AO_EINVALID, "symbolic link"));
	ao_task_free(task);
	task = NULL;
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "two")));
	EXPECT(box_fails(ao_tasks_load_kernel(&kernel, repo, NULL, task),
			 AO_EINVALID, "symbolic link"));
	leave();
}

static void a_definition_that_is_a_symbolic_link_is_refused(void)
{
	enter();
	EXPECT(!box_sh("mv tasks/t/task.json .. && "
		       "ln -s ../../../task.json tasks/t/"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, NULL, "t"), AO_EINVALID,
			 "tasks/t/task.json"));
	leave();
}

static void a_task_in_the_folder_of_another_is_refused(void)
{
	enter();
	EXPECT(!box_sh("cp -r tasks/t tasks/copy"));
	EXPECT(box_fails(ao_tasks_load(&task, repo, NULL, "copy"), AO_EINVALID,
			 "name: is 't', but the folder is 'copy'"));
	leave();
}

static void a_kernel_has_the_bytes_of_its_files_in_order(void)
{
	struct ao_kernel kernel = { 0 };

	enter();
	EXPECT(box_ok(ao_tasks_load(&task, repo, "HEAD", "two")));
	EXPECT(box_ok(ao_tasks_load_kernel(&kernel, repo, "HEAD", task)));
	EXPECT(kernel.count == 2);
	EXPECT(!strcmp(kernel.files[1].path, "sub/part.h"));
	EXPECT(!strcmp(kernel.files[1].data, "#define N 1\n"));
	ao_kernel_release(&kernel);
	leave();
}

static void the_id_of_one_file_is_its_blob(void)
{
	struct ao_kernel kernel = { 0 };

	enter();
	EXPECT(box_ok(ao_tasks_load(&task, repo, "HEAD", "t")));
	EXPECT(box_ok(ao_tasks_load_kernel(&kernel, repo, "HEAD", task)));
	EXPECT(box_prints(kernel.id, "git rev-parse HEAD:tasks/t/kernel.c"));
	ao_kernel_release(&kernel);
	leave();
}

static void the_id_of_several_files_does_not_depend_on_their_order(void)
{
	struct ao_kernel one = { 0 }, other = { 0 };

	ao_kernel_add(&one, "a.c", "1", 1);
	ao_kernel_add(&one, "b/c.h", "2", 1);
	ao_kernel_add(&other, "b/c.h", "2", 1);
	ao_kernel_add(&other, "a.c", "1", 1);
	ao_tasks_kernel_id(&one);
	ao_tasks_kernel_id(&other);
	EXPECT(strlen(one.id) == AO_ID_SIZE - 1);
	EXPECT(!strcmp(one.id, other.id));
	ao_kernel_release(&other);
	ao_kernel_add(&other, "a.c", "2", 1);
	ao_kernel_add(&other, "b/c.h", "1", 1);
	ao_tasks_kernel_id(&other);
	EXPECT(strcmp(one.id, other.id) != 0);
	ao_kernel_release(&one);
	ao_kernel_release(&other);
}

static void a_checkout_with_crlf_is_the_same_task_and_kernel(void)
{
	struct ao_kernel kernel = { 0 };
	char id[AO_ID_SIZE] = "";

	enter();
	EXPECT(box_ok(ao_tasks_load(&task, repo, "HEAD", "t")));
	if (task)
		memcpy(id, task->id, AO_ID_SIZE);
	ao_task_free(task);
	task = NULL;
	EXPECT(!box_sh("git config core.autocrlf true && rm -r tasks && "
		       "git checkout -q ."));
	EXPECT(!box_sh("grep -q \"$(printf '\\r')\" tasks/t/kernel.c"));
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "t")));
	EXPECT(task && !strcmp(task->id, id));
	EXPECT(box_ok(ao_tasks_load_kernel(&kernel, repo, NULL, task)));
	EXPECT(box_prints(kernel.id, "git rev-parse HEAD:tasks/t/kernel.c"));
	ao_kernel_release(&kernel);
	leave();
}

static void crs_that_git_would_commit_stay(void)
{
	struct ao_kernel kernel = { 0 };

	enter();
	EXPECT(!box_sh("printf 'a\\r\\nb\\r\\n' >tasks/t/kernel.c"));
	EXPECT(box_ok(ao_tasks_load(&task, repo, NULL, "t")));
	EXPECT(box_ok(ao_tasks_load_kernel(&kernel, repo, NULL, task)));
	EXPECT(kernel.count == 1 && kernel.files[0].len == 6);
	ao_kernel_release(&kernel);
	leave();
}

int main(void)
{
	RUN(tasks_of_a_commit_are_listed_sorted);
	RUN(tasks_of_the_work_tree_need_no_commit);
	RUN(a_repository_without_tasks_lists_none);
	RUN(in_a_bare_repository_head_stands_for_the_work_tree);
	RUN(a_task_has_its_reference_and_the_same_id_from_anywhere);
	RUN(an_unknown_task_brings_up_the_nearest);
	RUN(without_any_task_init_is_advised);
	RUN(a_missing_file_is_named);
	RUN(a_symbolic_link_is_refused);
	RUN(a_definition_that_is_a_symbolic_link_is_refused);
	RUN(a_task_in_the_folder_of_another_is_refused);
	RUN(a_kernel_has_the_bytes_of_its_files_in_order);
	RUN(the_id_of_one_file_is_its_blob);
	RUN(the_id_of_several_files_does_not_depend_on_their_order);
	RUN(a_checkout_with_crlf_is_the_same_task_and_kernel);
	RUN(crs_that_git_would_commit_stay);
	return tap_done();
}
