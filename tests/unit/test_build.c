/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "eval/build.h"
#include "eval/cage.h"
#include "eval/toolchain.h"
#include "eval_task.h"
#include "util/file.h"
#include "util/limits.h"

static struct ao_task *task;
static char *folder;

/* Build a kernel of one file for the main case. */
static struct ao_build build_with(const char *source, uint32_t timeout_ms)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_build build = { 0 };

	must(ao_build_kernel(&build, folder, task, &task->cases[0], &kernel,
			     timeout_ms));
	ao_kernel_release(&kernel);
	return build;
}

static struct ao_build build_source(const char *source)
{
	return build_with(source, 60000);
}

/* Whether a source gets this verdict, with `detail` in the reason. */
static bool ends_in(const char *source, enum ao_verdict verdict,
		    const char *detail)
{
	struct ao_build build = build_source(source);
	bool as_expected = build.verdict == verdict && build.detail &&
			   strstr(build.detail, detail) && !build.object;

	if (!as_expected)
		printf("# got %s: %s\n", ao_verdict_name(build.verdict),
		       build.detail ? build.detail : "no detail");
	ao_build_release(&build);
	return as_expected;
}

static bool have_clang(void)
{
	struct ao_compiler clang = { 0 };
	struct ao_error *err = ao_toolchain_find(&clang, "clang");
	bool found = !err;

	ao_error_free(err);
	ao_compiler_release(&clang);
	return found;
}

static void a_kernel_becomes_an_object(void)
{
	struct ao_build build = build_source(scale_kernel);

	EXPECT(build.verdict == AO_VERDICT_PASSED);
	EXPECT(!build.detail);
	EXPECT(build.object && ao_file_exists(build.object));
	EXPECT(build.object && !strncmp(build.object, folder, strlen(folder)));
	EXPECT(build.cpu_ns > 0);
	ao_build_release(&build);
}

static void the_record_names_compiler_and_flags(void)
{
	struct ao_build build = build_source("// cflags: -fno-math-errno\n"
					     "void kernel(void) { }\n");

	EXPECT(build.flags && strstr(build.flags, " -O3 "));
	EXPECT(build.flags && strstr(build.flags, " -fno-math-errno"));
	EXPECT(build.flags && !strstr(build.flags, "-DM="));
	ao_build_release(&build);
}

static void axes_and_scalars_are_macros(void)
{
	struct ao_build build = build_source(
		"_Static_assert(M == 200 && N == 600, \"axes\");\n"
		"_Static_assert(FACTOR == 3, \"scalar\");\n"
		"_Static_assert(sizeof(FACTOR) == 8, \"double\");\n"
		"_Static_assert(1 / FACTOR > 0, \"no integer\");\n"
		"void kernel(void) { }\n");

	EXPECT(build.verdict == AO_VERDICT_PASSED);
	ao_build_release(&build);
}

static void a_generic_task_has_no_axis_macros(void)
{
	struct ao_build build;

	task->is_generic = true;
	build = build_source("#ifdef M\n#error M\n#endif\n"
			     "void kernel(void) { }\n");
	task->is_generic = false;
	EXPECT(build.verdict == AO_VERDICT_PASSED);
	ao_build_release(&build);
}

static void what_does_not_compile_says_where(void)
{
	EXPECT(ends_in("void kernel(void)\n{\n\treturn x;\n}\n",
		       AO_VERDICT_COMPILE_ERROR, "kernel.c:3:"));
}

static void messages_name_no_temporary_path(void)
{
	struct ao_build build = build_source(
		"void f(void);\nvoid kernel(void) { f(); y; }\n");

	EXPECT(build.log && strstr(build.log, "kernel.c:2:"));
	EXPECT(build.log && !strstr(build.log, "/tmp"));
	EXPECT(build.log && !strstr(build.log, folder));
	ao_build_release(&build);
	build = build_source("void f(void);\nvoid kernel(void) { f(); }\n");
	EXPECT(build.log && strstr(build.log, "undefined reference"));
	EXPECT(build.log && !strstr(build.log, "/tmp"));
	ao_build_release(&build);
}

