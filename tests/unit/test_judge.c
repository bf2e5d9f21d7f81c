/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/judge.h"
#include "eval/landlock.h"
#include "tap.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/process.h"
#include "util/rng.h"

/* A product with odd sizes, so that tensors do not fill their pages. */
enum { AXIS_M, AXIS_N, AXIS_K, AXES, SETS = 8 };
static int64_t extents[AXES] = { 37, 41, 29 };

/* What every kernel here is compiled with. */
static const char prelude[] =
	"#define _GNU_SOURCE\n"
	"#include <stdint.h>\n"
	"#include <string.h>\n"
	"enum { M = 37, N = 41, K = 29 };\n"
	"static inline void honest(const float *a, const float *b, float *c)\n"
	"{\n"
	"	for (int i = 0; i < M; i++)\n"
	"		for (int j = 0; j < N; j++) {\n"
	"			float s = 0;\n"
	"			for (int k = 0; k < K; k++)\n"
	"				s += a[i * K + k] * b[k * N + j];\n"
	"			c[i * N + j] = s;\n"
	"		}\n"
	"}\n"
	"void kernel(const float *a, const float *b, float *c);\n";

/* A kernel whose body is TEXT, or a whole file if it says `kernel`. */
#define BODY(text)                                                        \
	"void kernel(const float *a, const float *b, float *c)\n{\n" text \
	"\n}\n"

static char *folder;
static struct ao_task task;
static struct ao_case main_case;
static struct ao_dataset dataset;

static char name_of[][8] = { "M", "N", "K", "lhs", "rhs", "out" };
static char product_name[] = "product", case_name[] = "main",
	    entry_name[] = "kernel";
static size_t lhs_axes[] = { AXIS_M, AXIS_K };
static size_t rhs_axes[] = { AXIS_K, AXIS_N };
static size_t out_axes[] = { AXIS_M, AXIS_N };
static struct ao_axis axes[] = { { .name = name_of[0] },
				 { .name = name_of[1] },
				 { .name = name_of[2] } };
static struct ao_tensor inputs[] = {
	{ .name = name_of[3], .rank = 2, .axes = lhs_axes },
	{ .name = name_of[4], .rank = 2, .axes = rhs_axes },
};
static struct ao_tensor outputs[] = {
	{ .name = name_of[5], .rank = 2, .axes = out_axes, .tolerance = 2e-5 },
};

static void *draw(struct ao_rng *rng, size_t count)
{
	float *values = ao_xcalloc(count, sizeof(*values));

	for (size_t i = 0; i < count; i++)
		values[i] = (float)ao_rng_normal(rng);
	return values;
}

