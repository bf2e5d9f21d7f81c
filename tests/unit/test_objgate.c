/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/build.h"
#include "eval/callable.h"
#include "eval/elf.h"
#include "eval/object.h"
#include "eval/objgate.h"
#include "eval/toolchain.h"
#include "eval_task.h"
#include "util/file.h"

static struct ao_task *task;
static char *folder;

static const char plain[] =
	"void kernel(const float *x, const float *g, float *y)\n"
	"{ y[0] = x[0] + g[0]; }\n";

static struct ao_build build_source(const char *source)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_build build = { 0 };

	must(ao_build_kernel(&build, folder, task, &task->cases[0], &kernel,
			     60000));
	ao_kernel_release(&kernel);
	return build;
}

/* Whether a source is banned, in words that have all of these, '|' between. */
static bool is_refused(const char *source, const char *words)
{
	struct ao_build build = build_source(source);
	char *list = ao_xstrdup(words), *rest = list;
	bool is = build.verdict == AO_VERDICT_BANNED && !build.object;

	for (char *word; is && (word = strsep(&rest, "|"));)
		is = strstr(build.detail, word) != NULL;
	if (!is)
		printf("# %s: %s\n%s\n", ao_verdict_name(build.verdict),
		       build.detail ? build.detail : "",
		       build.log ? build.log : "");
	free(list);
	ao_build_release(&build);
	return is;
}

static bool passes(const char *source)
{
	struct ao_build build = build_source(source);
	bool is = build.verdict == AO_VERDICT_PASSED;

	if (!is)
		printf("# %s: %s\n# in %s\n", ao_verdict_name(build.verdict),
		       build.detail, source);
	ao_build_release(&build);
	return is;
}

/* The same by each compiler, at each level. */
static bool passes_everywhere(const char *source)
{
	static const char *const compilers[] = { "gcc", "clang" };
	bool is = true;

	for (size_t i = 0; i < AO_ARRAY_SIZE(compilers); i++) {
		struct ao_compiler compiler = { 0 };

		if (code_of(ao_toolchain_find(&compiler, compilers[i])))
			continue;
		ao_compiler_release(&compiler);
		for (int level = 0; level <= 3; level++) {
			char *text = ao_xstrf("/* cflags: compiler=%s -O%d "
					      "*/\n%s",
					      compilers[i], level, source);

			is = passes(text) && is;
			free(text);
		}
	}
	return is;
}

static void functions_of_mathematics_may_be_called(void)
{
	EXPECT(passes_everywhere(
		"#include <math.h>\n"
		"void kernel(const float *x, const double *g, float *y)\n"
		"{\n"
		"	double s, c; int e;\n"
		"	for (int i = 0; i < N; i++)\n"
		"		y[i] = expf(x[i]) + tanhf(x[i]) * logf(x[i]) +\n"
		"		       powf(x[i], 3.5f) + sqrtf(x[i]);\n"
		"	s = sin(g[0]); c = cos(g[0]);\n"
		"	y[0] = (float)(s + c + frexp(g[1], &e) + erf(g[2]) +\n"
		"	       fmod(g[3], g[4]) + (double)expl(g[5]) +\n"
		"	       isnan(g[6]) + fpclassify(g[7]) + lround(g[8]));\n"
		"}\n"));
}

static void memory_may_be_filled_copied_and_had(void)
{
	EXPECT(passes_everywhere(
		"#include <stdlib.h>\n"
		"#include <string.h>\n"
		"#include <assert.h>\n"
		"static _Thread_local float mine[300];\n"
		"static float scratch[1 << 16];\n"
		"void kernel(const float *x, const float *g, float *y)\n"
		"{\n"
		"	float *more = malloc(sizeof(float) * N);\n"
		"	volatile char stack[200000];\n"
		"	assert(more);\n"
		"	memset(mine, 0, sizeof(mine));\n"
		"	memcpy(scratch, x, sizeof(scratch));\n"
		"	memmove(scratch + 1, scratch, 400);\n"
		"	stack[g[0] > 0] = 1;\n"
		"	for (int i = 0; i < 300; i++)\n"
		"		y[i] = mine[i] + scratch[i] +\n"
		"		       memcmp(x, g, N) + stack[i];\n"
		"	free(more);\n"
		"}\n"));
}

