/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/flags.h"
#include "util/strs.h"

/* The flags of a source as one line, or why they are refused. */
static char *flags_of(const char *source)
{
	struct ao_flags flags = { 0 };
	char *text = ao_flags_read(&flags, source, strlen(source), false);

	if (text)
		return text;
	text = ao_xstrdup("");
	for (size_t i = 0; i < flags.words.count; i++) {
		char *longer = ao_xstrf("%s%s%s", text, *text ? " " : "",
					flags.words.v[i]);

		free(text);
		text = longer;
	}
	ao_flags_release(&flags);
	return text;
}

static bool reads(const char *source, const char *expected)
{
	char *text = flags_of(source);
	bool same = !strcmp(text, expected);

	if (!same)
		printf("# got: %s\n", text);
	free(text);
	return same;
}

static bool is_refused(const char *flag)
{
	char *why = ao_flags_check(flag, false);
	bool names_it = why && strstr(why, flag);

	free(why);
	return names_it;
}

static bool is_allowed(const char *flag)
{
	char *why = ao_flags_check(flag, false);
	bool allowed = !why;

	free(why);
	return allowed;
}

static void threads_have_flags_of_their_own(void)
{
	static const char source[] = "// cflags: -fopenmp -pthread\n";
	struct ao_flags flags = { 0 };

	EXPECT(is_refused("-fopenmp"));
	EXPECT(is_refused("-pthread"));
	EXPECT(is_refused("-ftree-parallelize-loops=4"));
	EXPECT(!ao_flags_check("-ftree-parallelize-loops=4", true));
	EXPECT(!ao_flags_read(&flags, source, strlen(source), true));
	EXPECT(flags.words.count == 2);
	EXPECT(ao_flags_want_openmp(&flags));
	ao_flags_release(&flags);
	EXPECT(!ao_flags_want_openmp(&flags));
}

static enum ao_flags_compiler compiler_of(const char *source)
{
	struct ao_flags flags = { 0 };
	char *why = ao_flags_read(&flags, source, strlen(source), false);
	enum ao_flags_compiler compiler = flags.compiler;

	EXPECT(!why);
	free(why);
	ao_flags_release(&flags);
	return compiler;
}

static void flags_stand_in_the_first_comment(void)
{
	EXPECT(reads("/* cflags: -O2 -fno-math-errno */\nint x;\n",
		     "-O2 -fno-math-errno"));
	EXPECT(reads("// cflags: -O2\nint x;\n", "-O2"));
	EXPECT(reads("/*\n * silu\n * cflags: -O1\n * fast\n */\n", "-O1"));
}

static void comments_before_any_code_count_as_the_first(void)
{
	EXPECT(reads("/* SPDX-License-Identifier: MIT */\n"
		     "// cflags: -O1\nint x;\n",
		     "-O1"));
	EXPECT(reads("// cflags: -O1\n// cflags: -funroll-loops\n",
		     "-O1 -funroll-loops"));
}

static void a_first_comment_behind_code_is_the_first_still(void)
{
	EXPECT(reads("#include <math.h>\n// cflags: -O1\n", "-O1"));
}

static void a_later_comment_has_no_say(void)
{
	EXPECT(reads("// fast\nint x;\n// cflags: -O1\n", ""));
	EXPECT(reads("// fast\nint x;\n/* cflags: -ffast-math */\n", ""));
}

static void text_in_a_string_is_no_comment(void)
{
	EXPECT(reads("char *s = \"/* cflags: -ffast-math */\";\n", ""));
}

static void a_source_without_a_comment_asks_for_nothing(void)
{
	EXPECT(reads("", ""));
	EXPECT(reads("int x;\n", ""));
	EXPECT(reads("/* cflags: */\n", ""));
	EXPECT(reads("/*", ""));
	EXPECT(reads("//", ""));
}