static double *multiply(const float *a, const float *b)
{
	size_t m = (size_t)extents[AXIS_M], n = (size_t)extents[AXIS_N],
	       k = (size_t)extents[AXIS_K];
	double *c = ao_xcalloc(m * n, sizeof(*c));

	for (size_t i = 0; i < m; i++)
		for (size_t l = 0; l < k; l++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += (double)a[i * k + l] *
						(double)b[l * n + j];
	return c;
}

static void make_dataset(void)
{
	size_t lhs = (size_t)(extents[AXIS_M] * extents[AXIS_K]);
	size_t rhs = (size_t)(extents[AXIS_K] * extents[AXIS_N]);
	struct ao_rng rng;

	ao_rng_seed(&rng, 3);
	main_case = (struct ao_case){ .name = case_name,
				      .extents = extents,
				      .weight = 1 };
	task = (struct ao_task){
		.name = product_name,
		.entry = entry_name,
		.axes = axes,
		.axis_count = AXES,
		.inputs = inputs,
		.input_count = 2,
		.outputs = outputs,
		.output_count = 1,
		.cases = &main_case,
		.case_count = 1,
		.independent_axis = AXIS_M,
	};
	dataset = (struct ao_dataset){ .task = &task,
				       .c = &main_case,
				       .count = SETS };
	dataset.inputs = ao_xcalloc(SETS * 2, sizeof(void *));
	dataset.expected = ao_xcalloc(SETS, sizeof(double *));
	for (size_t i = 0; i < SETS; i++) {
		dataset.inputs[2 * i] = draw(&rng, lhs);
		dataset.inputs[2 * i + 1] = draw(&rng, rhs);
		dataset.expected[i] = multiply(dataset.inputs[2 * i],
					       dataset.inputs[2 * i + 1]);
	}
}

static void free_dataset(void)
{
	for (size_t i = 0; i < SETS; i++) {
		free(dataset.inputs[2 * i]);
		free(dataset.inputs[2 * i + 1]);
		free(dataset.expected[i]);
	}
	free(dataset.inputs);
	free(dataset.expected);
}

static bool is_fine(struct ao_error *err)
{
	if (!err)
		return true;
	fputs("# ", stdout);
	ao_error_print(stdout, err, true);
	ao_error_free(err);
	return false;
}

/* Build a kernel; the caller frees its object's path. */
static char *build(const char *text)
{
	static int count;
	char *source = ao_xstrf("%s/k%d.c", folder, count);
	char *object = ao_xstrf("%s/k%d.so", folder, count++);
	char *all = ao_xstrf("%s%s", prelude, text);
	const char *argv[] = { "gcc",	"-O2",	   "-w", "-Isrc",
			       "-fPIC", "-shared", "-o", object,
			       source,	"-lm",	   NULL };
	struct ao_process_spec spec = { .argv = argv, .max_errors = 4096 };
	struct ao_process_end end = { 0 };

	EXPECT(is_fine(ao_file_write(source, all, strlen(all))));
	EXPECT(is_fine(ao_process_run(&end, &spec)));
	if (end.status)
		printf("# %s\n", end.errors);
	EXPECT(end.status == 0);
	ao_process_end_release(&end);
	free(all);
	free(source);
	return object;
}

static struct ao_judge *new_judge(const struct ao_judge_options *options)
{
	struct ao_judge *judge = NULL;

	EXPECT(is_fine(ao_judge_new(&judge, &dataset, options)));
	return judge;
}

/* Check a kernel on some calls; the caller releases the judgement. */
static struct ao_judgement check_with(const char *text,
				      const struct ao_judge_options *options)
{
	struct ao_judgement judgement = { 0 };
	struct ao_judge *judge = new_judge(options);
	char *object = build(text);

	if (judge)
		EXPECT(is_fine(ao_judge_check(&judgement, judge, object, 8)));
	ao_judge_free(judge);
	unlink(object);
	free(object);
	return judgement;
}

/*
 * Whether a kernel gets that verdict, with those words in its detail.
 */
static bool gets_with(const char *text, const struct ao_judge_options *options,
		      enum ao_verdict verdict, const char *words)
{
	struct ao_judgement judgement = check_with(text, options);
	const char *detail = judgement.detail ? judgement.detail : "";
	bool is_so = judgement.verdict == verdict && strstr(detail, words) &&
		     !strchr(detail, '\n');

	if (!is_so)
		printf("# %s: %s\n", ao_verdict_name(judgement.verdict),
		       detail);
	ao_judgement_release(&judgement);
	return is_so;
}

static const struct ao_judge_options usual = { .seed = 11,
					       .call_timeout_ms = 20000 };

static bool gets(const char *text, enum ao_verdict verdict, const char *words)
{
	return gets_with(text, &usual, verdict, words);
}

/*
 * Under the address sanitizer a worker's library, stack and address space are
 * the sanitizer's.
 */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

static bool has_seccomp(void)
{
	return strcmp(ao_judge_sandbox_level(), "rlimits") != 0;
}

static void an_honest_kernel_passes_with_its_error_and_times(void)
{
	struct ao_judgement judgement = check_with(BODY("honest(a, b, c);"),
						   &usual);

	EXPECT(judgement.verdict == AO_VERDICT_PASSED);
	EXPECT(!judgement.detail);
	EXPECT(judgement.error > 0 && judgement.error < 1e-6);
	EXPECT(judgement.limit == 2e-5);
	EXPECT(judgement.min_ns > 0);
	EXPECT(judgement.median_ns >= judgement.min_ns);
	ao_judgement_release(&judgement);
}

static void a_kernel_that_does_nothing_never_wrote_its_output(void)
{
	EXPECT(gets(BODY(""), AO_VERDICT_INCORRECT_NUMERICAL,
		    "1517 of 1517 never written, first [0][0]"));
}

static void a_kernel_that_stops_half_way_is_told_where(void)
{
	EXPECT(gets(BODY("float t[M * N];\n"
			 "honest(a, b, t);\n"
			 "memcpy(c, t, 20 * N * sizeof(float));"),
		    AO_VERDICT_INCORRECT_NUMERICAL,
		    "697 of 1517 never written, first [20][0]"));
}

static void a_wrong_element_is_found(void)
{
	EXPECT(gets(BODY("honest(a, b, c); c[5 * N + 7] += 1;"),
		    AO_VERDICT_INCORRECT_NUMERICAL,
		    "1 of 1517 wrong, first [5][7]"));
}

static void an_output_of_nans_is_wrong(void)
{
	EXPECT(gets(BODY("for (int i = 0; i < M * N; i++) c[i] = 0.0f / 0;"),
		    AO_VERDICT_INCORRECT_NUMERICAL, "1517 of 1517 wrong"));
}

static void lower_precision_than_asked_for_is_wrong(void)
{
	EXPECT(gets("static float cut(float x)\n"
		    "{\n"
		    "	uint32_t u;\n"
		    "	memcpy(&u, &x, 4);\n"
		    "	u = (u + 0x1000) & 0xffffe000u;\n"
		    "	memcpy(&x, &u, 4);\n"
		    "	return x;\n"
		    "}\n"
		    "static float a2[M * K], b2[K * N];\n" BODY(
			    "for (int i = 0; i < M * K; i++)\n"
			    "	a2[i] = cut(a[i]);\n"
			    "for (int i = 0; i < K * N; i++)\n"
			    "	b2[i] = cut(b[i]);\n"
			    "honest(a2, b2, c);"),
		    AO_VERDICT_INCORRECT_NUMERICAL, "output 'out'"));
}

static void a_result_kept_by_address_is_found_out(void)
{
	EXPECT(gets("static const float *la, *lb;\n"
		    "static float *lc;\n" BODY(
			    "if (a == la && b == lb && c == lc)\n"
			    "	return;\n"
			    "honest(a, b, c);\n"
			    "la = a; lb = b; lc = c;"),
		    AO_VERDICT_INCORRECT_NUMERICAL, "never written"));
}

static void results_kept_by_address_and_replayed_are_found_out(void)
{
	EXPECT(gets("static float *seen[8], kept[8][M * N];\n" BODY(
			    "int n = 0;\n"
			    "while (n < 7 && seen[n] && seen[n] != c) n++;\n"
			    "if (seen[n] == c) {\n"
			    "	memcpy(c, kept[n], sizeof(kept[n]));\n"
			    "	return;\n"
			    "}\n"
			    "honest(a, b, c);\n"
			    "memcpy(kept[n], c, sizeof(kept[n]));\n"
			    "seen[n] = c;"),
		    AO_VERDICT_INCORRECT_NUMERICAL, "wrong"));
}

static void counting_on_a_cleared_output_is_wrong(void)
{
	EXPECT(gets(
		BODY("for (int i = 0; i < M; i++)\n"
		     "	for (int k = 0; k < K; k++)\n"
		     "		for (int j = 0; j < N; j++)\n"
		     "			c[i * N + j] +=\n"
		     "				a[i * K + k] * b[k * N + j];"),
		AO_VERDICT_INCORRECT_NUMERICAL, "1517 of 1517"));
}

static void a_crash_names_its_signal(void)
{
	EXPECT(gets(BODY("*(volatile int *)8 = 1;"), AO_VERDICT_RUNTIME_ERROR,
		    "crashed with SIGSEGV (Segmentation fault) in call 1"));
	EXPECT(gets(BODY("__builtin_trap();"), AO_VERDICT_RUNTIME_ERROR,
		    "crashed with SIG"));
}

static void a_crash_in_a_later_call_says_which(void)
{
	EXPECT(gets("static int calls;\n" BODY(
			    "honest(a, b, c);\n"
			    "if (++calls == 3) *(volatile int *)8 = 1;"),
		    AO_VERDICT_RUNTIME_ERROR, "in call 3"));
}

static void writing_to_an_input_crashes(void)
{
	EXPECT(gets(BODY("memset((void *)a, 0, 4); honest(a, b, c);"),
		    AO_VERDICT_RUNTIME_ERROR, "SIGSEGV"));
}

static void writing_past_the_end_of_an_output_is_found(void)
{
	EXPECT(gets(BODY("honest(a, b, c); c[M * N] = 0;"),
		    AO_VERDICT_RUNTIME_ERROR, "writes outside output 'out'"));
	EXPECT(gets(BODY("honest(a, b, c);\n"
			 "for (int i = 0; i < 16; i++) c[M * N + i] = 0;"),
		    AO_VERDICT_RUNTIME_ERROR, "SIGSEGV"));
	EXPECT(gets(BODY("honest(a, b, c); c[-1] = 0;"),
		    AO_VERDICT_RUNTIME_ERROR, "writes outside output 'out'"));
}

static void reading_past_the_end_of_an_input_crashes(void)
{
	EXPECT(gets(BODY("honest(a, b, c);\n"
			 "volatile float s = 0;\n"
			 "for (int i = 0; i < 16; i++) s += b[K * N + i];"),
		    AO_VERDICT_RUNTIME_ERROR, "SIGSEGV"));
}

static void a_kernel_that_never_ends_is_stopped_in_time(void)
{
	struct ao_judge_options options = { .call_timeout_ms = 300 };
	struct ao_judge *judge = new_judge(&options);
	struct ao_judgement judgement = { 0 };
	char *object = build(BODY("for (;;) __asm__ volatile(\"\");"));
	uint64_t start = ao_clock_now_ns();

	EXPECT(is_fine(ao_judge_check(&judgement, judge, object, 8)));
	EXPECT(ao_clock_now_ns() - start < 1500 * UINT64_C(1000000));
	EXPECT(judgement.verdict == AO_VERDICT_TIMEOUT);
	EXPECT(judgement.detail &&
	       !strcmp(judgement.detail, "took longer than 0.3 s in call 1"));
	ao_judgement_release(&judgement);
	ao_judge_free(judge);
	free(object);
}

static void a_constructor_that_never_ends_is_stopped_too(void)
{
	struct ao_judge_options options = { .call_timeout_ms = 300 };

	EXPECT(gets_with("__attribute__((constructor)) static void f(void)\n"
			 "{ for (;;) __asm__ volatile(\"\"); }\n" BODY(
				 "honest(a, b, c);"),
			 &options, AO_VERDICT_TIMEOUT, "while loading"));
}

static void a_judge_goes_on_after_a_kernel_that_did_not(void)
{
	static const char *const bad[] = {
		BODY("for (;;) __asm__ volatile(\"\");"),
		BODY("*(volatile int *)8 = 1;"),
		BODY(""),
	};
	struct ao_judge_options options = { .call_timeout_ms = 300 };
	struct ao_judge *judge = new_judge(&options);
	char *honest = build(BODY("honest(a, b, c);"));

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++) {
		struct ao_judgement judgement = { 0 };
		char *object = build(bad[i]);

		EXPECT(is_fine(ao_judge_check(&judgement, judge, object, 1)));
		EXPECT(judgement.verdict != AO_VERDICT_PASSED);
		ao_judgement_release(&judgement);
		EXPECT(is_fine(ao_judge_check(&judgement, judge, honest, 1)));
		EXPECT(judgement.verdict == AO_VERDICT_PASSED);
		ao_judgement_release(&judgement);
		free(object);
	}
	ao_judge_free(judge);
	free(honest);
}

