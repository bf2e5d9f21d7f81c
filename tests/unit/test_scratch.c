/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/scratch.h"
#include "eval_task.h"
#include "util/file.h"

static char *root;

static size_t folders(void)
{
	struct ao_strs names = { 0 };
	size_t count;

	must(ao_file_list(&names, root));
	count = names.count;
	ao_strs_release(&names);
	return count;
}

static void a_folder_is_made_and_removed(void)
{
	struct ao_scratch *scratch = NULL;

	must(ao_scratch_new(&scratch));
	EXPECT(ao_file_exists(ao_scratch_folder(scratch)));
	EXPECT(!strncmp(ao_scratch_folder(scratch), root, strlen(root)));
	ao_scratch_free(scratch);
	EXPECT(folders() == 0);
}

static void what_has_an_owner_is_left_alone(void)
{
	struct ao_scratch *scratch = NULL;

	must(ao_scratch_new(&scratch));
	ao_scratch_sweep(root, 0);
	EXPECT(folders() == 1);
	ao_scratch_free(scratch);
}

/* The folder of a process that was killed. */
static void orphan(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	EXPECT(!pipe(ends));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		struct ao_scratch *scratch = NULL;

		must(ao_scratch_new(&scratch));
		if (write(ends[1], "x", 1) != 1)
			_exit(1);
		pause();
	}
	EXPECT(read(ends[0], &byte, 1) == 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ends[0]);
	close(ends[1]);
}

static void the_folder_of_a_killed_process_is_removed_by_the_next(void)
{
	orphan();
	EXPECT(folders() == 1);
	ao_scratch_sweep(root, 0);
	EXPECT(folders() == 0);
}

static void a_young_folder_is_left_to_whoever_makes_it(void)
{
	orphan();
	ao_scratch_sweep(root, 60);
	EXPECT(folders() == 1);
	ao_scratch_sweep(root, 0);
}

static void folders_of_others_are_left_alone(void)
{
	char *path = ao_xstrf("%s/git-accelopt-else", root);

	must(ao_file_make_folder(path));
	ao_scratch_sweep(root, 0);
	EXPECT(ao_file_exists(path));
	rmdir(path);
	free(path);
}

int main(void)
{
	must(ao_file_temp_folder(&root));
	setenv("TMPDIR", root, 1);
	RUN(a_folder_is_made_and_removed);
	RUN(what_has_an_owner_is_left_alone);
	RUN(the_folder_of_a_killed_process_is_removed_by_the_next);
	RUN(a_young_folder_is_left_to_whoever_makes_it);
	RUN(folders_of_others_are_left_alone);
	ao_file_remove_tree(root);
	free(root);
	return tap_done();
}
