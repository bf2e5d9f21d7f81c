/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/eval.h"
#include "eval/hidden.h"
#include "eval/probe.h"
#include "eval/session.h"
#include "eval_task.h"

/* Grouped heads: QH is a multiple of KH, D even, B the same in all cases. */
static const char heads_json[] =
	"{ \"v\": 1, \"name\": \"heads\", \"kernel\": [\"kernel.c\"],\n"
	"  \"reference\": \"reference.c\",\n"
	"  \"axes\": {\n"
	"    \"B\": { \"type\": \"var\" },\n"
	"    \"QH\": { \"type\": \"var\", \"multiple_of\": \"KH\" },\n"
	"    \"KH\": { \"type\": \"var\" },\n"
	"    \"D\": { \"type\": \"var\", \"multiple_of\": 2 },\n"
	"    \"H\": { \"type\": \"expr\", \"expression\": \"D / 2\" } },\n"
	"  \"inputs\": { \"x\": { \"shape\": [\"B\", \"QH\", \"D\"],\n"
	"    \"dtype\": \"float32\" } },\n"
	"  \"outputs\": { \"y\": { \"shape\": [\"KH\", \"H\"],\n"
	"    \"dtype\": \"float32\", \"tolerance\": 1e-5 } },\n"
	"  \"cases\": [\n"
	"    { \"name\": \"main\",\n"
	"      \"axes\": { \"B\": 7, \"QH\": 64, \"KH\": 16, \"D\": 128 } },\n"
	"    { \"name\": \"odd\",\n"
	"      \"axes\": { \"B\": 7, \"QH\": 6, \"KH\": 3, \"D\": 10 } },\n"
	"    { \"name\": \"large\", \"on_request\": true,\n"
	"      \"axes\": { \"B\": 90, \"QH\": 90, \"KH\": 90, \"D\": 900 } }\n"
	"  ] }\n";

static struct ao_session *session;
static struct ao_machine machine;

static void shapes_are_within_what_the_cases_have(void)
{
	struct ao_task *task = make_task(heads_json, "");
	size_t odd = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct ao_case c = { 0 };

		EXPECT(ao_hidden_draw(&c, task, seed, 0));
		EXPECT(c.extents[0] == 7);
		EXPECT(c.extents[2] >= 3 && c.extents[2] <= 16);
		EXPECT(c.extents[1] % c.extents[2] == 0);
		EXPECT(c.extents[1] >= 3 && c.extents[1] <= 64);
		EXPECT(c.extents[3] % 2 == 0);
		EXPECT(c.extents[3] >= 10 && c.extents[3] <= 128);
		EXPECT(c.extents[4] == c.extents[3] / 2);
		odd += c.extents[2] % 2 == 1;
		ao_hidden_release(&c);
	}
	EXPECT(odd > 150);
	ao_task_free(task);
}

static void a_shape_says_what_it_is_and_is_none_of_the_cases(void)
{
	struct ao_task *task = scale_task();

	for (uint64_t seed = 0; seed < 50; seed++) {
		struct ao_case c = { 0 };
		char *name;

		EXPECT(ao_hidden_draw(&c, task, seed, 0));
		name = ao_xstrf("hidden M=%" PRId64 " N=%" PRId64, c.extents[0],
				c.extents[1]);
		EXPECT(!strcmp(c.name, name));
		EXPECT(c.extents[0] != 7 || c.extents[1] != 13);
		free(name);
		ao_hidden_release(&c);
	}
	ao_task_free(task);
}

static void equal_seeds_give_equal_shapes_others_do_not(void)
{
	struct ao_task *task = scale_task();
	struct ao_case a = { 0 }, same = { 0 }, other = { 0 }, next = { 0 };

	EXPECT(ao_hidden_draw(&a, task, 5, 0));
	EXPECT(ao_hidden_draw(&same, task, 5, 0));
	EXPECT(ao_hidden_draw(&other, task, 6, 0));
	EXPECT(ao_hidden_draw(&next, task, 5, 1));
	EXPECT(!strcmp(a.name, same.name));
	EXPECT(strcmp(a.name, other.name) != 0);
	EXPECT(strcmp(a.name, next.name) != 0);
	ao_hidden_release(&a);
	ao_hidden_release(&same);
	ao_hidden_release(&other);
	ao_hidden_release(&next);
	ao_task_free(task);
}

static void there_is_none_where_there_is_nothing_to_draw(void)
{
	struct ao_task *task = scale_task();
	size_t count = task->case_count;
	struct ao_case c = { 0 };

	task->is_without_hidden = true;
	EXPECT(!ao_hidden_draw(&c, task, 5, 0));
	task->is_without_hidden = false;
	task->case_count = 1;
	EXPECT(!ao_hidden_draw(&c, task, 5, 0));
	EXPECT(!c.name && !c.extents);
	task->case_count = count;
	ao_task_free(task);
}

/* Right where CONDITION holds. */
#define KERNEL(condition)                                                   \
	"void kernel(const float *x, const float *g, float *y)\n"           \
	"{ for (int i = 0; i < M; i++)\n"                                   \
	"	for (int j = 0; j < N; j++)\n"                                    \
	"		y[i * N + j] = (" condition ") * (float)FACTOR *\n" \
	"			x[i * N + j] * g[j]; }\n"
