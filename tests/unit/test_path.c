/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/path.h"

static bool says(const char *path, const char *part)
{
	const char *problem = ao_path_problem(path);

	return problem && strstr(problem, part);
}

static void a_file_and_a_file_in_folders_are_fine(void)
{
	EXPECT(!ao_path_problem("kernel.c"));
	EXPECT(!ao_path_problem("a/b-c/d e.c"));
	EXPECT(!ao_path_problem("\xc3\xa4.c"));
}

static void names_that_only_look_like_forbidden_ones_are_fine(void)
{
	EXPECT(!ao_path_problem("..."));
	EXPECT(!ao_path_problem("..a/.b"));
	EXPECT(!ao_path_problem(".github/x"));
	EXPECT(!ao_path_problem(".gitignore"));
	EXPECT(!ao_path_problem("git~10"));
	EXPECT(!ao_path_problem("a/-b"));
}

static void a_path_stays_within_its_folder(void)
{
	EXPECT(says("/etc/passwd", "within"));
	EXPECT(says("..", "within"));
	EXPECT(says("../a", "within"));
	EXPECT(says("a/../../b", "within"));
	EXPECT(says("./a", "within"));
	EXPECT(says("a/.", "within"));
	EXPECT(says("a//b", "within"));
	EXPECT(says("a/", "within"));
}

static void the_git_folder_is_out_of_reach_by_any_of_its_names(void)
{
	EXPECT(says(".git/config", "within"));
	EXPECT(says("a/.GIT/hook", "within"));
	EXPECT(says("GIT~1/config", "within"));
	EXPECT(says("a/git~1", "within"));
}

static void nothing_and_what_cannot_be_shown_are_no_paths(void)
{
	EXPECT(says("", "expected"));
	EXPECT(says("a\nb", "control"));
	EXPECT(says("a\x7f", "control"));
	EXPECT(says("a\\b", "control"));
}

static void a_path_is_no_option(void)
{
	EXPECT(says("-fplugin=x.c", "begin"));
	EXPECT(says("@options.c", "begin"));
}

int main(void)
{
	RUN(a_file_and_a_file_in_folders_are_fine);
	RUN(names_that_only_look_like_forbidden_ones_are_fine);
	RUN(a_path_stays_within_its_folder);
	RUN(the_git_folder_is_out_of_reach_by_any_of_its_names);
	RUN(nothing_and_what_cannot_be_shown_are_no_paths);
	RUN(a_path_is_no_option);
	return tap_done();
}