/* Wait until `pid` has a child; returns its id, or 0. */
static pid_t await_child(pid_t pid)
{
	char *path = ao_xstrf("/proc/%d/task/%d/children", pid, pid);
	int child = 0;

	for (int i = 0; i < 3000 && !child; i++) {
		FILE *file = fopen(path, "r");

		ao_clock_sleep_ms(10);
		if (file && fscanf(file, "%d", &child) != 1)
			child = 0;
		if (file)
			fclose(file);
	}
	free(path);
	return child;
}

static void a_judge_that_is_killed_leaves_nothing_behind(void)
{
	char *object = build(BODY("for (;;) __asm__ volatile(\"\");"));
	int status = 0;
	pid_t judge, warden, orphan = 0;

	/* Orphans come to us. */
	EXPECT(!prctl(PR_SET_CHILD_SUBREAPER, 1));
	judge = fork();
	if (!judge) {
		struct ao_judgement judgement = { 0 };
		struct ao_judge *own = new_judge(&usual);

		_exit(!is_fine(ao_judge_check(&judgement, own, object, 1)));
	}
	warden = await_child(judge);
	EXPECT(warden && await_child(warden));
	kill(judge, SIGKILL);
	waitpid(judge, NULL, 0);
	for (int i = 0; i < 1000 && orphan != warden; i++) {
		orphan = waitpid(warden, &status, WNOHANG);
		ao_clock_sleep_ms(10);
	}
	EXPECT(orphan == warden && WIFSIGNALED(status));
	EXPECT(!prctl(PR_SET_CHILD_SUBREAPER, 0));
	free(object);
}

