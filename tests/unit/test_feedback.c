/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "eval/eval.h"
#include "eval/feedback.h"
#include "eval/mca.h"
#include "eval/session.h"
#include "eval/toolchain.h"
#include "eval_task.h"
#include "util/file.h"

/* Its sums are for nothing, but have to be made in their order. */
#define SUMS(first_line)                                            \
	first_line "void kernel(const float *restrict x,"           \
		   " const float *restrict g, float *restrict y)\n" \
		   "{\n"                                            \
		   "	for (int i = 0; i < M; i++) {\n"               \
		   "		float sum = 0;\n"                             \
		   "		for (int j = 0; j < N; j++)\n"                \
		   "			sum += x[i * N + j];\n"                      \
		   "		for (int j = 0; j < N; j++)\n"                \
		   "			y[i * N + j] = 3 *"                          \
		   " x[i * N + j] * g[j] + 0 * sum;\n"              \
		   "	}\n"                                           \
		   "}\n"

static struct ao_task *task;

static bool has_program(const char *name)
{
	char *path = ao_spawn_find(name);

	free(path);
	return path != NULL;
}

/* What is found out of a kernel; the caller releases it. */
static struct ao_result feedback_on(const char *source)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_result result = { 0 };
	struct ao_session *session;
	const struct ao_bundle bundle = {
		.task = task,
		.candidate = &kernel,
		.seed = 7,
	};
	struct ao_feedback_request request = {
		.bundle = &bundle,
		.c = &task->cases[0],
		.call_ns = 1e5,
	};

	must(ao_session_new(&session));
	request.session = session;
	must(ao_feedback_add(&result, &request));
	ao_session_free(session);
	ao_kernel_release(&kernel);
	return result;
}

#ifdef __x86_64__

static void expect_sums(const char *source)
{
	struct ao_result result = feedback_on(source);
	const struct ao_hotloop *loop = &result.hotloop;

	EXPECT(loop->samples > 100);
	EXPECT(loop->share > 0.5);
	EXPECT(loop->line == 6 || loop->line == 7);
	EXPECT(loop->file && !strcmp(loop->file, "kernel.c"));
	EXPECT(loop->instructions >= loop->scalar + loop->branches);
	EXPECT(loop->scalar >= 2 && loop->branches >= 1);
	EXPECT(loop->loads >= 1 && !loop->stores && !loop->calls);
	if (has_program("llvm-mca")) {
		EXPECT(loop->bound && !strcmp(loop->bound, "latency"));
		EXPECT(loop->chain && strstr(loop->chain, "addss"));
		EXPECT(loop->cycles > loop->throughput_cycles);
	}
	ao_result_release(&result);
}

static void sums_of_gcc_wait_for_each_other(void)
{
	if (!has_program("objdump") || !has_program("gcc")) {
		SKIP("gcc or objdump is not installed");
		return;
	}
	expect_sums(SUMS("// cflags: compiler=gcc\n"));
}

static void sums_of_clang_wait_for_each_other(void)
{
	if (!has_program("objdump") || !has_program("clang")) {
		SKIP("clang or objdump is not installed");
		return;
	}
	expect_sums(SUMS("// cflags: compiler=clang\n"));
}

static void a_loop_in_vectors_is_not_bound_by_latency(void)
{
	struct ao_result result = feedback_on(scale_kernel);
	const struct ao_hotloop *loop = &result.hotloop;

	if (!has_program("objdump")) {
		SKIP("objdump is not installed");
	} else {
		EXPECT(loop->share > 0.5);
		EXPECT(loop->line >= 4 && loop->line <= 7);
		EXPECT(loop->vector128 + loop->vector256 + loop->vector512 > 0);
		EXPECT(loop->stores >= 1 && !loop->divisions);
		EXPECT(!loop->bound || strcmp(loop->bound, "latency") != 0);
	}
	ao_result_release(&result);
}