static void tables_of_functions_and_jumps_pass(void)
{
	EXPECT(passes_everywhere(
		"static float f(float x) { return x + 1; }\n"
		"static float g1(float x) { return x * x; }\n"
		"static float (*const table[])(float) = { f, g1, f, g1 };\n"
		"void kernel(const float *x, const int *g, float *y)\n"
		"{\n"
		"	for (int i = 0; i < N; i++) {\n"
		"		switch (g[i]) {\n"
		"		case 0: y[i] = x[i]; break;\n"
		"		case 1: y[i] = x[i] * 7; break;\n"
		"		case 2: y[i] = x[i] - 9; break;\n"
		"		case 3: y[i] = 1 / x[i]; break;\n"
		"		case 4: y[i] = -x[i]; break;\n"
		"		case 5: y[i] = 3; break;\n"
		"		default: y[i] = table[g[i] & 3](x[i]);\n"
		"		}\n"
		"	}\n"
		"}\n"));
}

static void helpers_that_are_not_static_pass_and_are_not_exported(void)
{
	struct ao_build build = build_source(
		"float clock_gettime(float x) { return x + 1; }\n"
		"float shared[3];\n"
		"void kernel(const float *x, const float *g, float *y)\n"
		"{ y[0] = clock_gettime(x[0]) + shared[1]; }\n");
	struct ao_buf data = ao_object_buf();
	bool found = true;

	EXPECT(build.verdict == AO_VERDICT_PASSED);
	must(ao_file_read(&data, build.object));
	must(ao_object_exports(&found, data.ptr, data.len, "clock_gettime"));
	EXPECT(!found);
	ao_buf_release(&data);
	ao_build_release(&build);
}

static void versions_for_other_processors_are_left_out(void)
{
	EXPECT(passes("__attribute__((target_clones(\"default\", \"avx2\")))\n"
		      "void kernel(const float *x, const float *g, float *y)\n"
		      "{ y[0] = x[0] + g[0]; }\n"));
	EXPECT(passes("__attribute__((noinline, "
		      "__target_clones__(\"default\", \"avx2\")))\n"
		      "void kernel(void) { }\n"));
}

static void a_call_of_anything_else_is_named(void)
{
	EXPECT(is_refused("int fork(void);\nvoid kernel(void) { fork(); }\n",
			  "'fork'|mathematics and memory|compute it without"));
	EXPECT(is_refused("#include <time.h>\n"
			  "void kernel(long *x)\n"
			  "{ struct timespec t;\n"
			  "  clock_gettime(0, &t); *x = t.tv_nsec; }\n",
			  "'clock_gettime'"));
	EXPECT(is_refused("#include <stdio.h>\n"
			  "void kernel(void) { puts(\"x\"); }\n",
			  "'puts'"));
	EXPECT(is_refused("#include <fenv.h>\n"
			  "void kernel(void) { fesetround(FE_UPWARD); }\n",
			  "'fesetround'"));
	EXPECT(is_refused("extern char **environ;\n"
			  "char **kernel(void) { return environ; }\n",
			  "'environ'"));
}

static void a_name_that_may_be_missing_is_named_as_well(void)
{
	EXPECT(is_refused("extern float expected[] __attribute__((weak));\n"
			  "void kernel(float *x)\n"
			  "{ if (expected) *x = expected[0]; }\n",
			  "'expected'"));
}

static void a_library_of_others_is_named(void)
{
	/* A baseline may, a candidate may not: see the practitioner's. */
	EXPECT(!ao_callable_library("libopenblas.so.0"));
	EXPECT(!ao_callable_library("/tmp/libm.so.6"));
	EXPECT(!ao_callable_library("libm.so/../x"));
	EXPECT(!ao_callable_library("libpthread.so.0"));
	EXPECT(ao_callable_library("libm.so.6"));
	EXPECT(ao_callable_library("libmvec.so.1"));
}

