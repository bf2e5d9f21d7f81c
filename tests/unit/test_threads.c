/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sched.h>

#include "bare_object.h"
#include "eval/build.h"
#include "eval/dataset.h"
#include "eval/judge.h"
#include "eval/quiet.h"
#include "eval/scratch.h"
#include "eval_task.h"
#include "util/file.h"

/*
 * A task that takes a millisecond or so, so that threads are worth their while;
 * kernels do rows FROM to TO by work().
 */
static const char task_format[] =
	"{\"v\":1,\"name\":\"rows\",\"threads\":%s,\n"
	"\"axes\":{\"M\":{\"type\":\"var\"},\"N\":{\"type\":\"var\"}},\n"
	"\"inputs\":{\"x\":{\"shape\":[\"M\",\"N\"],\"dtype\":\"float32\"}},\n"
	"\"outputs\":{\"y\":{\"shape\":[\"M\",\"N\"],\"dtype\":\"float32\",\n"
	"  \"tolerance\":1e-4}},\n"
	"\"kernel\":[\"kernel.c\"],\"reference\":\"reference.c\",\n"
	"\"independent_axis\":\"M\",\n"
	"\"cases\":[{\"name\":\"main\",\"axes\":{\"M\":64,\"N\":128}}]}";

static const char reference[] =
	"void reference(const float x[M][N], double y[M][N])\n"
	"{\n"
	"	for (int i = 0; i < M; i++)\n"
	"		for (int j = 0; j < N; j++)\n"
	"			y[i][j] = 2.0 * x[i][j];\n"
	"}\n";

static const char prelude[] =
	"#define _GNU_SOURCE\n"
	"#include <pthread.h>\n"
	"#include <sched.h>\n"
	"#include <unistd.h>\n"
	"#include <sys/syscall.h>\n"
	"static const float *in; static float *out;\n"
	"__attribute__((noinline)) static void work(int from, int to)\n"
	"{\n"
	"	for (int i = from * N; i < to * N; i++) {\n"
	"		volatile float sum = 0;\n"
	"		for (int k = 0; k < 80; k++)\n"
	"			sum = sum + 0.025f;\n"
	"		out[i] = in[i] * sum;\n"
	"	}\n"
	"}\n"
	"static void begin(const float *x, float *y) { in = x; out = y; }\n"
	"void kernel(const float *restrict x, float *restrict y);\n";

#define BODY(text)                                                     \
	"void kernel(const float *restrict x, float *restrict y)\n{\n" \
	"begin(x, y);\n" text "\n}\n"

static const char serial[] = BODY("work(0, M);");
static const char parallel[] = "#include <omp.h>\n" BODY(
	"\n#pragma omp parallel for\n"
	"for (int i = 0; i < M; i++)\n"
	"	work(i, i + 1);");

static struct ao_scratch *scratch;

/* A judge of a task, and what it is about. */
struct court {
	struct ao_task *task;
	struct ao_dataset *dataset;
	struct ao_judge *judge;
};

static void open_court(struct court *out, const char *threads)
{
	char *json = ao_xstrf(task_format, threads);
	struct ao_judge_options options = { .seed = 5 };

	*out = (struct court){ .task = make_task(json, reference) };
	must(ao_dataset_make(&out->dataset, out->task, out->task->cases, 7,
			     12));
	must(ao_judge_new(&out->judge, out->dataset, &options));
	free(json);
}

static void close_court(struct court *court)
{
	ao_judge_free(court->judge);
	ao_dataset_free(court->dataset);
	ao_task_free(court->task);
}

static struct ao_build build(const struct court *court, const char *flags,
			     const char *text)
{
	char *source = ao_xstrf("/* cflags: %s */\n%s%s", flags, prelude, text);
	struct ao_kernel kernel = make_kernel(source);
	struct ao_build build = { 0 };

	must(ao_build_kernel(&build, ao_scratch_folder(scratch), court->task,
			     court->task->cases, &kernel, 60000));
	ao_kernel_release(&kernel);
	free(source);
	return build;
}