static void a_function_that_nobody_defines_is_named(void)
{
	EXPECT(ends_in("void f(void);\nvoid kernel(void) { f(); }\n",
		       AO_VERDICT_COMPILE_ERROR, "undefined reference to"));
}

static void the_mathematical_library_is_linked(void)
{
	struct ao_build build = build_source(
		"#include <math.h>\n"
		"void kernel(const float *x, const float *g, float *y)\n"
		"{ y[0] = expf(x[0]) + g[0]; }\n");

	EXPECT(build.verdict == AO_VERDICT_PASSED);
	ao_build_release(&build);
}

static void an_object_without_the_entry_is_refused(void)
{
	static const char detail[] = "does not define the function 'kernel'";

	EXPECT(ends_in("", AO_VERDICT_COMPILE_ERROR, detail));
	EXPECT(ends_in("void kernel2(void) { }\n", AO_VERDICT_COMPILE_ERROR,
		       detail));
	EXPECT(ends_in("static void kernel(void) { }\n"
		       "void f(void) { kernel(); }\n",
		       AO_VERDICT_COMPILE_ERROR, detail));
	EXPECT(ends_in("int kernel = 3;\n", AO_VERDICT_COMPILE_ERROR, detail));
	EXPECT(ends_in("__attribute__((visibility(\"hidden\")))\n"
		       "void kernel(void) { }\n",
		       AO_VERDICT_COMPILE_ERROR, detail));
}

static void a_flag_that_is_not_allowed_is_banned(void)
{
	EXPECT(ends_in("// cflags: -ffast-math\n", AO_VERDICT_BANNED,
		       "'-ffast-math'"));
}

static void a_macro_of_ours_defined_anew_is_banned(void)
{
	EXPECT(ends_in("# define \\\n M 5\n", AO_VERDICT_BANNED, "'M'"));
}

static void macros_that_expand_for_ever_end_as_a_compile_error(void)
{
	struct ao_build build = build_with(
		"#define A(x) x x x x x x x x x x\n"
		"#define B(x) A(A(A(A(x))))\n"
		"#define C(x) B(B(B(B(x))))\n"
		"int kernel(void) { return 0 C(C(C(C(+1)))); }\n",
		300);

	EXPECT(build.verdict == AO_VERDICT_COMPILE_ERROR);
	EXPECT(build.detail && strstr(build.detail, "longer than 0.3 s"));
	ao_build_release(&build);
}

static void an_array_of_gigabytes_ends_as_a_compile_error(void)
{
	struct ao_build build = build_with("char x[1ul << 36] = { 1 };\n"
					   "void kernel(void) { x[5] = 1; }\n",
					   20000);

	EXPECT(build.verdict == AO_VERDICT_COMPILE_ERROR);
	EXPECT(build.detail && *build.detail);
	ao_build_release(&build);
}

static void a_log_is_capped(void)
{
	struct ao_buf source = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_build build;

	for (int i = 0; i < 3000; i++)
		ao_buf_addf(&source, "#warning %d\n", i);
	ao_buf_addstr(&source, "x\n");
	build = build_source(source.ptr);
	EXPECT(build.verdict == AO_VERDICT_COMPILE_ERROR);
	EXPECT(build.log && strlen(build.log) <= AO_MAX_LOG_BYTES);
	ao_build_release(&build);
	ao_buf_release(&source);
}

static void a_log_has_no_control_characters(void)
{
	struct ao_build build = build_source("#error \x1b[2J \xff\n");

	EXPECT(build.log && !strchr(build.log, 0x1b));
	EXPECT(build.log && !strchr(build.log, 0xff));
	EXPECT(build.detail && !strchr(build.detail, 0x1b));
	ao_build_release(&build);
}

