/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/toolchain.h"
#include "eval_task.h"

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

int main(void)
{
	RUN(versions_of_gcc_are_read);
	RUN(versions_of_clang_are_read);
	RUN(an_unknown_compiler_has_a_name_still);
	RUN(the_default_compiler_is_found);
	RUN(a_missing_compiler_is_named);
	RUN(a_relative_entry_of_the_path_is_passed_over);
	return tap_done();
}