static void ending_the_process_is_no_way_to_return(void)
{
	EXPECT(gets("#include <unistd.h>\n" BODY("_exit(0);"),
		    AO_VERDICT_RUNTIME_ERROR,
		    "ended the process with status 0 in call 1"));
	EXPECT(gets("#include <stdlib.h>\n" BODY("honest(a, b, c); exit(0);"),
		    AO_VERDICT_RUNTIME_ERROR,
		    IS_SANITIZED ? "" : "ended the process"));
}

static void processes_and_threads_are_refused(void)
{
	static const char fork_kernel[] = "#include <unistd.h>\n" BODY(
		"if (!fork()) {\n"
		"	honest(a, b, c);\n"
		"	_exit(0);\n"
		"}");
	static const char thread_kernel[] =
		"#include <pthread.h>\n"
		"static const float *ga, *gb;\n"
		"static float *gc;\n"
		"static void *run(void *x)\n"
		"{ honest(ga, gb, gc); return 0; }\n" BODY(
			"pthread_t t;\n"
			"ga = a; gb = b; gc = c;\n"
			"if (!pthread_create(&t, 0, run, 0))\n"
			"	pthread_detach(t);");

	if (has_seccomp()) {
		EXPECT(gets(fork_kernel, AO_VERDICT_RUNTIME_ERROR,
			    "system call not allowed: clone"));
		EXPECT(gets(thread_kernel, AO_VERDICT_RUNTIME_ERROR,
			    "system call not allowed"));
	} else {
		EXPECT(gets(fork_kernel, AO_VERDICT_INCORRECT_NUMERICAL,
			    "never written"));
		EXPECT(gets(thread_kernel, AO_VERDICT_INCORRECT_NUMERICAL,
			    "never written"));
	}
}

static void a_flood_of_output_goes_nowhere(void)
{
	struct ao_judge_options options = { .call_timeout_ms = 500 };
	struct ao_judgement judgement = check_with(
		"#include <stdio.h>\n" BODY(
			"for (;;) puts(\"spam and eggs\");"),
		&options);

	EXPECT(judgement.verdict ==
	       (has_seccomp() ? AO_VERDICT_RUNTIME_ERROR : AO_VERDICT_TIMEOUT));
	ao_judgement_release(&judgement);
}

static void files_are_out_of_reach(void)
{
	const char *kernel = "#include <fcntl.h>\n" BODY(
		"honest(a, b, c);\n"
		"open(\"/etc/passwd\", O_RDONLY);");

	if (has_seccomp())
		EXPECT(gets(kernel, AO_VERDICT_RUNTIME_ERROR,
			    "system call not allowed: openat (files) in call"));
}

static void a_constructor_finds_an_empty_root(void)
{
	const char *kernel =
		"#include <fcntl.h>\n"
		"static int fd;\n"
		"__attribute__((constructor)) static void look(void)\n"
		"{ fd = open(\"/etc/passwd\", O_RDONLY); }\n" BODY(
			"if (fd >= 0) *(volatile int *)8 = 1;\n"
			"honest(a, b, c);");

	if (!strcmp(ao_judge_sandbox_level(), "namespaces") ||
	    !strcmp(ao_judge_sandbox_level(), "landlock"))
		EXPECT(gets(kernel, AO_VERDICT_PASSED, ""));
}

static void a_constructor_cannot_fork_or_write(void)
{
	const char *forks = "#include <unistd.h>\n"
			    "__attribute__((constructor)) static void f(void)\n"
			    "{ fork(); }\n" BODY("honest(a, b, c);");
	const char *writes =
		"#include <fcntl.h>\n"
		"__attribute__((constructor)) static void f(void)\n"
		"{ open(\"/kept\", O_RDWR | O_CREAT, 0600); }\n" BODY(
			"honest(a, b, c);");

	if (!has_seccomp())
		return;
	EXPECT(gets(forks, AO_VERDICT_RUNTIME_ERROR,
		    "system call not allowed: clone"));
	EXPECT(gets(writes, AO_VERDICT_RUNTIME_ERROR,
		    "system call not allowed: openat (files) while loading"));
}

static void raising_its_priority_is_refused(void)
{
	const char *kernel = "#include <sys/resource.h>\n" BODY(
		"honest(a, b, c); setpriority(PRIO_PROCESS, 0, -20);");

	if (has_seccomp())
		EXPECT(gets(kernel, AO_VERDICT_RUNTIME_ERROR,
			    "system call not allowed: setpriority"));
}

static void no_descriptor_is_left_to_talk_to(void)
{
	/* With write() forbidden, ask in a constructor, by fstat(). */
	EXPECT(gets("#include <sys/stat.h>\n"
		    "static int open_fds;\n"
		    "__attribute__((constructor)) static void count(void)\n"
		    "{\n"
		    "	struct stat st;\n"
		    "	for (int fd = 0; fd < 1000; fd++)\n"
		    "		open_fds += !fstat(fd, &st) &&\n"
		    "			    !S_ISREG(st.st_mode);\n"
		    "}\n" BODY("if (!open_fds) honest(a, b, c);"),
		    AO_VERDICT_PASSED, ""));
}

static void taking_all_memory_ends_the_kernel_alone(void)
{
	struct ao_judge_options options = { .memory_bytes = 64 << 20 };

	if (IS_SANITIZED)
		return;
	EXPECT(gets_with("#include <stdlib.h>\n" BODY(
				 "for (;;) memset(malloc(1 << 24), 1, "
				 "1 << 24);"),
			 &options, AO_VERDICT_RUNTIME_ERROR, "SIGSEGV"));
}

static void scratch_memory_within_the_limit_is_fine(void)
{
	struct ao_judge_options options = { .memory_bytes = 64 << 20 };

	EXPECT(gets_with("#include <stdlib.h>\n" BODY(
				 "float *t = malloc(1 << 24);\n"
				 "memset(t, 1, 1 << 24);\n"
				 "honest(a, b, t);\n"
				 "memcpy(c, t, M * N * sizeof(float));\n"
				 "t = realloc(t, 1 << 25);\n"
				 "free(t);"),
			 &options, AO_VERDICT_PASSED, ""));
}