static void the_compiler_sees_nothing_of_our_environment(void)
{
	struct ao_build build;

	setenv("CPATH", folder, 1);
	build = build_source("#include <secret.h>\nvoid kernel(void) { }\n");
	unsetenv("CPATH");
	EXPECT(build.verdict == AO_VERDICT_COMPILE_ERROR);
	EXPECT(build.detail && strstr(build.detail, "secret.h"));
	ao_build_release(&build);
}

static void several_files_make_one_object(void)
{
	struct ao_kernel kernel = make_kernel(
		"#include \"part/tile.h\"\n"
		"void kernel(void) { tile(); }\n");
	static const char header[] = "void tile(void);\n";
	static const char part[] = "#include \"tile.h\"\n"
				   "void tile(void) { }\n";
	struct ao_build build = { 0 };

	ao_kernel_add(&kernel, "part/tile.h", header, strlen(header));
	ao_kernel_add(&kernel, "part/kernel.c", part, strlen(part));
	must(ao_build_kernel(&build, folder, task, &task->cases[0], &kernel,
			     60000));
	EXPECT(build.verdict == AO_VERDICT_PASSED);
	ao_build_release(&build);
	ao_kernel_release(&kernel);
}

static void a_file_that_leaves_its_folder_is_refused(void)
{
	static const char *const paths[] = { "../x.c", "/tmp/x.c", "a/../b.c",
					     "-x.c",   "@x.c",	   "a//b.c",
					     "",       ".." };

	for (size_t i = 0; i < AO_ARRAY_SIZE(paths); i++) {
		struct ao_kernel kernel = { 0 };
		struct ao_build build = { 0 };

		ao_kernel_add(&kernel, paths[i], "int x;\n", 7);
		EXPECT(code_of(ao_build_kernel(&build, folder, task,
					       &task->cases[0], &kernel,
					       60000)) == AO_EINVALID);
		ao_kernel_release(&kernel);
	}
}

static void a_crash_of_the_compiler_is_a_compile_error(void)
{
	/* A program that reads where nothing is: as a bug of a real one. */
	char *fake = ao_xstrf("%s/bin", folder);
	char *path = ao_xstrdup(getenv("PATH"));
	char *source = ao_xstrf("%s/cc.c", fake);
	static const char text[] =
		"#include <stdio.h>\n"
		"#include <string.h>\n"
		"int main(int argc, char **argv)\n"
		"{\n"
		"	volatile int *nothing = 0;\n"
		"	if (argc > 1 && !strcmp(argv[1], \"--version\"))\n"
		"		return puts(\"gcc (Fake) 1.0\") < 0;\n"
		"	return *nothing;\n"
		"}\n";
	struct ao_process_end end = { 0 };
	struct ao_compiler real = { 0 };
	struct ao_strs args = { 0 };

	must(ao_file_make_folder(fake));
	must(ao_file_write(source, text, strlen(text)));
	must(ao_toolchain_find(&real, NULL));
	ao_strs_split(&args, "-O0 cc.c -o cc");
	must(ao_toolchain_run(&end, &real, &args, fake, 60000));
	EXPECT(!end.status);
	ao_process_end_release(&end);
	ao_compiler_release(&real);
	ao_strs_release(&args);
	setenv("PATH", fake, 1);
	EXPECT(ends_in(scale_kernel, AO_VERDICT_COMPILE_ERROR, "signal 11"));
	setenv("PATH", path, 1);
	free(source);
	free(path);
	free(fake);
}

static void a_compiler_that_is_not_there_is_named(void)
{
	/* A machine with a cc and nothing else. */
	char *bin = ao_xstrf("%s/only-cc", folder);
	char *link = ao_xstrf("%s/cc", bin);
	char *path = ao_xstrdup(getenv("PATH"));
	struct ao_compiler cc = { 0 };

	must(ao_toolchain_find(&cc, NULL));
	must(ao_file_make_folder(bin));
	EXPECT(!symlink(cc.program, link));
	setenv("PATH", bin, 1);
	EXPECT(ends_in("// cflags: compiler=clang\nvoid kernel(void) { }\n",
		       AO_VERDICT_COMPILE_ERROR,
		       "asks for clang, which is not installed"));
	setenv("PATH", path, 1);
	ao_compiler_release(&cc);
	free(path);
	free(link);
	free(bin);
}