static bool is_as_expected(const struct ao_judgement *got,
			   enum ao_verdict verdict, const char *detail)
{
	bool is = got->verdict == verdict &&
		  (!detail || (got->detail && strstr(got->detail, detail)));

	if (!is)
		printf("# %s: %s\n", ao_verdict_name(got->verdict),
		       got->detail ? got->detail : "");
	return is;
}

/* Whether a kernel gets this verdict, with `detail` (NULL: whatever) in it. */
static bool gets(const char *threads, const char *flags, const char *text,
		 enum ao_verdict verdict, const char *detail)
{
	struct ao_judgement judgement = { 0 };
	struct court court;
	struct ao_build built;
	bool is;

	open_court(&court, threads);
	built = build(&court, flags, text);
	if (built.verdict != AO_VERDICT_PASSED) {
		judgement.verdict = built.verdict;
		judgement.detail = ao_xstrdup(built.detail);
	} else {
		must(ao_judge_check(&judgement, court.judge, built.object, 6));
	}
	is = is_as_expected(&judgement, verdict, detail);
	ao_judgement_release(&judgement);
	ao_build_release(&built);
	close_court(&court);
	return is;
}

/* The same of one that the gate of objects would stop. */
static bool gets_behind(const char *threads, const char *text,
			enum ao_verdict verdict, const char *detail)
{
	const char *folder = ao_scratch_folder(scratch);
	char *path = ao_xstrf("%s/bare.c", folder);
	char *source = ao_xstrf("%s%s", prelude, text);
	struct ao_judgement judgement = { 0 };
	struct court court;
	char *object;
	bool is = false;

	open_court(&court, threads);
	must(ao_file_write(path, source, strlen(source)));
	object = bare_object(folder, court.task, path, "-pthread");
	if (object) {
		must(ao_judge_check(&judgement, court.judge, object, 6));
		is = is_as_expected(&judgement, verdict, detail);
	}
	ao_judgement_release(&judgement);
	close_court(&court);
	free(object);
	free(source);
	free(path);
	return is;
}

/* Time two kernels of a task for two threads. */
static enum ao_decision pair_up(const char *flags_a, const char *a,
				const char *flags_b, const char *b,
				size_t units)
{
	struct ao_pair_options options = {
		.rules = { .min_effect = 0.05, .max_units = units },
	};
	struct ao_judgement got_a = { 0 }, got_b = { 0 };
	struct ao_pair pair = { 0 };
	struct ao_build built_a, built_b;
	enum ao_decision decision;
	struct court court;

	open_court(&court, "2");
	built_a = build(&court, flags_a, a);
	built_b = build(&court, flags_b, b);
	must(ao_judge_pair(&pair, &got_a, &got_b, court.judge, built_a.object,
			   built_b.object, &options));
	EXPECT(got_a.verdict == AO_VERDICT_PASSED);
	EXPECT(got_b.verdict == AO_VERDICT_PASSED);
	decision = pair.decision;
	printf("# log gain %.3f in %zu units\n", pair.log_gain, pair.units);
	free(pair.case_name);
	free(pair.unit_log_gain);
	ao_judgement_release(&got_a);
	ao_judgement_release(&got_b);
	ao_build_release(&built_a);
	ao_build_release(&built_b);
	close_court(&court);
	return decision;
}

static void openmp_works_where_threads_are_allowed(void)
{
	EXPECT(gets("2", "-fopenmp", parallel, AO_VERDICT_PASSED, NULL));
	EXPECT(gets("\"all\"", "-fopenmp", parallel, AO_VERDICT_PASSED, NULL));
	EXPECT(gets("64", "-fopenmp", parallel, AO_VERDICT_PASSED, NULL));
}

static void openmp_is_refused_elsewhere(void)
{
	EXPECT(gets("1", "-fopenmp", parallel, AO_VERDICT_BANNED,
		    "tasks that allow threads"));
	EXPECT(gets("1", "-O2", serial, AO_VERDICT_PASSED, NULL));
}

static void openmp_is_for_gcc(void)
{
	EXPECT(gets("2", "compiler=clang -fopenmp", parallel,
		    AO_VERDICT_COMPILE_ERROR, "for gcc"));
}