static void the_mathematical_library_is_there(void)
{
	EXPECT(gets("#include <math.h>\n"
		    "static volatile float zero;\n" BODY(
			    "honest(a, b, c);\n"
			    "c[0] *= cosf(zero) * expf(zero) * erfcf(zero);\n"
			    "c[1] += tanhf(zero) + powf(zero, 2);"),
		    AO_VERDICT_PASSED, ""));
}

static void a_missing_function_is_named(void)
{
	EXPECT(gets("void no_such_function(void);\n" BODY(
			    "no_such_function(); honest(a, b, c);"),
		    AO_VERDICT_RUNTIME_ERROR,
		    "undefined symbol: no_such_function"));
}

static void a_kernel_may_round_and_flush_as_it_likes_but_not_for_good(void)
{
#if defined(__x86_64__)
	/* Round down in one call; what the next call starts with is reset. */
	EXPECT(gets("static unsigned csr;\n" BODY(
			    "__asm__ volatile(\"stmxcsr %0\" : \"=m\"(csr));\n"
			    "if (csr != 0x1f80) return;\n"
			    "honest(a, b, c);\n"
			    "csr = 0x3f80 | 0x8040;\n"
			    "__asm__ volatile(\"ldmxcsr %0\" : : \"m\"(csr));"),
		    AO_VERDICT_PASSED, ""));
#endif
}

static void a_time_that_cannot_be_is_not_believed(void)
{
	struct ao_judge_options options = { .hard_floor_ns = 1e9 };

	EXPECT(gets_with(BODY("honest(a, b, c);"), &options,
			 AO_VERDICT_TOO_FAST, "this machine needs 1e+06 us"));
}

/*
 * The worker's own data hold a pointer to this function and, just before it,
 * the page on which it tells the judge that it is done.  What loading has left
 * behind on the stack may hold that pointer, too.
 */
static const char finds_control[] =
	"#include \"eval/control.h\"\n"
	"static struct ao_control *find(void)\n"
	"{\n"
	"	uintptr_t *word = __builtin_frame_address(0);\n"
	"	while (*word != (uintptr_t)kernel || !word[-1] ||\n"
	"	       word[-1] % 4096)\n"
	"		word++;\n"
	"	return (void *)word[-1];\n"
	"}\n";

static void working_on_after_saying_done_is_tampering(void)
{
	char *kernel = ao_xstrf(
		"%s%s", finds_control,
		BODY("struct ao_control *control = find();\n"
		     "honest(a, b, c);\n"
		     "atomic_store(&control->done, control->go);\n"
		     "for (int i = 0; i < 2000; i++) {\n"
		     "	float t[M * N];\n"
		     "	honest(a, b, t);\n"
		     "	__asm__ volatile(\"\" : : \"r\"(t) : \"memory\");\n"
		     "}"));
	bool is_found = false;

	/* On a busy machine it may get no time to work on in. */
	for (int i = 0; i < 5 && !is_found && !IS_SANITIZED; i++)
		is_found = gets(kernel, AO_VERDICT_TAMPERED,
				"works on after it says");
	EXPECT(is_found || IS_SANITIZED);
	free(kernel);
}

static void writing_to_the_control_page_is_tampering(void)
{
	char *kernel = ao_xstrf("%s%s", finds_control,
				BODY("honest(a, b, c);\n"
				     "atomic_store(&find()->done, 12345);\n"
				     "for (;;) __asm__ volatile(\"\");"));

	if (!IS_SANITIZED)
		EXPECT(gets(kernel, AO_VERDICT_TAMPERED,
			    "memory that is not its own"));
	free(kernel);
}

static void axes_come_first_where_a_task_is_generic(void)
{
	char *object = build("void kernel2(size_t m, size_t n, size_t k,\n"
			     "	const float *a, const float *b, float *c)\n"
			     "{\n"
			     "	if (m == M && n == N && k == K)\n"
			     "		honest(a, b, c);\n"
			     "}\n");
	char entry[] = "kernel2";
	struct ao_judgement judgement = { 0 };
	struct ao_judge *judge;

	task.is_generic = true;
	task.entry = entry;
	judge = new_judge(&usual);
	EXPECT(is_fine(ao_judge_check(&judgement, judge, object, 4)));
	EXPECT(judgement.verdict == AO_VERDICT_PASSED);
	ao_judgement_release(&judgement);
	ao_judge_free(judge);
	free(object);
	task.is_generic = false;
	task.entry = entry_name;
}

static void a_task_without_independent_axis_is_judged_too(void)
{
	task.independent_axis = AXES;
	EXPECT(gets(BODY("honest(a, b, c);"), AO_VERDICT_PASSED, ""));
	EXPECT(gets(BODY(""), AO_VERDICT_INCORRECT_NUMERICAL, ""));
	task.independent_axis = AXIS_M;
}

static void more_arguments_than_possible_are_refused(void)
{
	struct ao_judge *judge = NULL;
	struct ao_error *err;
	struct ao_tensor *many = ao_xcalloc(30, sizeof(*many));

	for (size_t i = 0; i < 30; i++)
		many[i] = inputs[0];
	task.inputs = many;
	task.input_count = 30;
	err = ao_judge_new(&judge, &dataset, &usual);
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	ao_error_free(err);
	task.inputs = inputs;
	task.input_count = 2;
	free(many);
}

static void an_object_that_is_not_there_is_our_error(void)
{
	struct ao_judge *judge = new_judge(&usual);
	struct ao_judgement judgement = { 0 };
	struct ao_error *err;

	err = ao_judge_check(&judgement, judge, "/nonexistent.so", 1);
	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	ao_error_free(err);
	ao_judge_free(judge);
}