static void no_compiler_at_all_is_an_error(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	char *path = ao_xstrdup(getenv("PATH"));
	struct ao_build build = { 0 };
	struct ao_error *err;

	setenv("PATH", "/nowhere", 1);
	err = ao_build_kernel(&build, folder, task, &task->cases[0], &kernel,
			      60000);
	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	EXPECT(tells(err, "install gcc or clang"));
	setenv("PATH", path, 1);
	ao_kernel_release(&kernel);
	free(path);
}

static void a_kernel_may_ask_for_clang(void)
{
	struct ao_build build;

	if (!have_clang()) {
		printf("# skipped: clang is not installed\n");
		return;
	}
	build = build_source("// cflags: compiler=clang -mllvm -polly\n"
			     "void kernel(void) { }\n");
	EXPECT(build.verdict == AO_VERDICT_PASSED ||
	       (build.log && strstr(build.log, "polly")));
	EXPECT(build.flags && strstr(build.flags, "clang "));
	ao_build_release(&build);
}

static void remarks_name_the_line_and_the_reason(void)
{
	struct ao_kernel kernel = make_kernel(
		"void kernel(const float *x, const float *g, float *y)\n"
		"{\n"
		"	float sum = 0;\n"
		"	for (int i = 0; i < M; i++)\n"
		"		sum += x[i] * g[i];\n"
		"	y[0] = sum;\n"
		"}\n");
	struct ao_remarks remarks = { 0 };
	bool found = false;

	must(ao_build_remarks(&remarks, folder, task, &task->cases[0], &kernel,
			      60000));
	if (!have_clang()) {
		EXPECT(!remarks.count);
	} else {
		for (size_t i = 0; i < remarks.count; i++)
			found = found ||
				(remarks.items[i].line == 5 &&
				 strstr(remarks.items[i].text, "reorder"));
		EXPECT(found);
		EXPECT(remarks.count <= AO_MAX_REMARKS);
	}
	ao_remarks_release(&remarks);
	ao_kernel_release(&kernel);
}

static void of_several_files_remarks_name_one(void)
{
	struct ao_kernel kernel = make_kernel(
		"#include \"sub/part.h\"\n"
		"void kernel(const float *x, const float *g, float *y)\n"
		"{\n"
		"	y[0] = sum(x, g);\n"
		"}\n");
	static const char part[] =
		"static float sum(const float *x, const float *g)\n"
		"{\n"
		"	float sum = 0;\n"
		"	for (int i = 0; i < M; i++)\n"
		"		sum += x[i] * g[i];\n"
		"	return sum;\n"
		"}\n";
	struct ao_remarks remarks = { 0 };

	ao_kernel_add(&kernel, "sub/part.h", part, strlen(part));
	must(ao_build_remarks(&remarks, folder, task, &task->cases[0], &kernel,
			      60000));
	EXPECT(!have_clang() || remarks.count > 0);
	for (size_t i = 0; i < remarks.count; i++)
		EXPECT(remarks.items[i].file && remarks.items[i].line >= 4 &&
		       !strcmp(remarks.items[i].file, "sub/part.h"));
	ao_remarks_release(&remarks);
	ao_kernel_release(&kernel);
}

static void lines_of_debuggers_are_not_among_the_flags_that_are_told(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_build with = { 0 };

	must(ao_build_with(&with, folder, task, &task->cases[0], &kernel, "-g1",
			   60000));
	EXPECT(with.verdict == AO_VERDICT_PASSED && with.object);
	EXPECT(with.flags && !strstr(with.flags, "-g1"));
	ao_build_release(&with);
	ao_kernel_release(&kernel);
}

