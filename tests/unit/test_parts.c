/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "eval/parts.h"
#include "eval_task.h"
#include "util/file.h"

static char *root; /* a folder of ours, with no link on the way */

static char *below(const char *path)
{
	return ao_xstrf("%s/%s", root, path);
}

static void make_folder(const char *path)
{
	char *folder = below(path);

	must(ao_file_make_folder(folder));
	free(folder);
}

static void make_program(const char *path)
{
	char *file = below(path);

	must(ao_file_write(file, "#!/bin/sh\n", 10));
	EXPECT(!chmod(file, 0755));
	free(file);
}

static void make_link(const char *target, const char *path)
{
	char *link = below(path);

	EXPECT(!symlink(target, link));
	free(link);
}

static struct ao_strs parts_of(const char *path, const char *search_dirs)
{
	char *program = below(path);
	struct ao_strs parts = { 0 };

	ao_parts_find(&parts, program, search_dirs);
	free(program);
	return parts;
}

static bool has(const struct ao_strs *parts, const char *path)
{
	char *full = below(path);
	bool found = ao_strs_has(parts, full);

	free(full);
	return found;
}

static void the_folder_of_a_program_is_a_part(void)
{
	struct ao_strs parts;

	make_folder("opt/bin");
	make_program("opt/bin/cc1");
	parts = parts_of("opt/bin/cc1", "");
	EXPECT(has(&parts, "opt/bin"));
	EXPECT(!has(&parts, "opt"));
	ao_strs_release(&parts);
}

static void each_link_on_the_way_is_a_part(void)
{
	struct ao_strs parts;

	make_folder("a");
	make_folder("b");
	make_folder("c");
	make_program("c/real");
	make_link("../c/real", "b/middle");
	make_link("../b/middle", "a/first");
	parts = parts_of("a/first", "");
	EXPECT(has(&parts, "a") && has(&parts, "b") && has(&parts, "c"));
	ao_strs_release(&parts);
}

static void links_in_a_circle_have_an_end(void)
{
	struct ao_strs parts;

	make_folder("circle");
	make_link("two", "circle/one");
	make_link("one", "circle/two");
	parts = parts_of("circle/one", "");
	EXPECT(parts.count < 4);
	ao_strs_release(&parts);
}

static void a_program_in_a_home_is_shown_without_the_home(void)
{
	char *home = below("home");
	char *before = ao_xstrdup(getenv("HOME") ? getenv("HOME") : "/");
	struct ao_strs parts;

	make_folder("home");
	make_program("home/cc1");
	setenv("HOME", home, 1);
	parts = parts_of("home/cc1", "");
	EXPECT(has(&parts, "home/cc1"));
	EXPECT(!has(&parts, "home"));
	ao_strs_release(&parts);
	setenv("HOME", before, 1);
	free(before);
	free(home);
}

static void what_a_compiler_searches_is_a_part(void)
{
	struct ao_strs parts;
	char *text;

	make_folder("gcc/bin");
	make_folder("gcc/include");
	make_folder("gcc/lib/gcc/x86_64-linux/13");
	make_folder("gcc/libexec");
	make_folder("gcc/x86_64-linux/sysroot");
	make_program("gcc/bin/gcc");
	text = ao_xstrf("install: %s/gcc/lib/gcc/x86_64-linux/13/\n"
			"programs: =%s/gcc/libexec/:%s/gcc/no-such/\n"
			"libraries: =%s/gcc/lib/gcc/x86_64-linux/13/../../:"
			"relative:/\n",
			root, root, root, root);
	parts = parts_of("gcc/bin/gcc", text);
	EXPECT(has(&parts, "gcc/bin") && has(&parts, "gcc/libexec"));
	EXPECT(has(&parts, "gcc/lib/gcc/x86_64-linux/13"));
	EXPECT(has(&parts, "gcc/lib/gcc"));
	EXPECT(has(&parts, "gcc/include") && has(&parts, "gcc/x86_64-linux"));
	EXPECT(!has(&parts, "gcc") && !has(&parts, "gcc/no-such"));
	EXPECT(!ao_strs_has(&parts, "/") && !ao_strs_has(&parts, ""));
	EXPECT(!ao_strs_has(&parts, "relative"));
	ao_strs_release(&parts);
	free(text);
}

static void broad_folders_are_never_parts(void)
{
	struct ao_strs parts = parts_of("opt/bin/cc1",
					"install: /\n"
					"programs: =/tmp:/home/:/etc:/var//\n"
					"libraries: =/root:/dev/shm\n");

	EXPECT(!ao_strs_has(&parts, "/tmp") && !ao_strs_has(&parts, "/home"));
	EXPECT(!ao_strs_has(&parts, "/etc") && !ao_strs_has(&parts, "/var"));
	EXPECT(!ao_strs_has(&parts, "/root"));
	EXPECT(!ao_strs_has(&parts, "/dev/shm"));
	ao_strs_release(&parts);
}

static void the_next_of_that_name_in_the_path_is_a_part(void)
{
	char *path = ao_xstrdup(getenv("PATH"));
	char *both;
	struct ao_strs parts;

	make_folder("cache");
	make_folder("real");
	make_folder("other");
	make_program("cache/xcc");
	make_program("real/xcc");
	both = ao_xstrf("%s/cache:%s/other:%s/real", root, root, root);
	setenv("PATH", both, 1);
	parts = parts_of("cache/xcc", "");
	setenv("PATH", path, 1);
	EXPECT(has(&parts, "cache") && has(&parts, "real"));
	EXPECT(!has(&parts, "other"));
	ao_strs_release(&parts);
	free(both);
	free(path);
}

static void any_text_has_an_end(void)
{
	static const char *const texts[] = { "",
					     "install:",
					     "install: ",
					     "install: x",
					     "programs: =",
					     "programs: =::::\n\n\n",
					     "libraries: =:\ninstall: //",
					     "install: /usr" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++) {
		struct ao_strs parts = parts_of("opt/bin/cc1", texts[i]);

		EXPECT(has(&parts, "opt/bin"));
		ao_strs_release(&parts);
	}
}

int main(void)
{
	char *folder;

	must(ao_file_temp_folder(&folder));
	root = realpath(folder, NULL);
	RUN(the_folder_of_a_program_is_a_part);
	RUN(each_link_on_the_way_is_a_part);
	RUN(links_in_a_circle_have_an_end);
	RUN(a_program_in_a_home_is_shown_without_the_home);
	RUN(what_a_compiler_searches_is_a_part);
	RUN(broad_folders_are_never_parts);
	RUN(the_next_of_that_name_in_the_path_is_a_part);
	RUN(any_text_has_an_end);
	ao_file_remove_tree(folder);
	free(folder);
	free(root);
	return tap_done();
}