static void names_that_compilers_make_up_are_known(void)
{
	static const char *const allowed[] = {
		"expf",		  "sincosf",
		"expl",		  "__expf_finite",
		"__memcpy_chk",	  "_ZGVdN8v_expf",
		"_ZGVnN2vv_pow",  "_ZGVeN16vl4l4_sincosf",
		"__isnanf",	  "__fpclassifyf",
		"__tls_get_addr", "__stack_chk_fail",
		"cabs",		  "lgammaf_r",
		"memcpy",
	};
	static const char *const other[] = {
		"",	   "f",		"l",
		"_ZGV",	   "_ZGVdN8v_", "_ZGVdN8v_fork",
		"__",	   "___chk",	"__finite_",
		"_finite", "___finite", "__fork_chk",
		"expff",   "system",	"dlsym",
		"memcpyf",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(allowed); i++)
		if (!ao_callable_symbol(allowed[i])) {
			printf("# %s\n", allowed[i]);
			EXPECT(!"known");
		}
	for (size_t i = 0; i < AO_ARRAY_SIZE(other); i++)
		if (ao_callable_symbol(other[i])) {
			printf("# %s\n", other[i]);
			EXPECT(!"unknown");
		}
}

static void threads_are_called_where_the_task_allows_them(void)
{
	EXPECT(ao_callable_thread_symbol("GOMP_parallel"));
	EXPECT(ao_callable_thread_symbol("pthread_create"));
	EXPECT(!ao_callable_thread_symbol("pthread_setaffinity_np"));
	EXPECT(!ao_callable_thread_symbol("pthread_kill"));
	EXPECT(!ao_callable_thread_symbol("fork"));
	EXPECT(ao_callable_thread_library("libgomp.so.1"));
	EXPECT(!ao_callable_thread_library("libgomp.so.1/../x"));
	EXPECT(!ao_callable_thread_library("libm.so.6"));
	EXPECT(is_refused("#include <pthread.h>\n"
			  "void kernel(void) { pthread_exit(0); }\n",
			  "pthread_exit|is for threads"));
}

static void constructors_and_destructors_are_refused(void)
{
	EXPECT(is_refused("static int x;\n"
			  "__attribute__((constructor)) static void f(void)\n"
			  "{ x = 1; }\n"
			  "int kernel(void) { return x; }\n",
			  "constructor|DT_INIT_ARRAY|leave it out"));
	EXPECT(is_refused("static int x;\n"
			  "__attribute__((destructor)) static void f(void)\n"
			  "{ x = 1; }\n"
			  "int kernel(void) { return x; }\n",
			  "destructor|DT_FINI_ARRAY"));
	EXPECT(is_refused("void _init(void) { }\nvoid kernel(void) { }\n",
			  "constructor|DT_INIT"));
	EXPECT(is_refused("void _fini(void) { }\nvoid kernel(void) { }\n",
			  "destructor|DT_FINI"));
}

static void functions_chosen_while_loading_are_refused(void)
{
	EXPECT(is_refused("static void f(void) { }\n"
			  "static void *choose(void) { return f; }\n"
			  "static void g(void) "
			  "__attribute__((ifunc(\"choose\")));\n"
			  "void kernel(void) { g(); }\n",
			  "IFUNC|compiled for the processor"));
	EXPECT(is_refused("static void f(void) { }\n"
			  "static void *choose(void) { return f; }\n"
			  "void kernel(void) "
			  "__attribute__((ifunc(\"choose\")));\n",
			  "IFUNC"));
}

static void memory_that_is_written_and_executed_is_refused(void)
{
	EXPECT(is_refused("__asm__(\".section .both, \\\"awx\\\"\\n.quad 0\\n"
			  ".text\\n\");\n"
			  "void kernel(void) { }\n",
			  "both written and executed"));
}

static void addresses_in_the_code_are_refused(void)
{
	struct ao_build build = build_source(
		"__asm__(\".text\\n.quad memcpy\\n\");\n"
		"void kernel(void) { }\n");

	/* Some linkers refuse it by themselves. */
	EXPECT(build.verdict == AO_VERDICT_BANNED ||
	       build.verdict == AO_VERDICT_COMPILE_ERROR);
	if (build.verdict == AO_VERDICT_BANNED)
		EXPECT(strstr(build.detail, "DT_TEXTREL"));
	ao_build_release(&build);
}