static void time_in_the_library_of_mathematics_is_told(void)
{
	struct ao_result result = feedback_on(
		"#include <math.h>\n"
		"void kernel(const float *x, const float *g, float *y)\n"
		"{\n"
		"	for (int i = 0; i < M * N; i++)\n"
		"		y[i] = 3 * x[i] * g[i % N] +\n"
		"		       0 * (float)tgamma(x[i]);\n"
		"}\n");

	if (!has_program("objdump"))
		SKIP("objdump is not installed");
	else
		EXPECT(result.hotloop.outside > 0.5);
	ao_result_release(&result);
}

/* A folder with the programs that are named, the only one in PATH. */
static char *narrow_path(const char *const *names)
{
	char *folder;

	must(ao_file_temp_folder(&folder));
	for (; *names; names++) {
		char *program = ao_spawn_find(*names);
		char *link = ao_xstrf("%s/%s", folder, *names);

		if (program && symlink(program, link))
			printf("# no link to %s\n", *names);
		free(link);
		free(program);
	}
	setenv("PATH", folder, 1);
	return folder;
}

static void expect_missing(const char *const *names, const char *missing)
{
	char *path = ao_xstrdup(getenv("PATH"));
	char *folder = narrow_path(names);
	struct ao_result result = feedback_on(scale_kernel);

	setenv("PATH", path, 1);
	EXPECT(result.hotloop.missing &&
	       !strcmp(result.hotloop.missing, missing));
	EXPECT(!result.remark_count);
	EXPECT(!result.hotloop.bound);
	ao_result_release(&result);
	ao_file_remove_tree(folder);
	free(folder);
	free(path);
}

static void a_tool_that_is_not_installed_is_named(void)
{
	static const char *const without_mca[] = { "cc", "as", "ld", "objdump",
						   NULL };
	static const char *const without_objdump[] = { "cc", "as", "ld", NULL };

	if (has_program("objdump"))
		expect_missing(without_mca, "llvm-mca");
	expect_missing(without_objdump, "objdump");
}

static void of_a_kernel_that_is_wrong_nothing_is_told(void)
{
	struct ao_result result = feedback_on(
		"void kernel(const float *x, const float *g, float *y)\n"
		"{\n"
		"	for (int i = 0; i < M * N; i++)\n"
		"		y[i] = 5 * x[i] * g[i % N];\n"
		"}\n");

	EXPECT(!result.hotloop.samples && !result.hotloop.instructions);
	ao_result_release(&result);
}

#endif

static void judging_a_gain_tells_where_the_time_goes(void)
{
	struct ao_kernel slow = make_kernel(SUMS(""));
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_strs cases = { 0 };
	struct ao_bundle bundle = {
		.task = task,
		.candidate = &fast,
		.opponents = &slow,
		.opponent_count = 1,
		.cases = &cases,
		.stage = AO_STAGE_SCREEN,
		.seed = 3,
	};
	struct ao_result result = { 0 };

	ao_strs_push(&cases, "main");
	must(ao_eval(&result, &bundle));
	EXPECT(result.pairs && result.pairs->decision == AO_DECISION_FASTER);
#ifdef __x86_64__
	EXPECT(ao_hotloop_is_known(&result.hotloop));
#endif
	ao_result_release(&result);
	bundle.candidate = &slow;
	bundle.opponents = &fast;
	must(ao_eval(&result, &bundle));
	EXPECT(result.pairs && result.pairs->decision != AO_DECISION_FASTER);
	EXPECT(!ao_hotloop_is_known(&result.hotloop));
	ao_result_release(&result);
	ao_strs_release(&cases);
	ao_kernel_release(&slow);
	ao_kernel_release(&fast);
}

int main(void)
{
	/* What tools read is for whoever they run as. */
	umask(077);
	task = scale_task();
#ifdef __x86_64__
	RUN(sums_of_gcc_wait_for_each_other);
	RUN(sums_of_clang_wait_for_each_other);
	RUN(a_loop_in_vectors_is_not_bound_by_latency);
	RUN(time_in_the_library_of_mathematics_is_told);
	RUN(a_tool_that_is_not_installed_is_named);
	RUN(of_a_kernel_that_is_wrong_nothing_is_told);
#endif
	RUN(judging_a_gain_tells_where_the_time_goes);
	ao_task_free(task);
	return tap_done();
}
