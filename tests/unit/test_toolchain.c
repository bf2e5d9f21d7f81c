/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>

#include "eval/cage.h"
#include "eval/toolchain.h"
#include "eval_task.h"
#include "util/file.h"

static bool is_named(const char *line, const char *expected, bool is_clang)
{
	bool clang = false;
	char *name = ao_toolchain_name(line, &clang);
	bool same = !strcmp(name, expected) && clang == is_clang;

	if (!same)
		printf("# got: %s\n", name);
	free(name);
	return same;
}

static void versions_of_gcc_are_read(void)
{
	EXPECT(is_named("gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "gcc 12.2.0",
			false));
	EXPECT(is_named("cc (Ubuntu 9.4.0-1ubuntu1~20.04.2) 9.4.0", "gcc 9.4.0",
			false));
	EXPECT(is_named("gcc (GCC) 13.2.1 20231011 (Red Hat 13.2.1-4)",
			"gcc 13.2.1", false));
}

static void versions_of_clang_are_read(void)
{
	EXPECT(is_named("Debian clang version 14.0.6", "clang 14.0.6", true));
	EXPECT(is_named("clang version 17.0.0 (https://x.org/llvm 1a2b)",
			"clang 17.0.0", true));
}

static void an_unknown_compiler_has_a_name_still(void)
{
	EXPECT(is_named("tcc version 0.9.27 (x86_64 Linux)", "cc 0.9.27",
			false));
	EXPECT(is_named("odd", "cc odd", false));
	EXPECT(is_named("", "cc ", false));
}

static void the_default_compiler_is_found(void)
{
	struct ao_compiler compiler = { 0 };

	must(ao_toolchain_find(&compiler, NULL));
	EXPECT(compiler.program[0] == '/');
	EXPECT(strchr(compiler.name, ' ') != NULL);
	ao_compiler_release(&compiler);
}

static void a_missing_compiler_is_named(void)
{
	struct ao_compiler compiler = { 0 };
	struct ao_error *err = ao_toolchain_find(&compiler, "no-such-cc");

	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	EXPECT(tells(err, "'no-such-cc' is not installed"));
}

static void a_relative_entry_of_the_path_is_passed_over(void)
{
	char *path = ao_xstrdup(getenv("PATH"));
	struct ao_compiler compiler = { 0 };

	setenv("PATH", "bin:.::usr", 1);
	EXPECT(code_of(ao_toolchain_find(&compiler, NULL)) == AO_ENOTFOUND);
	setenv("PATH", path, 1);
	free(path);
}

/* How often a program that fails is run, when it is run once. */
static size_t runs_of_a_failure(const char *name, size_t max_output)
{
	char *folder, *runs, *program;
	struct ao_buf text = AO_BUF_INIT(1 << 10);
	struct ao_process_end end = { 0 };
	struct ao_compiler tool = { .max_output = max_output };
	struct ao_strs args = { 0 };
	size_t count;

	must(ao_file_temp_folder(&folder));
	program = ao_xstrf("%s/%s", folder, name);
	runs = ao_xstrf("%s/runs", folder);
	ao_buf_addf(&text, "#!/bin/sh\nprintf x >>'%s'\necho failed\nexit 1\n",
		    runs);
	must(ao_file_write(program, text.ptr, text.len));
	must(ao_file_write(runs, "", 0));
	EXPECT(!chmod(program, 0755) && !chmod(runs, 0666));
	ao_buf_release(&text);
	tool.program = program;
	ao_strs_push(&tool.parts, program);
	must(ao_toolchain_run(&end, &tool, &args, folder, 60000));
	EXPECT(end.status == 1 && !strcmp(end.output, "failed\n"));
	must(ao_file_read(&text, runs));
	count = text.len;
	ao_buf_release(&text);
	ao_process_end_release(&end);
	ao_strs_release(&tool.parts);
	ao_file_remove_tree(folder);
	free(folder);
	free(runs);
	free(program);
	return count;
}

/* A disassembler that fails at a hostile object is no reason for that. */
static void a_program_that_compiles_nothing_is_not_tried_elsewhere(void)
{
	enum ao_isolation before;

	EXPECT(runs_of_a_failure("reader", 100) == 1);
	before = ao_cage_isolation();
	EXPECT(runs_of_a_failure("another", 100) == 1);
	EXPECT(before != AO_ISOLATION_COUNT && ao_cage_isolation() == before);
}

static void a_compiler_that_fails_is_asked_whether_it_works(void)
{
	enum ao_isolation before = ao_cage_isolation();

	/* Wherever it is asked, it fails: then it stays where it is. */
	EXPECT(runs_of_a_failure("compiler", 0) >= 1);
	EXPECT(ao_cage_isolation() == before);
}

int main(void)
{
	RUN(versions_of_gcc_are_read);
	RUN(versions_of_clang_are_read);
	RUN(an_unknown_compiler_has_a_name_still);
	RUN(the_default_compiler_is_found);
	RUN(a_missing_compiler_is_named);
	RUN(a_relative_entry_of_the_path_is_passed_over);
	RUN(a_program_that_compiles_nothing_is_not_tried_elsewhere);
	RUN(a_compiler_that_fails_is_asked_whether_it_works);
	return tap_done();
}
