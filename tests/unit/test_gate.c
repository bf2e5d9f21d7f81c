/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/gate.h"
#include "eval_task.h"

static struct ao_task *task;

/* Why a source is refused, or NULL. */
static char *refusal_of(const char *source, size_t len)
{
	struct ao_kernel kernel = { 0 };
	struct ao_flags flags = { 0 };
	char *why;

	ao_kernel_add(&kernel, "kernel.c", source, len);
	why = ao_gate_check(&flags, task, &kernel);
	ao_flags_release(&flags);
	ao_kernel_release(&kernel);
	return why;
}

static bool passes(const char *source)
{
	char *why = refusal_of(source, strlen(source));

	if (why)
		printf("# refused: %s\n", why);
	free(why);
	return !why;
}

static bool refuses(const char *source, const char *expected)
{
	char *why = refusal_of(source, strlen(source));
	bool same = why && !strcmp(why, expected);

	if (!same)
		printf("# got: %s\n", why ? why : "no refusal");
	free(why);
	return same;
}

static const char axis_m[] =
	"kernel.c:1: #define of the axis 'M' is not allowed";

static void an_ordinary_kernel_passes(void)
{
	EXPECT(passes(scale_kernel));
	EXPECT(passes("#include <math.h>\n#define TILE 4\n#undef TILE\n"));
	EXPECT(passes(""));
}

static void an_axis_may_not_be_defined_anew(void)
{
	EXPECT(refuses("#define M 3\n", axis_m));
	EXPECT(refuses("int x;\n#define N 3\n",
		       "kernel.c:2: #define of the axis 'N' is not allowed"));
}

static void an_axis_may_not_be_undefined(void)
{
	EXPECT(refuses("#undef M\n",
		       "kernel.c:1: #undef of the axis 'M' is not allowed"));
}

static void a_scalar_may_not_be_defined_anew(void)
{
	EXPECT(refuses("#define FACTOR 1\n",
		       "kernel.c:1: #define of the scalar 'FACTOR' is not "
		       "allowed"));
}

static void a_longer_name_is_another_name(void)
{
	EXPECT(passes("#define MR 4\n#define M_ 3\n#define NM 2\n"));
	EXPECT(passes("#define TILE M\n"));
}

static void blanks_and_comments_do_not_hide_a_directive(void)
{
	EXPECT(refuses("  #  define  M 3\n", axis_m));
	EXPECT(refuses("#/* x */define/* y */M 3\n", axis_m));
	EXPECT(refuses("/* x */ #define M 3\n", axis_m));
	EXPECT(refuses("#define M(x) x\n", axis_m));
	EXPECT(refuses("%:define M 3\n", axis_m));
}

static void spliced_lines_do_not_hide_a_directive(void)
{
	EXPECT(refuses("#\\\ndefine M 3\n",
		       "kernel.c:2: #define of the axis 'M' is not allowed"));
	EXPECT(refuses("#def\\\nine M 3\n",
		       "kernel.c:2: #define of the axis 'M' is not allowed"));
	EXPECT(refuses("#define \\  \nM 3\n",
		       "kernel.c:2: #define of the axis 'M' is not allowed"));
	EXPECT(refuses("#define \\\r\nM 3\r\n",
		       "kernel.c:2: #define of the axis 'M' is not allowed"));
}

static void a_comment_over_lines_counts_them(void)
{
	EXPECT(refuses("/*\n\n*/\n#define M 3\n",
		       "kernel.c:4: #define of the axis 'M' is not allowed"));
}

static void a_directive_in_a_comment_or_string_is_none(void)
{
	EXPECT(passes("/*\n#define M 3\n*/\n"));
	EXPECT(passes("// x \\\n#define M 3\n"));
	EXPECT(passes("char *s = \"\\\n#define M 3\";\n"));
	EXPECT(passes("int x; #define M 3\n"));
}

static void an_open_string_ends_with_its_line(void)
{
	EXPECT(refuses("#if 0\n\"\n#endif\n#define M 3\n",
		       "kernel.c:4: #define of the axis 'M' is not allowed"));
	EXPECT(refuses("#if 0\n' /*\n#endif\n#define M 3\n",
		       "kernel.c:4: #define of the axis 'M' is not allowed"));
}