static void a_file_that_is_no_object_cannot_be_loaded(void)
{
	char *path = ao_xstrf("%s/text.so", folder);
	struct ao_judge *judge = new_judge(&usual);
	struct ao_judgement judgement = { 0 };

	EXPECT(is_fine(ao_file_write(path, "hello", 5)));
	EXPECT(is_fine(ao_judge_check(&judgement, judge, path, 1)));
	EXPECT(judgement.verdict == AO_VERDICT_RUNTIME_ERROR);
	EXPECT(judgement.detail &&
	       !strncmp(judgement.detail, "cannot be loaded: ", 18));
	ao_judgement_release(&judgement);
	ao_judge_free(judge);
	free(path);
}

#define REPEAT(n)                                          \
	BODY("for (int i = 0; i < " #n "; i++) {\n"        \
	     "	honest(a, b, c);\n"                         \
	     "	__asm__ volatile(\"\" : : : \"memory\");\n" \
	     "}")

/* Where the CPU time of some checked calls went. */
static struct ao_judge_cpu cpu_of(const char *text)
{
	struct ao_judge *judge = new_judge(&usual);
	struct ao_judgement judgement = { 0 };
	char *object = build(text);
	struct ao_judge_cpu cpu;

	EXPECT(is_fine(ao_judge_check(&judgement, judge, object, 20)));
	EXPECT(judgement.verdict == AO_VERDICT_PASSED);
	ao_judge_cpu(&cpu, judge);
	ao_judgement_release(&judgement);
	ao_judge_free(judge);
	free(object);
	return cpu;
}

static void cpu_time_is_accounted_by_purpose(void)
{
	struct ao_judge_cpu small = cpu_of(REPEAT(1));
	struct ao_judge_cpu large = cpu_of(REPEAT(200));

	EXPECT(small.compare > 0 && small.inputs > 0 && small.isolation > 0);
	/* A kernel's time is nobody else's. */
	EXPECT(large.worker > 10 * small.worker);
	EXPECT(large.isolation < 10 * small.isolation);
	EXPECT(large.compare < 10 * small.compare);
	EXPECT(large.inputs < 10 * small.inputs);
}

/* Pair two kernels; the caller frees what *out and the judgements own. */
static void pair_up(struct ao_pair *out, struct ao_judgement *a_out,
		    struct ao_judgement *b_out, const char *a, const char *b,
		    uint32_t max_units)
{
	struct ao_pair_options options = {
		.rules = { .min_effect = 0.01, .max_units = max_units },
	};
	struct ao_judge *judge = new_judge(&usual);
	char *object_a = build(a), *object_b = build(b);

	EXPECT(is_fine(ao_judge_pair(out, a_out, b_out, judge, object_a,
				     object_b, &options)));
	ao_judge_free(judge);
	free(object_a);
	free(object_b);
}

static void release_pair(struct ao_pair *pair, struct ao_judgement *a,
			 struct ao_judgement *b)
{
	ao_judgement_release(a);
	ao_judgement_release(b);
	free(pair->case_name);
	free(pair->unit_log_gain);
}

static void a_third_of_the_time_is_faster(void)
{
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };

	pair_up(&pair, &a, &b, REPEAT(5), REPEAT(15), 60);
	EXPECT(a.verdict == AO_VERDICT_PASSED);
	EXPECT(b.verdict == AO_VERDICT_PASSED);
	EXPECT(pair.decision == AO_DECISION_FASTER);
	EXPECT(pair.evidence > 100);
	EXPECT(fabs(pair.log_gain - log(3)) < 0.4);
	EXPECT(pair.log_low <= pair.log_gain && pair.log_gain <= pair.log_high);
	EXPECT(pair.gap_fraction >= 0 && pair.gap_fraction <= 1);
	EXPECT(!strcmp(pair.case_name, "main"));
	EXPECT(a.median_ns > 0 && a.median_ns < b.median_ns);
	release_pair(&pair, &a, &b);
}

static void three_times_the_time_is_slower(void)
{
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };

	pair_up(&pair, &a, &b, REPEAT(15), REPEAT(5), 60);
	EXPECT(pair.decision == AO_DECISION_SLOWER);
	EXPECT(pair.log_gain < 0);
	release_pair(&pair, &a, &b);
}

static void a_kernel_is_not_faster_than_itself(void)
{
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };

	pair_up(&pair, &a, &b, REPEAT(10), REPEAT(10), 12);
	EXPECT(a.verdict == AO_VERDICT_PASSED);
	EXPECT(pair.decision != AO_DECISION_FASTER);
	EXPECT(pair.units > 0 && pair.units <= 12);
	release_pair(&pair, &a, &b);
}

static void who_is_wrong_while_timed_is_named(void)
{
	static const char late[] = "static int calls;\n" BODY(
		"honest(a, b, c); if (++calls > 4) c[3] = 0;");
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };

	pair_up(&pair, &a, &b, late, REPEAT(1), 8);
	EXPECT(a.verdict == AO_VERDICT_INCORRECT_NUMERICAL);
	EXPECT(b.verdict == AO_VERDICT_PASSED);
	EXPECT(pair.decision == AO_DECISION_NONE);
	release_pair(&pair, &a, &b);

	pair_up(&pair, &a, &b, REPEAT(1), late, 8);
	EXPECT(a.verdict == AO_VERDICT_PASSED);
	EXPECT(b.verdict == AO_VERDICT_INCORRECT_NUMERICAL);
	release_pair(&pair, &a, &b);
}

/* A call that is long enough for what is gained and lost to be seen. */
static const char thrice[] =
	"static void thrice(const float *a, const float *b, float *c)\n"
	"{\n"
	"	for (int i = 0; i < 3; i++) {\n"
	"		honest(a, b, c);\n"
	"		__asm__ volatile(\"\" : : : \"memory\");\n"
	"	}\n"
	"}\n";

/* Whether a kernel, right as it is, is found faster than `thrice`. */
static bool gains(const char *text, const char *helpers)
{
	char *cheat = ao_xstrf("%s%s%s", helpers, thrice, text);
	char *fair = ao_xstrf("%s%s", thrice, BODY("thrice(a, b, c);"));
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };
	bool is_faster;

	pair_up(&pair, &a, &b, cheat, fair, 12);
	EXPECT(a.verdict == AO_VERDICT_PASSED);
	if (a.detail)
		printf("# %s\n", a.detail);
	is_faster = pair.decision == AO_DECISION_FASTER;
	release_pair(&pair, &a, &b);
	free(cheat);
	free(fair);
	return is_faster;
}