static void a_remark_is_told_once(void)
{
	struct ao_buf source = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_remarks remarks = { 0 };
	struct ao_kernel kernel;

	/* Sixty loops that cannot be vectorised, each a remark or two. */
	ao_buf_addstr(&source, "int kernel(const float *x, float *y)\n{\n");
	for (int i = 0; i < 60; i++)
		ao_buf_addstr(&source, "for (int i = 1; i < M; i++)\n"
				       "y[i] = y[i - 1] * x[y[i] > 0];\n");
	ao_buf_addstr(&source, "return 0;\n}\n");
	kernel = make_kernel(source.ptr);
	must(ao_build_remarks(&remarks, folder, task, &task->cases[0], &kernel,
			      60000));
	EXPECT(remarks.count <= AO_MAX_REMARKS);
	for (size_t i = 1; i < remarks.count; i++) {
		const struct ao_remark *a = &remarks.items[i - 1];
		const struct ao_remark *b = &remarks.items[i];

		EXPECT(a->line < b->line || strcmp(a->text, b->text) < 0);
	}
	ao_remarks_release(&remarks);
	ao_kernel_release(&kernel);
	ao_buf_release(&source);
}

static void a_kernel_that_clang_does_not_take_has_no_remarks(void)
{
	struct ao_kernel kernel = make_kernel("void kernel(void) { x; }\n");
	struct ao_remarks remarks = { 0 };

	must(ao_build_remarks(&remarks, folder, task, &task->cases[0], &kernel,
			      60000));
	EXPECT(!remarks.count);
	ao_remarks_release(&remarks);
	ao_kernel_release(&kernel);
}

/*
 * Whether an assembler's `directive`, with a %s for a file that is nobody's
 * business, brings the kernel that verdict and not a word of what it says.
 */
static bool keeps_secret(const char *cflags, const char *directive,
			 enum ao_verdict verdict)
{
	char *path = ao_xstrf("%s/secret", folder);
	char *source = ao_xstrf("// cflags: %s\n"
				"__asm__(\".section .rodata\\n\"\n"
				"%s \" \\\"%s\\\"\\n.text\");\n"
				"void kernel(void) { }\n",
				cflags, directive, path);
	struct ao_build build;
	bool keeps;

	must(ao_file_write(path, "xyzzy a b\n", 10));
	build = build_source(source);
	keeps = build.verdict == verdict && !build.object &&
		!strstr(build.log ? build.log : "", "xyzzy") &&
		!strstr(build.detail, "xyzzy");
	if (!keeps)
		printf("# got %s: %s\n%s", ao_verdict_name(build.verdict),
		       build.detail ? build.detail : "no detail",
		       build.log ? build.log : "");
	ao_build_release(&build);
	free(source);
	free(path);
	return keeps;
}

static const char glued[] = "\".inc\" \"bin\"";
static const char escaped[] = "\".inc\\x62in\"";

static void no_cage_lets_the_assembler_read_a_file(void)
{
	EXPECT(keeps_secret("-O1", glued, AO_VERDICT_COMPILE_ERROR));
	EXPECT(keeps_secret("-O1", escaped, AO_VERDICT_COMPILE_ERROR));
}

/* From here on files are open to compilers. */
static void where_files_are_open_the_assembler_is_asked_what_it_read(void)
{
	ao_cage_settle_for(AO_ISOLATION_NONE, "this test asks for it");
	EXPECT(keeps_secret("-O1", glued, AO_VERDICT_BANNED));
	EXPECT(keeps_secret("-O1", escaped, AO_VERDICT_BANNED));
	if (have_clang())
		EXPECT(keeps_secret("compiler=clang", glued,
				    AO_VERDICT_BANNED));
}

/* What is read as instructions is quoted by the assembler, and not a list. */
static void there_what_an_assembler_quotes_is_not_passed_on(void)
{
	static const char include[] = "\".inc\" \"lude\"";

	EXPECT(keeps_secret("-O1", include, AO_VERDICT_COMPILE_ERROR));
	if (have_clang())
		EXPECT(keeps_secret("compiler=clang", include,
				    AO_VERDICT_COMPILE_ERROR));
}