#ifdef __x86_64__
#define ASM(text)                                                          \
	"static void inner(void)\n"                                        \
	"{ __asm__ volatile(\"" text "\"); }\n"                            \
	"__attribute__((noinline)) static void outer(void) { inner(); }\n" \
	"void kernel(void) { outer(); }\n"

static void instructions_are_named_with_their_function(void)
{
	EXPECT(is_refused(ASM("syscall"), "'outer'|'syscall'|leave it out"));
	EXPECT(is_refused(ASM("int $0x80"), "'int'"));
	EXPECT(is_refused(ASM("rdtsc"), "'rdtsc'|timed from outside"));
	EXPECT(is_refused(ASM("cpuid"), "'cpuid'|#ifdef __AVX2__"));
	EXPECT(is_refused(ASM("ldmxcsr -4(%rsp)"), "'ldmxcsr'|rounded"));
	EXPECT(is_refused(ASM("vldmxcsr -4(%rsp)"), "'vldmxcsr'"));
	EXPECT(is_refused(ASM("xor %ecx, %ecx; xgetbv"), "'xgetbv'"));
	EXPECT(is_refused(ASM("wrfsbase %rax"), "'wrfsbase'"));
	EXPECT(is_refused(ASM("mov %fs:16, %rax"), "fs or gs|_Thread_local"));
	EXPECT(is_refused(ASM("sysenter"), "'sysenter'"));
	EXPECT(is_refused(ASM("rdtscp"), "'rdtscp'"));
}

static void asking_for_the_processor_is_answered_with_what_to_write(void)
{
	EXPECT(is_refused("int kernel(void)\n"
			  "{ return __builtin_cpu_supports(\"avx2\"); }\n",
			  "__builtin_cpu_supports|#ifdef __AVX2__"));
}

static void builtins_that_become_them_are_refused(void)
{
	EXPECT(is_refused("void kernel(unsigned long *x)\n"
			  "{ *x = __builtin_ia32_rdtsc(); }\n",
			  "'kernel'|'rdtsc'"));
	EXPECT(is_refused("#include <immintrin.h>\n"
			  "void kernel(void) { _mm_setcsr(0x9fc0); }\n",
			  "ldmxcsr"));
}

static void a_constant_that_looks_like_one_passes(void)
{
	EXPECT(passes_everywhere(
		"void kernel(unsigned *x)\n"
		"{ x[0] ^= 0x0f05cd80; x[1] += 0x310f; x[2] = 0x0fa2050f; }\n"));
}

static void code_in_a_constant_is_found_by_who_points_there(void)
{
	static const char constant[] =
		"static int hides(int x) { return x ^ (int)0xc3050f90; }\n";
	char *jump = ao_xstrf("%s%s", constant,
			      "__asm__(\".text\\nhidden: mov $0xc3050f, "
			      "%eax\\njumps: jmp hidden + 1\\n\");\n"
			      "int kernel(int x) { return hides(x); }\n");
	char *data = ao_xstrf("%s%s", constant,
			      "__asm__(\".text\\nhidden: mov $0xc3050f, "
			      "%eax\\nret\\n.data\\n.quad hidden + 1\\n"
			      ".text\\n\");\n"
			      "int kernel(int x) { return hides(x); }\n");
	char *symbol = ao_xstrf("%s%s", constant,
				"__asm__(\".text\\n.byte 0xb8\\nlabel: "
				"syscall\\nret\\nnop\\n\");\n"
				"int kernel(int x) { return hides(x); }\n");

	EXPECT(is_refused(jump, "'syscall'"));
	EXPECT(is_refused(data, "'syscall'"));
	EXPECT(is_refused(symbol, "'syscall'"));
	free(jump);
	free(data);
	free(symbol);
}
#endif

/* The bytes of a plain kernel's object; the caller releases them. */
static struct ao_buf object_of(const char *source)
{
	struct ao_build build = build_source(source);
	struct ao_buf data = ao_object_buf();