static void a_raw_string_is_refused(void)
{
	EXPECT(refuses("char *s = R\"(/*)\";\n",
		       "kernel.c:1: raw strings are not allowed"));
	EXPECT(passes("char *s = L\"x\" VAR\"y\";\n"));
}

static void a_lone_carriage_return_is_refused(void)
{
	EXPECT(refuses("int x;\n// \r#define M 3\n",
		       "kernel.c:2: a carriage return within a line is not "
		       "allowed"));
	EXPECT(passes("int x;\r\nint y;\r\n"));
}

static void includes_stay_with_the_kernel_or_the_compiler(void)
{
	EXPECT(passes("#include \"tile.h\"\n#include <immintrin.h>\n"));
	EXPECT(refuses("#include \"/etc/passwd\"\n",
		       "kernel.c:1: #include of '/etc/passwd' is not allowed"));
	EXPECT(refuses("#include </etc/passwd>\n",
		       "kernel.c:1: #include of '/etc/passwd' is not allowed"));
	EXPECT(refuses("#include \"../x.c\"\n",
		       "kernel.c:1: #include of '../x.c' is not allowed"));
	EXPECT(refuses("#define F \"x\"\n#include F\n",
		       "kernel.c:2: an #include without a plain file name is "
		       "not allowed"));
	EXPECT(refuses("#include\n#define M 3\n",
		       "kernel.c:1: an #include without a plain file name is "
		       "not allowed"));
}

static void optimize_takes_only_what_flags_may_say(void)
{
	EXPECT(passes("#pragma GCC optimize(\"O3\", \"unroll-loops\")\n"));
	EXPECT(passes("__attribute__((optimize(\"O2\"))) void f(void);\n"));
	EXPECT(refuses("#pragma GCC optimize(\"Ofast\")\n",
		       "kernel.c:1: flag '-Ofast' is not allowed"));
	EXPECT(refuses("#pragma GCC optimize \\\n (\"fast-math\")\n",
		       "kernel.c:2: flag '-ffast-math' is not allowed"));
	EXPECT(refuses("__attribute__((__optimize__(\"O2,fast-math\")))\n",
		       "kernel.c:1: flag '-ffast-math' is not allowed"));
	EXPECT(refuses("__attribute__((optimize(\n#define M 3\n",
		       "kernel.c:1: 'optimize' is only allowed with strings "
		       "in parentheses behind it"));
	EXPECT(passes("__attribute__((optimize(3))) void f(void);\n"));
	EXPECT(passes("char *s = \"optimize fast-math\";\n"));
}

static void optimize_cannot_hide_what_it_says(void)
{
	static const char only[] =
		"kernel.c:1: 'optimize' is only allowed with strings in "
		"parentheses behind it";

	EXPECT(refuses("#pragma GCC optimize \"fast-math\"\n", only));
	EXPECT(refuses("#define O optimize\n", only));
	EXPECT(refuses("__attribute__((optimize(S))) void f(void);\n", only));
	EXPECT(refuses("_Pragma(\"GCC optimize (\\\"fast-math\\\")\")\n",
		       "kernel.c:1: 'optimize' in a _Pragma is not allowed"));
	EXPECT(passes("_Pragma(\"GCC unroll 4\")\n"));
}

static void the_assembler_reads_no_files_either(void)
{
	EXPECT(refuses("__asm__(\".incbin \\\"/etc/passwd\\\"\");\n",
		       "kernel.c:1: '.incbin' in a string is not allowed"));
	EXPECT(refuses("int a;\n__asm__(\".include 'x'\");\n",
		       "kernel.c:2: '.include' in a string is not allowed"));
	EXPECT(refuses("#if __has_include(\"/etc/passwd\")\n#endif\n",
		       "kernel.c:1: '__has_include' is not allowed"));
	EXPECT(passes("__asm__ volatile(\"\" : : : \"memory\");\n"));
}