/*
 * The worker on the stack of who is called by it: an object's place, and behind
 * it operands by slot.
 */
static const char serves_itself[] =
	"#include <sys/syscall.h>\n"
	"#include <unistd.h>\n"
	"#include \"eval/worker.h\"\n"
	"struct found {\n"
	"	struct ao_control *control;\n"
	"	void *entry;\n"
	"	_Bool touches;\n"
	"	void *tensors[AO_LAYOUT_MAX_SLOTS][AO_WORKER_MAX_ARGUMENTS];\n"
	"	void *arguments[AO_LAYOUT_MAX_SLOTS][AO_WORKER_MAX_ARGUMENTS];\n"
	"};\n"
	"static struct found *find_all(void)\n"
	"{\n"
	"	uintptr_t *word = __builtin_frame_address(0);\n"
	"	while (*word != (uintptr_t)kernel || !word[-1] ||\n"
	"	       word[-1] % 4096)\n"
	"		word++;\n"
	"	return (void *)(word - 1);\n"
	"}\n"
	"static void set(_Atomic uint32_t *word, uint32_t value)\n"
	"{\n"
	"	atomic_store(word, value);\n"
	"	syscall(SYS_futex, word, 1, 1, NULL, NULL, 0);\n"
	"}\n";

static void working_before_the_clock_starts_gains_nothing(void)
{
	char *helpers = ao_xstrf("%s%s", "#include \"eval/control.h\"\n",
				 serves_itself);

	EXPECT(IS_SANITIZED ||
	       !gains(BODY("struct found *at = find_all();\n"
			   "struct ao_control *page = at->control;\n"
			   "uint32_t call = page->go;\n"
			   "thrice(a, b, c);\n"
			   "for (;; call++) {\n"
			   "	set(&page->done, call);\n"
			   "	while (page->arm == call)\n"
			   "		syscall(SYS_futex, &page->arm, 0, call,\n"
			   "			NULL, NULL, 0);\n"
			   "	if (page->arm != call + 1)\n"
			   "		_exit(0);\n"
			   "	void **x = at->arguments[page->slot];\n"
			   "	thrice(x[0], x[1], x[2]);\n"
			   "	set(&page->armed, call + 1);\n"
			   "	while (page->go != call + 1)\n"
			   "		continue;\n"
			   "	honest(x[0], x[1], x[2]);\n"
			   "}"),
		      helpers));
	free(helpers);
}

static void answers_kept_by_row_gain_nothing(void)
{
	EXPECT(!gains(
		"static float keys[4096][2], rows[4096][N];\n"
		"static int count;\n" BODY(
			"honest(a, b, c);\n"
			"for (int i = 0; i < M; i++) {\n"
			"	int k = 0;\n"
			"	while (k < count && (keys[k][0] != a[i * K] ||\n"
			"			     keys[k][1] != b[0]))\n"
			"		k++;\n"
			"	if (k < count) {\n"
			"		memcpy(c + i * N, rows[k], N * 4);\n"
			"		continue;\n"
			"	}\n"
			"	thrice(a, b, c);\n"
			"	for (int r = 0; r < M && count < 4000; r++) {\n"
			"		keys[count][0] = a[r * K];\n"
			"		keys[count][1] = b[0];\n"
			"		memcpy(rows[count++], c + r * N, N * 4);\n"
			"	}\n"
			"	break;\n"
			"}"),
		""));
}

static void timing_leaves_the_cpus_as_they_were(void)
{
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };
	cpu_set_t before, after;

	sched_getaffinity(0, sizeof(before), &before);
	pair_up(&pair, &a, &b, REPEAT(1), REPEAT(1), 1);
	sched_getaffinity(0, sizeof(after), &after);
	EXPECT(CPU_EQUAL(&before, &after));
	release_pair(&pair, &a, &b);
}