static void the_end_of_a_comment_is_no_part_of_a_flag(void)
{
	EXPECT(reads("/* cflags: -O2*/\n", "-O2"));
}

static void the_list_of_allowed_flags_is_as_documented(void)
{
	static const char *const flags[] = {
		"-O0",
		"-O3",
		"-march=x86-64-v3",
		"-mtune=znver3",
		"-mprefer-vector-width=512",
		"-fopenmp-simd",
		"-fno-math-errno",
		"-fno-trapping-math",
		"-fno-signed-zeros",
		"-funroll-loops",
		"-ftree-vectorize",
		"-ftree-vectorizer-verbose=2",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(flags); i++)
		EXPECT(is_allowed(flags[i]));
}

static void anything_else_is_refused_by_name(void)
{
	static const char *const flags[] = {
		"-Ofast",
		"-ffast-math",
		"-Os",
		"-O4",
		"-O",
		"-fplugin=evil.so",
		"-B/tmp",
		"-specs=x",
		"@file",
		"-include",
		"-Ifoo",
		"-Lfoo",
		"-lfoo",
		"-Wl,-z,now",
		"-Xlinker",
		"-DM=1",
		"-o",
		"kernel2.c",
		"-fno-x/../../etc",
		"-march=native,-z",
		"-march",
		"-funroll-loopsx",
		"-ftree-x=/tmp/y",
		"compiler=icc",
		"-mprefer-vector-width=a/b",
		"-save-temps",
		"-fassociative-math",
		"-mllvm",
		"-polly",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(flags); i++)
		EXPECT(is_refused(flags[i]));
}

static void flags_for_threads_are_refused_where_there_is_one(void)
{
	EXPECT(is_refused("-fopenmp"));
	EXPECT(is_refused("-ftree-parallelize-loops=4"));
}

static void a_refusal_names_the_flag(void)
{
	EXPECT(reads("// cflags: -O2 -ffast-math -O1\n",
		     "flag '-ffast-math' is not allowed"));
}

static void control_characters_of_a_flag_are_escaped(void)
{
	char *why = ao_flags_check("\x1b[2J", false);

	EXPECT(why && !strchr(why, 0x1b));
	free(why);
}

static void polly_is_the_one_option_for_llvm(void)
{
	EXPECT(reads("// cflags: compiler=clang -mllvm -polly -O2\n",
		     "-mllvm -polly -O2"));
	EXPECT(reads("// cflags: -mllvm -load=x\n",
		     "flag '-mllvm' is only allowed with '-polly'"));
	EXPECT(reads("// cflags: -O2 -mllvm\n", "flag '-mllvm' has no value"));
}

static void a_kernel_chooses_its_compiler(void)
{
	EXPECT(compiler_of("// cflags: compiler=clang\n") == AO_FLAGS_CLANG);
	EXPECT(compiler_of("// cflags: -O2 compiler=gcc\n") == AO_FLAGS_GCC);
	EXPECT(compiler_of("// cflags: -O2\n") == AO_FLAGS_ANY_COMPILER);
}

int main(void)
{
	RUN(flags_stand_in_the_first_comment);
	RUN(comments_before_any_code_count_as_the_first);
	RUN(a_first_comment_behind_code_is_the_first_still);
	RUN(a_later_comment_has_no_say);
	RUN(text_in_a_string_is_no_comment);
	RUN(a_source_without_a_comment_asks_for_nothing);
	RUN(the_end_of_a_comment_is_no_part_of_a_flag);
	RUN(the_list_of_allowed_flags_is_as_documented);
	RUN(anything_else_is_refused_by_name);
	RUN(flags_for_threads_are_refused_where_there_is_one);
	RUN(a_refusal_names_the_flag);
	RUN(control_characters_of_a_flag_are_escaped);
	RUN(polly_is_the_one_option_for_llvm);
	RUN(threads_have_flags_of_their_own);
	RUN(a_kernel_chooses_its_compiler);
	return tap_done();
}