static void openmp_makes_as_many_threads_as_may_work(void)
{
	/* However many the kernel asks for. */
	EXPECT(gets("2", "-fopenmp",
		    "#include <omp.h>\n" BODY(
			    "int most = 0;\n"
			    "work(0, M);\n"
			    "#pragma omp parallel num_threads(16)\n"
			    "#pragma omp single\n"
			    "most = omp_get_num_threads();\n"
			    "if (most > 2 || omp_get_max_threads() != most)\n"
			    "	out[0] = -1;"),
		    AO_VERDICT_PASSED, NULL));
}

static void a_kernel_sees_as_many_cpus_as_threads(void)
{
	cpu_set_t all;
	char *text;

	sched_getaffinity(0, sizeof(all), &all);
	text = ao_xstrf(BODY("cpu_set_t set;\n"
			     "sched_getaffinity(0, sizeof(set), &set);\n"
			     "if (CPU_COUNT(&set) == %d) work(0, M);"),
			CPU_COUNT(&all) < 2 ? 1 : 2);
	EXPECT(gets_behind("2", text, AO_VERDICT_PASSED, NULL));
	free(text);
}

static const char thread_that_starts[] =
	"static void *run(void *data) { %s; return data; }\n"
	"void kernel(const float *restrict x, float *restrict y)\n"
	"{\n"
	"	pthread_t thread;\n"
	"	begin(x, y);\n"
	"	pthread_create(&thread, NULL, run, NULL);\n"
	"	%s\n"
	"}\n";

static void threads_by_hand_work_too(void)
{
	char *text = ao_xstrf(thread_that_starts, "work(M / 2, M)",
			      "work(0, M / 2); pthread_join(thread, NULL);");

	EXPECT(gets("2", "-pthread", text, AO_VERDICT_PASSED, NULL));
	EXPECT(gets("1", "-O2", text, AO_VERDICT_BANNED, "is for threads"));
	EXPECT(gets_behind("1", text, AO_VERDICT_RUNTIME_ERROR,
			   "system call not allowed"));
	free(text);
}

static void what_a_thread_writes_after_the_call_does_not_count(void)
{
	char *text = ao_xstrf(thread_that_starts, "work(M / 2, M)",
			      "work(0, M / 2); pthread_detach(thread);");

	EXPECT(gets("2", "-O2", text, AO_VERDICT_INCORRECT_NUMERICAL, NULL));
	free(text);
}

static void processes_are_refused_where_threads_are_not(void)
{
	EXPECT(gets_behind("2", BODY("if (!fork()) _exit(0); work(0, M);"),
			   AO_VERDICT_RUNTIME_ERROR, "clone"));
	/* As a thread in all but that it is one. */
	EXPECT(gets_behind("2",
			   BODY("syscall(SYS_clone, CLONE_VM | CLONE_FS | "
				"CLONE_FILES | CLONE_SIGHAND, 0, 0, 0, 0);"
				"work(0, M);"),
			   AO_VERDICT_RUNTIME_ERROR, "clone"));
	/* Its flags are in memory: the C library does without. */
	EXPECT(gets_behind("2",
			   BODY("if (syscall(SYS_clone3, NULL, 0) == -1)\n"
				"	work(0, M);"),
			   AO_VERDICT_PASSED, NULL));
}

static void a_thread_may_do_no_more_than_its_process(void)
{
	char *text = ao_xstrf(thread_that_starts, "getppid()",
			      "pthread_join(thread, NULL); work(0, M);");

	EXPECT(gets_behind("2", text, AO_VERDICT_RUNTIME_ERROR, "getppid"));
	free(text);
}

static void a_thread_made_while_loading_may_not_open_files_later(void)
{
	EXPECT(gets_behind(
		"2",
		"static volatile int now;\n"
		"static void *run(void *data)\n"
		"{\n"
		"	while (!now)\n"
		"		sched_yield();\n"
		"	syscall(SYS_openat, -100, \"/\", 0);\n"
		"	return data;\n"
		"}\n"
		"static pthread_t thread;\n"
		"__attribute__((constructor)) static void start(void)\n"
		"{\n"
		"	pthread_create(&thread, NULL, run, NULL);\n"
		"}\n" BODY("now = 1; pthread_join(thread, NULL);"
			   "work(0, M);"),
		AO_VERDICT_RUNTIME_ERROR, "openat"));
}