static void one_cpu_is_enough(void)
{
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_pair pair = { 0 };
	cpu_set_t before, one;

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	for (int cpu = 0; !CPU_COUNT(&one); cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	pair_up(&pair, &a, &b, REPEAT(10), REPEAT(100), 60);
	EXPECT(a.verdict == AO_VERDICT_PASSED);
	EXPECT(pair.decision == AO_DECISION_FASTER);
	sched_setaffinity(0, sizeof(before), &before);
	release_pair(&pair, &a, &b);
}

/*
 * What follows runs in this program started anew with less than it has: the
 * name of the situation is its argument, and it says what level it found.
 */

static bool become_nobody(void)
{
	return setgroups(0, NULL) == 0 && setresgid(65534, 65534, 65534) == 0 &&
	       setresuid(65534, 65534, 65534) == 0 &&
	       prctl(PR_SET_DUMPABLE, 1) == 0;
}

/* As containers do: system calls that make namespaces fail. */
static bool forbid(bool namespaces, bool landlock, bool filters)
{
	const uint32_t landlock_create_ruleset = 444;
	uint32_t new_any = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 landlock ? landlock_create_ruleset : UINT32_MAX, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 filters ? SYS_seccomp : UINT32_MAX, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 namespaces ? SYS_clone : UINT32_MAX, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, new_any, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { AO_ARRAY_SIZE(code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* In the new program: exit status 0 if kernels are judged as they must be. */
static int judge_in(const char *situation, const char *level)
{
	bool is_limited = false;

	if (!strcmp(situation, "nobody"))
		is_limited = become_nobody();
	else if (!strcmp(situation, "container"))
		is_limited = forbid(true, false, false);
	else if (!strcmp(situation, "old container"))
		is_limited = forbid(true, true, false);
	else if (!strcmp(situation, "bare"))
		is_limited = forbid(true, true, true);
	if (!is_limited)
		return 1;
	tap_ok = true;
	printf("# %s: %s\n", situation, ao_judge_sandbox_level());
	EXPECT(!strcmp(ao_judge_sandbox_level(), level));
	an_honest_kernel_passes_with_its_error_and_times();
	a_kernel_that_stops_half_way_is_told_where();
	a_crash_names_its_signal();
	writing_to_an_input_crashes();
	a_kernel_that_never_ends_is_stopped_in_time();
	a_judge_that_is_killed_leaves_nothing_behind();
	ending_the_process_is_no_way_to_return();
	processes_and_threads_are_refused();
	a_flood_of_output_goes_nowhere();
	a_constructor_finds_an_empty_root();
	no_descriptor_is_left_to_talk_to();
	the_mathematical_library_is_there();
	a_third_of_the_time_is_faster();
	fflush(stdout);
	return tap_ok ? 0 : 1;
}

/* Start this program anew for a situation. */
static bool works_in(const char *situation, const char *level)
{
	const char *argv[] = { "/proc/self/exe", situation, level, NULL };
	struct ao_process_spec spec = { .argv = argv };
	struct ao_process_end end = { 0 };
	bool is_good;

	fflush(stdout);
	if (!is_fine(ao_process_run(&end, &spec)))
		return false;
	is_good = end.status == 0;
	ao_process_end_release(&end);
	return is_good;
}

static bool may_make_user_namespaces(void)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(!become_nobody() || unshare(CLONE_NEWUSER));
	waitpid(pid, &status, 0);
	return status == 0;
}

/* The level without namespaces. */
static const char *level_without(void)
{
	return ao_landlock_is_available() ? "landlock" : "seccomp";
}

static void an_ordinary_user_can_judge(void)
{
	if (geteuid() == 0)
		EXPECT(works_in("nobody", may_make_user_namespaces()
						  ? "namespaces"
						  : level_without()));
}

static void a_container_without_namespaces_will_do(void)
{
	EXPECT(works_in("container", level_without()));
}

static void a_kernel_without_landlock_will_do(void)
{
	EXPECT(works_in("old container", "seccomp"));
}

static void limits_alone_will_do_where_there_is_nothing_else(void)
{
	EXPECT(works_in("bare", "rlimits"));
}

static void run_all(void)
{
	RUN(an_honest_kernel_passes_with_its_error_and_times);
	RUN(a_kernel_that_does_nothing_never_wrote_its_output);
	RUN(a_kernel_that_stops_half_way_is_told_where);
	RUN(a_wrong_element_is_found);
	RUN(an_output_of_nans_is_wrong);
	RUN(lower_precision_than_asked_for_is_wrong);
	RUN(a_result_kept_by_address_is_found_out);
	RUN(results_kept_by_address_and_replayed_are_found_out);
	RUN(counting_on_a_cleared_output_is_wrong);
	RUN(a_crash_names_its_signal);
	RUN(a_crash_in_a_later_call_says_which);
	RUN(writing_to_an_input_crashes);
	RUN(writing_past_the_end_of_an_output_is_found);
	RUN(reading_past_the_end_of_an_input_crashes);
	RUN(a_kernel_that_never_ends_is_stopped_in_time);
	RUN(a_constructor_that_never_ends_is_stopped_too);
	RUN(a_judge_goes_on_after_a_kernel_that_did_not);
	RUN(a_judge_that_is_killed_leaves_nothing_behind);
	RUN(ending_the_process_is_no_way_to_return);
	RUN(processes_and_threads_are_refused);
	RUN(a_flood_of_output_goes_nowhere);
	RUN(files_are_out_of_reach);
	RUN(a_constructor_finds_an_empty_root);
	RUN(a_constructor_cannot_fork_or_write);
	RUN(raising_its_priority_is_refused);
	RUN(no_descriptor_is_left_to_talk_to);
	RUN(taking_all_memory_ends_the_kernel_alone);
	RUN(scratch_memory_within_the_limit_is_fine);
	RUN(the_mathematical_library_is_there);
	RUN(a_missing_function_is_named);
	RUN(a_kernel_may_round_and_flush_as_it_likes_but_not_for_good);
	RUN(a_time_that_cannot_be_is_not_believed);
	RUN(working_on_after_saying_done_is_tampering);
	RUN(writing_to_the_control_page_is_tampering);
	RUN(axes_come_first_where_a_task_is_generic);
	RUN(a_task_without_independent_axis_is_judged_too);
	RUN(more_arguments_than_possible_are_refused);
	RUN(an_object_that_is_not_there_is_our_error);
	RUN(a_file_that_is_no_object_cannot_be_loaded);
	RUN(cpu_time_is_accounted_by_purpose);
	RUN(a_third_of_the_time_is_faster);
	RUN(three_times_the_time_is_slower);
	RUN(a_kernel_is_not_faster_than_itself);
	RUN(who_is_wrong_while_timed_is_named);
	RUN(working_before_the_clock_starts_gains_nothing);
	RUN(answers_kept_by_row_gain_nothing);
	RUN(timing_leaves_the_cpus_as_they_were);
	RUN(one_cpu_is_enough);
	RUN(an_ordinary_user_can_judge);
	RUN(a_container_without_namespaces_will_do);
	RUN(a_kernel_without_landlock_will_do);
	RUN(limits_alone_will_do_where_there_is_nothing_else);
}

int main(int argc, char **argv)
{
	int status;

	if (!is_fine(ao_file_temp_folder(&folder)))
		return 1;
	/* What a judge that is killed leaves goes with ours. */
	setenv("TMPDIR", folder, 1);
	make_dataset();
	/* For nobody. */
	chmod(folder, 0777);
	if (argc == 3) {
		status = judge_in(argv[1], argv[2]);
	} else {
		run_all();
		status = tap_done();
	}
	ao_file_remove_tree(folder);
	free(folder);
	free_dataset();
	return status;
}