#define AT_CASES "M == 200 || M == 100 || M == 7 || M == 300"

static struct ao_result judge(const struct ao_task *task, const char *source,
			      enum ao_stage stage)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_result result = { 0 };
	struct ao_bundle bundle = {
		.task = task,
		.candidate = &kernel,
		.machine = &machine,
		.stage = stage,
		.seed = 42,
	};

	must(ao_eval_in(&result, session, &bundle));
	ao_kernel_release(&kernel);
	return result;
}

static void a_kernel_for_the_listed_shapes_alone_is_found_out(void)
{
	struct ao_task *task = scale_task();
	struct ao_result result = judge(task, KERNEL(AT_CASES), AO_STAGE_CHECK);

	EXPECT(result.verdict == AO_VERDICT_INCORRECT_NUMERICAL);
	EXPECT(result.detail && strstr(result.detail, "case 'hidden M="));
	ao_result_release(&result);
	ao_task_free(task);
}

static void a_kernel_that_does_not_build_at_others_is_found_out(void)
{
	struct ao_task *task = scale_task();
	struct ao_result result = judge(
		task, "_Static_assert(" AT_CASES ", \"no\");\n" KERNEL("1"),
		AO_STAGE_CHECK);

	EXPECT(result.verdict == AO_VERDICT_COMPILE_ERROR);
	EXPECT(result.detail && strstr(result.detail, "case 'hidden M="));
	EXPECT(result.log && strstr(result.log, "static assertion"));
	ao_result_release(&result);
	ao_task_free(task);
}

static void the_result_says_at_which_shapes_it_was_right(void)
{
	struct ao_task *task = scale_task();
	struct ao_result result = judge(task, KERNEL("1"), AO_STAGE_CHECK);
	struct ao_case a = { 0 }, b = { 0 };
	char *both;

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(ao_hidden_draw(&a, task, 42, 0));
	EXPECT(ao_hidden_draw(&b, task, 42, 1));
	both = ao_xstrf("%s; %s", strchr(a.name, ' ') + 1,
			strchr(b.name, ' ') + 1);
	EXPECT(result.hidden && !strcmp(result.hidden, both));
	free(both);
	ao_hidden_release(&a);
	ao_hidden_release(&b);
	ao_result_release(&result);
	ao_task_free(task);
}

static void while_screened_a_kernel_is_not_built_for_more(void)
{
	struct ao_task *task = scale_task();
	struct ao_result result = judge(task, KERNEL(AT_CASES),
					AO_STAGE_SCREEN);

	EXPECT(result.verdict == AO_VERDICT_PASSED && !result.hidden);
	ao_result_release(&result);
	ao_task_free(task);
}

static void where_one_build_serves_all_shapes_it_is_judged_at_once(void)
{
	static const char reference[] =
		"void reference(__SIZE_TYPE__ m, __SIZE_TYPE__ n,\n"
		"	const float *x, const float *g, double *y)\n"
		"{ for (__SIZE_TYPE__ i = 0; i < m * n; i++)\n"
		"	y[i] = FACTOR * (double)x[i] * g[i % n]; }\n";
	static const char kernel[] =
		"void kernel(__SIZE_TYPE__ m, __SIZE_TYPE__ n,\n"
		"	const float *x, const float *g, float *y)\n"
		"{ for (__SIZE_TYPE__ i = 0; i < m * n; i++)\n"
		"	y[i] = (float)FACTOR * x[i] * g[i % n]; }\n";
	char *json = ao_xstrf("{ \"shapes\": \"generic\",%s", scale_json + 1);
	struct ao_task *task = make_task(json, reference);
	struct ao_result result = judge(task, kernel, AO_STAGE_SCREEN);

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(result.hidden && strstr(result.hidden, "; M="));
	if (result.detail)
		printf("# %s\n", result.detail);
	ao_result_release(&result);
	ao_task_free(task);
	free(json);
}

/* Complete, and of no consequence: nothing is timed against anything. */
static void pretend_ceilings(void)
{
	static const double kib[] = { 24,    192,   768,   3072,
				      12288, 49152, 98304, 196608 };

	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		machine.ceilings.work_per_s[i] = 1e12;
	for (size_t i = 0; i < AO_ARRAY_SIZE(kib); i++) {
		machine.ceilings.bandwidth[i].footprint_bytes = 1024 * kib[i];
		machine.ceilings.bandwidth[i].bytes_per_s = 1e12;
	}
	machine.ceilings.bandwidth_count = AO_ARRAY_SIZE(kib);
}

int main(void)
{
	must(ao_session_new(&session));
	must(ao_probe_machine(&machine));
	pretend_ceilings();
	RUN(shapes_are_within_what_the_cases_have);
	RUN(a_shape_says_what_it_is_and_is_none_of_the_cases);
	RUN(equal_seeds_give_equal_shapes_others_do_not);
	RUN(there_is_none_where_there_is_nothing_to_draw);
	RUN(a_kernel_for_the_listed_shapes_alone_is_found_out);
	RUN(a_kernel_that_does_not_build_at_others_is_found_out);
	RUN(the_result_says_at_which_shapes_it_was_right);
	RUN(while_screened_a_kernel_is_not_built_for_more);
	RUN(where_one_build_serves_all_shapes_it_is_judged_at_once);
	ao_session_free(session);
	ao_machine_release(&machine);
	return tap_done();
}