static void other_ways_to_name_a_file_are_refused(void)
{
	static const char line[] = "kernel.c:1: '#line' is only allowed with "
				   "a number alone";

	EXPECT(refuses("#embed \"/etc/passwd\"\n",
		       "kernel.c:1: #embed is not allowed"));
	EXPECT(refuses("#if __has_embed(\"x\")\n#endif\n",
		       "kernel.c:1: '__has_embed' is not allowed"));
	EXPECT(refuses("#line 1 \"/etc/passwd\"\n", line));
	EXPECT(refuses("#define L 1 \"/etc/passwd\"\n#line L\n",
		       "kernel.c:2: '#line' is only allowed with a number "
		       "alone"));
	EXPECT(refuses("#line 1 L\n", line));
	EXPECT(refuses("# 1 \"/etc/passwd\"\n", line));
	EXPECT(passes("#line 7\nint x;\n# 9\n#line 7"));
}

static void pragmas_that_name_a_file_are_refused(void)
{
	static const char dependency[] =
		"kernel.c:1: the pragma 'dependency' is not allowed";

	EXPECT(refuses("#pragma GCC dependency \"/etc/passwd\"\n", dependency));
	EXPECT(refuses("#pragma GCC pch_preprocess \"x\"\n",
		       "kernel.c:1: the pragma 'pch_preprocess' is not "
		       "allowed"));
	EXPECT(refuses("PRAGMA(GCC /**/ dependency \"/etc/passwd\")\n",
		       dependency));
	EXPECT(refuses("_Pragma(\"GCC dependency \\\"x\\\"\")\n",
		       "kernel.c:1: 'dependency' in a _Pragma is not "
		       "allowed"));
	EXPECT(passes("#pragma GCC ivdep\nint dependency;\n"));
	EXPECT(!passes("#pragma GCC optimize(\"Ofast\")\n"));
}

static void a_flag_that_is_not_allowed_is_refused(void)
{
	EXPECT(refuses("// cflags: -Ofast\n", "flag '-Ofast' is not allowed"));
}

static void all_files_are_looked_at(void)
{
	struct ao_kernel kernel = make_kernel("// cflags: -O1\n");
	struct ao_flags flags = { 0 };
	char *why;

	ao_kernel_add(&kernel, "tile.h", "#undef M\n", 9);
	why = ao_gate_check(&flags, task, &kernel);
	EXPECT(why && !strcmp(why, "tile.h:1: #undef of the axis 'M' is not "
				   "allowed"));
	EXPECT(!flags.words.count);
	free(why);
	ao_kernel_release(&kernel);
}

static void a_generic_task_has_no_axis_macros(void)
{
	task->is_generic = true;
	EXPECT(passes("#define M 3\n"));
	EXPECT(!passes("#define FACTOR 1\n"));
	task->is_generic = false;
}

static void a_nul_does_not_end_the_source(void)
{
	static const char source[] = "int x;\0\n#define M 3\n";
	char *why = refusal_of(source, sizeof(source) - 1);

	EXPECT(why && strstr(why, "'M'"));
	free(why);
}

int main(void)
{
	task = scale_task();
	RUN(an_ordinary_kernel_passes);
	RUN(an_axis_may_not_be_defined_anew);
	RUN(an_axis_may_not_be_undefined);
	RUN(a_scalar_may_not_be_defined_anew);
	RUN(a_longer_name_is_another_name);
	RUN(blanks_and_comments_do_not_hide_a_directive);
	RUN(spliced_lines_do_not_hide_a_directive);
	RUN(a_comment_over_lines_counts_them);
	RUN(a_directive_in_a_comment_or_string_is_none);
	RUN(an_open_string_ends_with_its_line);
	RUN(a_raw_string_is_refused);
	RUN(a_lone_carriage_return_is_refused);
	RUN(includes_stay_with_the_kernel_or_the_compiler);
	RUN(optimize_takes_only_what_flags_may_say);
	RUN(optimize_cannot_hide_what_it_says);
	RUN(the_assembler_reads_no_files_either);
	RUN(other_ways_to_name_a_file_are_refused);
	RUN(pragmas_that_name_a_file_are_refused);
	RUN(a_flag_that_is_not_allowed_is_refused);
	RUN(all_files_are_looked_at);
	RUN(a_generic_task_has_no_axis_macros);
	RUN(a_nul_does_not_end_the_source);
	ao_task_free(task);
	return tap_done();
}