static void there_an_honest_kernel_is_built_as_elsewhere(void)
{
	static const char *const compilers[] = { "-O2", "compiler=clang" };

	for (size_t i = 0; i < (have_clang() ? 2 : 1); i++) {
		char *source = ao_xstrf("// cflags: %s\n"
					"#include <math.h>\n%s\n"
					"float g(void);\nfloat g(void)\n"
					"{ float x = 2;\n"
					"__asm__(\"\" : \"+m\"(x)); "
					"return expf(x); }\n",
					compilers[i], scale_kernel);
		struct ao_build build = build_source(source);

		EXPECT(build.verdict == AO_VERDICT_PASSED && build.object);
		ao_build_release(&build);
		free(source);
	}
	EXPECT(ends_in("void kernel(void)\n{\n\treturn x;\n}\n",
		       AO_VERDICT_COMPILE_ERROR, "kernel.c:3:"));
	EXPECT(ends_in("#include \"none.h\"\n", AO_VERDICT_COMPILE_ERROR,
		       "none.h"));
}

/* As one that is neither gcc nor clang may. */
static void there_a_compiler_that_keeps_no_lists_will_not_do(void)
{
	char *bin = ao_xstrf("%s/no-lists", folder);
	char *program = ao_xstrf("%s/cc", bin);
	char *path = ao_xstrdup(getenv("PATH"));
	static const char text[] = "#!/bin/sh\n"
				   "test \"$1\" = --version && echo cc 1\n"
				   "exit 0\n";

	must(ao_file_make_folder(bin));
	must(ao_file_write(program, text, strlen(text)));
	EXPECT(!chmod(program, 0755));
	setenv("PATH", bin, 1);
	EXPECT(ends_in(scale_kernel, AO_VERDICT_COMPILE_ERROR,
		       "does not say which files it reads"));
	setenv("PATH", path, 1);
	free(path);
	free(program);
	free(bin);
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	task = scale_task();
	RUN(a_kernel_becomes_an_object);
	RUN(the_record_names_compiler_and_flags);
	RUN(axes_and_scalars_are_macros);
	RUN(a_generic_task_has_no_axis_macros);
	RUN(what_does_not_compile_says_where);
	RUN(messages_name_no_temporary_path);
	RUN(a_function_that_nobody_defines_is_named);
	RUN(the_mathematical_library_is_linked);
	RUN(an_object_without_the_entry_is_refused);
	RUN(a_flag_that_is_not_allowed_is_banned);
	RUN(a_macro_of_ours_defined_anew_is_banned);
	RUN(macros_that_expand_for_ever_end_as_a_compile_error);
	RUN(an_array_of_gigabytes_ends_as_a_compile_error);
	RUN(a_log_is_capped);
	RUN(a_log_has_no_control_characters);
	RUN(the_compiler_sees_nothing_of_our_environment);
	RUN(several_files_make_one_object);
	RUN(a_file_that_leaves_its_folder_is_refused);
	RUN(a_crash_of_the_compiler_is_a_compile_error);
	RUN(a_compiler_that_is_not_there_is_named);
	RUN(no_compiler_at_all_is_an_error);
	RUN(a_kernel_may_ask_for_clang);
	RUN(remarks_name_the_line_and_the_reason);
	RUN(of_several_files_remarks_name_one);
	RUN(lines_of_debuggers_are_not_among_the_flags_that_are_told);
	RUN(a_remark_is_told_once);
	RUN(a_kernel_that_clang_does_not_take_has_no_remarks);
	RUN(no_cage_lets_the_assembler_read_a_file);
	RUN(where_files_are_open_the_assembler_is_asked_what_it_read);
	RUN(there_what_an_assembler_quotes_is_not_passed_on);
	RUN(there_an_honest_kernel_is_built_as_elsewhere);
	RUN(there_a_compiler_that_keeps_no_lists_will_not_do);
	ao_task_free(task);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