static void more_threads_than_allowed_are_counted(void)
{
	static const char many[] =
		"static void *run(void *data)\n"
		"{\n"
		"	for (;;)\n"
		"		syscall(SYS_futex, &in, 0, 0, 0, 0, 0);\n"
		"	return data;\n"
		"}\n" BODY("static int calls;\n"
			   "pthread_t thread;\n"
			   "for (int i = 0; !calls && i < 8; i++)\n"
			   "	pthread_create(&thread, NULL, run, NULL);\n"
			   "calls++;\n"
			   "work(0, M);");

	EXPECT(gets_behind("2", many, AO_VERDICT_RUNTIME_ERROR,
			   "has 9 threads"));
	EXPECT(gets_behind("8", many, AO_VERDICT_PASSED, NULL));
}

static void a_crash_in_a_thread_is_one_of_the_kernel(void)
{
	char *text = ao_xstrf(thread_that_starts, "*(volatile int *)0 = 1",
			      "pthread_join(thread, NULL); work(0, M);");

	EXPECT(gets("2", "-O2", text, AO_VERDICT_RUNTIME_ERROR, "SIGSEGV"));
	free(text);
}

static void two_threads_are_faster_than_one_on_two_cpus(void)
{
	cpu_set_t all;

	sched_getaffinity(0, sizeof(all), &all);
	if (CPU_COUNT(&all) < 2) {
		EXPECT(!ao_quiet_has_spare(1));
		return;
	}
	EXPECT(pair_up("-fopenmp", parallel, "-O2", serial, 60) ==
	       AO_DECISION_FASTER);
}

static void a_thread_that_spins_takes_nothing_from_the_other_side(void)
{
	static const char spinning[] =
		"static void *run(void *data) { for (;;) continue; "
		"return data; }\n" BODY(
			"static int calls;\n"
			"pthread_t thread;\n"
			"if (!calls++)\n"
			"	pthread_create(&thread, NULL, run, NULL);\n"
			"work(0, M);");

	EXPECT(pair_up("-O2", spinning, "-O2", serial, 8) !=
	       AO_DECISION_FASTER);
}

static void one_cpu_is_enough_for_threads(void)
{
	cpu_set_t before, one;

	sched_getaffinity(0, sizeof(before), &before);
	ao_quiet_cpus(&one, 1);
	EXPECT(CPU_COUNT(&one) == 1);
	sched_setaffinity(0, sizeof(one), &one);
	EXPECT(gets("2", "-fopenmp", parallel, AO_VERDICT_PASSED, NULL));
	EXPECT(pair_up("-fopenmp", parallel, "-O2", serial, 2) !=
	       AO_DECISION_FASTER);
	sched_setaffinity(0, sizeof(before), &before);
}

int main(void)
{
	must(ao_scratch_new(&scratch));
	RUN(openmp_works_where_threads_are_allowed);
	RUN(openmp_is_refused_elsewhere);
	RUN(openmp_is_for_gcc);
	RUN(openmp_makes_as_many_threads_as_may_work);
	RUN(a_kernel_sees_as_many_cpus_as_threads);
	RUN(threads_by_hand_work_too);
	RUN(what_a_thread_writes_after_the_call_does_not_count);
	RUN(processes_are_refused_where_threads_are_not);
	RUN(a_thread_may_do_no_more_than_its_process);
	RUN(a_thread_made_while_loading_may_not_open_files_later);
	RUN(more_threads_than_allowed_are_counted);
	RUN(a_crash_in_a_thread_is_one_of_the_kernel);
	RUN(two_threads_are_faster_than_one_on_two_cpus);
	RUN(a_thread_that_spins_takes_nothing_from_the_other_side);
	RUN(one_cpu_is_enough_for_threads);
	ao_scratch_free(scratch);
	return tap_done();
}