	must(ao_file_read(&data, build.object));
	ao_build_release(&build);
	return data;
}

static char *check(const char *data, size_t len)
{
	const struct ao_objgate gate = { .entry = "kernel" };

	return ao_objgate_check(&gate, data, len);
}

static void a_stack_that_is_executed_is_refused(void)
{
	struct ao_buf data = object_of(plain);
	struct ao_elf elf;
	ElfW(Phdr) segment;
	char *why = NULL;

	must(ao_elf_open(&elf, data.ptr, data.len));
	for (size_t i = 0; ao_elf_segment(&segment, &elf, i); i++) {
		if (segment.p_type != PT_GNU_STACK)
			continue;
		segment.p_flags |= PF_X;
		memcpy(data.ptr + elf.head.e_phoff + i * sizeof(segment),
		       &segment, sizeof(segment));
	}
	why = check(data.ptr, data.len);
	EXPECT(why && strstr(why, "stack"));
	free(why);
	ao_buf_release(&data);
}

static void another_entry_is_an_export(void)
{
	const struct ao_objgate gate = { .entry = "other" };
	struct ao_buf data = object_of(plain);
	char *why = ao_objgate_check(&gate, data.ptr, data.len);

	EXPECT(why && strstr(why, "'kernel' is exported, which only 'other'"));
	free(why);
	ao_buf_release(&data);
}

static void a_cut_object_is_read_no_further_than_it_goes(void)
{
	struct ao_buf data = object_of(plain);
	size_t refused = 0, tries = 0;

	/* At exactly its length, so that a sanitizer sees a step too far. */
	for (size_t len = 0; len < data.len; len += 13, tries++) {
		char *cut = ao_xmalloc(len);
		char *why;

		memcpy(cut, data.ptr, len);
		why = check(cut, len);
		refused += why != NULL;
		free(why);
		free(cut);
	}
	EXPECT(tries > 500);
	/* Section headers are last, and without them there is no table. */
	EXPECT(refused == tries);
	ao_buf_release(&data);
}

static void an_object_with_odd_numbers_is_survived(void)
{
	struct ao_buf data = object_of(plain);
	char *copy = ao_xmalloc(data.len);
	size_t refused = 0;

	for (size_t at = 0; at + 8 < data.len; at += 5) {
		char *why;

		memcpy(copy, data.ptr, data.len);
		memset(copy + at, at & 1 ? 0xff : 0x7f, 8);
		why = check(copy, data.len);
		refused += why != NULL;
		free(why);
	}
	EXPECT(refused > 20);
	free(copy);
	ao_buf_release(&data);
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	task = scale_task();
	RUN(functions_of_mathematics_may_be_called);
	RUN(memory_may_be_filled_copied_and_had);
	RUN(tables_of_functions_and_jumps_pass);
	RUN(helpers_that_are_not_static_pass_and_are_not_exported);
	RUN(versions_for_other_processors_are_left_out);
	RUN(a_call_of_anything_else_is_named);
	RUN(a_name_that_may_be_missing_is_named_as_well);
	RUN(a_library_of_others_is_named);
	RUN(names_that_compilers_make_up_are_known);
	RUN(threads_are_called_where_the_task_allows_them);
	RUN(constructors_and_destructors_are_refused);
	RUN(functions_chosen_while_loading_are_refused);
	RUN(memory_that_is_written_and_executed_is_refused);
	RUN(addresses_in_the_code_are_refused);
#ifdef __x86_64__
	RUN(instructions_are_named_with_their_function);
	RUN(asking_for_the_processor_is_answered_with_what_to_write);
	RUN(builtins_that_become_them_are_refused);
	RUN(a_constant_that_looks_like_one_passes);
	RUN(code_in_a_constant_is_found_by_who_points_there);
#endif
	RUN(a_stack_that_is_executed_is_refused);
	RUN(another_entry_is_an_export);
	RUN(a_cut_object_is_read_no_further_than_it_goes);
	RUN(an_object_with_odd_numbers_is_survived);
	ao_task_free(task);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
