/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "eval/eval.h"
#include "eval/probe.h"
#include "eval/selfpair.h"
#include "eval/session.h"
#include "eval_task.h"
#include "util/file.h"

static struct ao_task *task;
static struct ao_session *session;
static struct ao_machine machine;

/* Ceilings that no kernel here comes near. */
static void pretend_ceilings(struct ao_machine *of)
{
	static const double kib[] = { 24,    192,   768,   3072,
				      12288, 49152, 98304, 196608 };

	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		of->ceilings.work_per_s[i] = 1e12;
	for (size_t i = 0; i < AO_ARRAY_SIZE(kib); i++) {
		of->ceilings.bandwidth[i].footprint_bytes = 1024 * kib[i];
		of->ceilings.bandwidth[i].bytes_per_s = 1e12;
	}
	of->ceilings.bandwidth_count = AO_ARRAY_SIZE(kib);
}

static struct ao_bundle bundle_for(const struct ao_kernel *kernel)
{
	return (struct ao_bundle){
		.task = task,
		.candidate = kernel,
		.machine = &machine,
		.stage = AO_STAGE_CHECK,
		.seed = 42,
	};
}

static struct ao_result judge(const struct ao_bundle *bundle)
{
	struct ao_result result = { 0 };

	must(ao_eval_in(&result, session, bundle));
	return result;
}

static struct ao_result check(const char *source)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result result;

	bundle.call_timeout_ms = 1000;
	result = judge(&bundle);
	ao_kernel_release(&kernel);
	return result;
}

static bool ends_in(const char *source, enum ao_verdict verdict,
		    const char *detail)
{
	struct ao_result result = check(source);
	bool as_expected = result.verdict == verdict && result.detail &&
			   strstr(result.detail, detail);

	if (!as_expected)
		printf("# got %s: %s\n", ao_verdict_name(result.verdict),
		       result.detail ? result.detail : "no detail");
	ao_result_release(&result);
	return as_expected;
}

/* A right kernel that does its work `times` over on cases where `when`. */
static struct ao_kernel slow_kernel(const char *when, int times)
{
	char *text = ao_xstrf(
		"void kernel(const float *restrict x,\n"
		"            const float *restrict g, float *restrict y)\n"
		"{\n"
		"	int times = (%s) ? %d : 1;\n"
		"	for (int t = 0; t < times; t++) {\n"
		"		__asm__ volatile(\"\" ::: \"memory\");\n"
		"		for (int i = 0; i < M; i++)\n"
		"			for (int j = 0; j < N; j++)\n"
		"				y[i * N + j] = (float)FACTOR *\n"
		"					x[i * N + j] * g[j];\n"
		"	}\n"
		"}\n",
		when, times);
	struct ao_kernel kernel = make_kernel(text);

	free(text);
	return kernel;
}

static void a_right_kernel_passes(void)
{
	struct ao_result result = check(scale_kernel);

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	if (result.detail)
		printf("# %s\n", result.detail);
	EXPECT(!result.detail);
	EXPECT(!result.pair_count);
	ao_result_release(&result);
}

static void every_case_is_told_the_main_one_first(void)
{
	static const char *const names[] = { "main", "side", "odd" };
	struct ao_result result = check(scale_kernel);

	EXPECT(result.case_count == 3);
	for (size_t i = 0; i < result.case_count; i++) {
		const struct ao_case_result *c = &result.cases[i];

		EXPECT(!strcmp(c->case_name, names[i]));
		EXPECT(c->min_ns > 0 && c->median_ns >= c->min_ns);
		EXPECT(c->error <= c->limit && c->limit == 1e-5);
		EXPECT(c->floor_ns > 0 && c->bound);
		EXPECT(fabs(c->percent_of_peak -
			    100 * c->floor_ns / c->median_ns) < 1e-9);
	}
	ao_result_release(&result);
}

/* Judge the cases of these names, `second` unless NULL too. */
static struct ao_result judge_cases(enum ao_stage stage, const char *source,
				    const struct ao_kernel *opponent,
				    const char *first, const char *second)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_strs cases = { 0 };
	struct ao_result result;

	ao_strs_push(&cases, first);
	if (second)
		ao_strs_push(&cases, second);
	bundle.stage = stage;
	bundle.cases = &cases;
	bundle.opponents = opponent;
	bundle.opponent_count = opponent ? 1 : 0;
	result = judge(&bundle);
	ao_strs_release(&cases);
	ao_kernel_release(&kernel);
	return result;
}

static void a_case_on_request_is_judged_by_name_alone(void)
{
	struct ao_result result = judge_cases(AO_STAGE_CHECK, scale_kernel,
					      NULL, "large", NULL);

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(result.case_count == 1 &&
	       !strcmp(result.cases[0].case_name, "large"));
	EXPECT(result.case_count == 1 && result.cases[0].min_ns > 0);
	ao_result_release(&result);
}

static void a_kernel_that_is_wrong_on_a_case_on_request_passes_without(void)
{
	static const char *const source =
		"void kernel(const float *x, const float *g, float *y)\n"
		"{ for (int i = 0; i < M; i++)\n"
		"	for (int j = 0; j < N; j++)\n"
		"		y[i * N + j] = M > 200 ? 0 :\n"
		"			3 * x[i * N + j] * g[j]; }\n";
	struct ao_result without = check(source);
	struct ao_result with = judge_cases(AO_STAGE_CHECK, source, NULL, "odd",
					    "large");

	EXPECT(without.verdict == AO_VERDICT_PASSED);
	EXPECT(with.verdict == AO_VERDICT_INCORRECT_NUMERICAL);
	EXPECT(with.detail && strstr(with.detail, "case 'large'"));
	ao_result_release(&without);
	ao_result_release(&with);
}

static void the_cases_that_are_named_are_timed_and_no_other(void)
{
	struct ao_kernel opponent = make_kernel(scale_kernel);
	struct ao_result result;

	memset(opponent.id, 'b', AO_ID_SIZE - 1);
	result = judge_cases(AO_STAGE_FULL, scale_kernel, &opponent, "large",
			     "odd");
	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(result.case_count == 2);
	EXPECT(result.pair_count == 2);
	EXPECT(result.pair_count == 2 &&
	       !strcmp(result.pairs[0].case_name, "odd") &&
	       !strcmp(result.pairs[1].case_name, "large"));
	ao_result_release(&result);
	ao_kernel_release(&opponent);
}

static void a_result_states_how_it_came_about(void)
{
	struct ao_result result = check(scale_kernel);

	EXPECT(result.seed == 42);
	EXPECT(strlen(result.evaluator) == AO_ID_SIZE - 1);
	EXPECT(result.flags && strstr(result.flags, "-O3"));
	EXPECT(!strcmp(result.machine.fingerprint, machine.fingerprint));
	EXPECT(!result.machine.ceilings.bandwidth_count);
	ao_result_release(&result);
}

static void a_wrong_kernel_is_found_out(void)
{
	EXPECT(ends_in("void kernel(const float *x, const float *g, float *y)\n"
		       "{ for (int i = 0; i < M * N; i++) y[i] = 0; }\n",
		       AO_VERDICT_INCORRECT_NUMERICAL, "case 'main'"));
}

static void a_kernel_that_is_wrong_on_odd_sizes_is_found_out(void)
{
	EXPECT(ends_in(
		"void kernel(const float *x, const float *g, float *y)\n"
		"{ for (int i = 0; i < M; i++)\n"
		"	for (int j = 0; j < N / 4 * 4; j++)\n"
		"		y[i * N + j] = 3 * x[i * N + j] * g[j]; }\n",
		AO_VERDICT_INCORRECT_NUMERICAL, "case 'odd'"));
}

static void a_kernel_that_does_not_compile_is_a_verdict(void)
{
	struct ao_result result = check("void kernel(void) { x; }\n");

	EXPECT(result.verdict == AO_VERDICT_COMPILE_ERROR);
	EXPECT(result.detail && strstr(result.detail, "kernel.c:1:"));
	EXPECT(result.log && strstr(result.log, "undeclared"));
	EXPECT(result.flags && *result.flags);
	ao_result_release(&result);
}

static void a_flag_that_is_not_allowed_is_a_verdict(void)
{
	EXPECT(ends_in("// cflags: -Ofast\nvoid kernel(void) { }\n",
		       AO_VERDICT_BANNED, "'-Ofast'"));
}

static void a_kernel_that_crashes_is_a_verdict(void)
{
	EXPECT(ends_in("void kernel(void) { *(volatile int *)8 = 1; }\n",
		       AO_VERDICT_RUNTIME_ERROR, "case 'main'"));
}

static void a_kernel_that_does_not_end_is_a_verdict(void)
{
	EXPECT(ends_in("void kernel(void)\n"
		       "{ for (volatile int i = 0;; i++) ; }\n",
		       AO_VERDICT_TIMEOUT, "case 'main'"));
}

static void a_kernel_that_writes_nothing_is_found_out(void)
{
	EXPECT(ends_in("void kernel(void) { }\n",
		       AO_VERDICT_INCORRECT_NUMERICAL, "case 'main'"));
}

static const struct ao_pair *pair_at(const struct ao_result *result, size_t i)
{
	static const struct ao_pair none;

	return i < result->pair_count ? &result->pairs[i] : &none;
}

/* The result of one kernel against another. */
static struct ao_result compare(const struct ao_kernel *kernel,
				const struct ao_kernel *opponent,
				enum ao_stage stage)
{
	struct ao_bundle bundle = bundle_for(kernel);

	bundle.opponents = opponent;
	bundle.opponent_count = 1;
	bundle.stage = stage;
	return judge(&bundle);
}

static void a_faster_kernel_is_found_faster(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_result result;
	const struct ao_pair *pair;

	memset(slow.id, 'b', AO_ID_SIZE - 1);
	result = compare(&fast, &slow, AO_STAGE_SCREEN);
	pair = pair_at(&result, 0);
	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(result.pair_count == 1);
	EXPECT(pair->decision == AO_DECISION_FASTER);
	EXPECT(pair->log_gain > 0.5);
	EXPECT(pair->units > 0 && pair->units <= 8);
	EXPECT(!strcmp(pair->against, slow.id));
	EXPECT(pair->case_name && !strcmp(pair->case_name, "main"));
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

/* The scale kernel with a text before it. */
static struct ao_kernel kernel_behind(const char *before)
{
	char *text = ao_xstrf("%s%s", before, scale_kernel);
	struct ao_kernel kernel = make_kernel(text);

	memset(kernel.id, 'e', AO_ID_SIZE - 1);
	free(text);
	return kernel;
}

static void a_session_times_a_kernel_against_itself_once(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_bundle bundle = bundle_for(&fast);
	struct ao_result first = { 0 }, second = { 0 };
	struct ao_session *own = NULL;

	memset(slow.id, 'b', AO_ID_SIZE - 1);
	bundle.opponents = &slow;
	bundle.opponent_count = 1;
	bundle.stage = AO_STAGE_SCREEN;
	must(ao_session_new(&own));
	must(ao_eval_in(&first, own, &bundle));
	must(ao_eval_in(&second, own, &bundle));
	EXPECT(first.control.case_name &&
	       !strcmp(first.control.case_name, "main"));
	EXPECT(!strcmp(first.control.against, slow.id));
	EXPECT(first.control.units > 1 && first.control.units <= 8);
	EXPECT(second.control.units == first.control.units);
	EXPECT(second.control.log_gain == first.control.log_gain);
	ao_session_free(own);
	ao_result_release(&first);
	ao_result_release(&second);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void a_control_that_tells_a_kernel_from_itself_is_tried_again(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_bundle bundle = bundle_for(&fast);
	struct ao_session *own = NULL;
	struct ao_result result = { 0 };

	bundle.opponents = &slow;
	bundle.opponent_count = 1;
	bundle.stage = AO_STAGE_SCREEN;
	must(ao_session_new(&own));
	*ao_session_control(own) = (struct ao_pair){
		.case_name = ao_xstrdup("main"),
		.decision = AO_DECISION_SLOWER,
		.log_gain = -1,
	};
	must(ao_eval_in(&result, own, &bundle));
	EXPECT(result.control.log_gain > -0.9);
	EXPECT(pair_at(&result, 0)->decision == AO_DECISION_FASTER);
	ao_session_free(own);
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void where_a_kernel_is_told_from_itself_every_pair_is_void(void)
{
	char name[] = "main";
	const struct ao_pair control = {
		.case_name = name,
		.decision = AO_DECISION_FASTER,
		.log_gain = 0.03,
	};
	struct ao_kernel opponents[2] = { { .id = "a" }, { .id = "b" } };
	const struct ao_bundle bundle = { .opponents = opponents,
					  .opponent_count = 2 };
	struct ao_result result = { 0 };

	ao_selfpair_apply(&result, &bundle, &control);
	EXPECT(result.pair_count == 2);
	EXPECT(pair_at(&result, 0)->decision == AO_DECISION_VOID);
	EXPECT(!strcmp(pair_at(&result, 1)->against, "b"));
	EXPECT(pair_at(&result, 1)->units == 0);
	EXPECT(result.detail && strstr(result.detail, "not timed"));
	EXPECT(result.control.log_gain == 0.03);
	ao_result_release(&result);
}

static void a_slower_kernel_is_given_up_soon(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_result result = compare(&slow, &fast, AO_STAGE_SCREEN);

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(pair_at(&result, 0)->units < 8);
	EXPECT(pair_at(&result, 0)->log_gain < -0.5);
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void the_same_machine_code_needs_no_timing(void)
{
	static const enum ao_stage stages[] = { AO_STAGE_SCREEN,
						AO_STAGE_CONFIRM };
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_kernel same = kernel_behind("/* another text */\n");

	for (size_t i = 0; i < AO_ARRAY_SIZE(stages); i++) {
		struct ao_result result = compare(&kernel, &same, stages[i]);

		EXPECT(result.verdict == AO_VERDICT_PASSED);
		EXPECT(result.pair_count == 1);
		EXPECT(pair_at(&result, 0)->decision == AO_DECISION_TIE);
		EXPECT(pair_at(&result, 0)->units == 0);
		EXPECT(!strcmp(pair_at(&result, 0)->against, same.id));
		EXPECT(!strcmp(pair_at(&result, 0)->case_name, "main"));
		EXPECT(result.detail && strstr(result.detail, "machine code"));
		EXPECT(result.cases[0].median_ns > 0);
		ao_result_release(&result);
	}
	ao_kernel_release(&kernel);
	ao_kernel_release(&same);
}

static void code_that_does_the_same_elsewhere_is_timed(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_kernel moved = kernel_behind(
		"__attribute__((used)) static int f(int x) { return x; }\n");
	struct ao_result result = compare(&kernel, &moved, AO_STAGE_SCREEN);

	EXPECT(result.pair_count == 1 && pair_at(&result, 0)->units >= 3);
	ao_result_release(&result);
	ao_kernel_release(&kernel);
	ao_kernel_release(&moved);
}

static void who_asks_for_a_full_timing_gets_one(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_kernel same = kernel_behind("");
	struct ao_result result = compare(&kernel, &same, AO_STAGE_FULL);

	EXPECT(result.pair_count == 2);
	EXPECT(pair_at(&result, 0)->units > 0);
	ao_result_release(&result);
	ao_kernel_release(&kernel);
	ao_kernel_release(&same);
}

static void other_cases_of_what_is_not_confirmed_are_not_timed(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_result result = compare(&slow, &fast, AO_STAGE_CONFIRM);

	EXPECT(result.pair_count == 1);
	EXPECT(pair_at(&result, 0)->decision != AO_DECISION_FASTER);
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void a_slower_kernel_is_found_slower(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_result result = compare(&slow, &fast, AO_STAGE_FULL);

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(pair_at(&result, 0)->decision == AO_DECISION_SLOWER);
	EXPECT(pair_at(&result, 0)->log_gain < -0.5);
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void a_full_evaluation_times_all_cases_that_count(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_result result = compare(&fast, &slow, AO_STAGE_FULL);

	EXPECT(result.pair_count == 2);
	EXPECT(!strcmp(pair_at(&result, 0)->case_name, "main"));
	EXPECT(!strcmp(pair_at(&result, 1)->case_name, "side"));
	EXPECT(pair_at(&result, 0)->decision == AO_DECISION_FASTER);
	EXPECT(pair_at(&result, 1)->decision == AO_DECISION_FASTER);
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void a_new_best_is_confirmed_by_ten_times_the_evidence(void)
{
	struct ao_kernel fast = make_kernel(scale_kernel);
	struct ao_kernel slow = slow_kernel("1", 4);
	struct ao_result result = compare(&fast, &slow, AO_STAGE_CONFIRM);

	EXPECT(result.pair_count == 2);
	EXPECT(pair_at(&result, 0)->decision == AO_DECISION_FASTER);
	EXPECT(pair_at(&result, 0)->evidence > 1000);
	ao_result_release(&result);
	ao_kernel_release(&fast);
	ao_kernel_release(&slow);
}

static void a_gain_that_a_protected_case_pays_for_is_none(void)
{
	struct ao_kernel uneven = slow_kernel("M == 100", 6);
	struct ao_kernel even = slow_kernel("1", 3);
	struct ao_result result = compare(&uneven, &even, AO_STAGE_FULL);

	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(pair_at(&result, 0)->log_gain > 0.5);
	EXPECT(pair_at(&result, 1)->decision == AO_DECISION_SLOWER);
	EXPECT(pair_at(&result, 0)->decision == AO_DECISION_TIE);
	EXPECT(result.detail && strstr(result.detail, "'side', which is"));
	ao_result_release(&result);
	ao_kernel_release(&uneven);
	ao_kernel_release(&even);
}

static void an_opponent_that_does_not_build_is_an_error(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_kernel bad = make_kernel("x\n");
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result result = { 0 };
	struct ao_error *err;

	memset(bad.id, 'c', AO_ID_SIZE - 1);
	bundle.opponents = &bad;
	bundle.opponent_count = 1;
	bundle.stage = AO_STAGE_SCREEN;
	err = ao_eval_in(&result, session, &bundle);
	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(tells(err, "opponent 'cccccccc"));
	ao_kernel_release(&kernel);
	ao_kernel_release(&bad);
}

static void an_opponent_that_is_wrong_is_an_error(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_kernel bad = make_kernel("void kernel(void) { }\n");
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result result = { 0 };

	bundle.opponents = &bad;
	bundle.opponent_count = 1;
	bundle.stage = AO_STAGE_SCREEN;
	EXPECT(tells(ao_eval_in(&result, session, &bundle), "is not right"));
	ao_kernel_release(&kernel);
	ao_kernel_release(&bad);
}

static void where_nothing_is_timed_opponents_are_checked(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_kernel bad = make_kernel("void kernel(void) { }\n");
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result result = { 0 };

	bundle.opponents = &kernel;
	bundle.opponent_count = 1;
	EXPECT(!ao_eval_in(&result, session, &bundle));
	EXPECT(result.verdict == AO_VERDICT_PASSED && !result.pair_count);
	ao_result_release(&result);
	bundle.opponents = &bad;
	EXPECT(tells(ao_eval_in(&result, session, &bundle), "is not right"));
	ao_kernel_release(&kernel);
	ao_kernel_release(&bad);
}

static void a_wrong_kernel_is_not_timed(void)
{
	struct ao_kernel bad = make_kernel("void kernel(void) { }\n");
	struct ao_kernel good = make_kernel(scale_kernel);
	struct ao_result result = compare(&bad, &good, AO_STAGE_FULL);

	EXPECT(result.verdict == AO_VERDICT_INCORRECT_NUMERICAL);
	EXPECT(!result.pair_count);
	ao_result_release(&result);
	ao_kernel_release(&bad);
	ao_kernel_release(&good);
}

static void a_reference_that_does_not_build_is_an_error(void)
{
	struct ao_task *bad = make_task(scale_json, "x\n");
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result result = { 0 };

	bundle.task = bad;
	EXPECT(tells(ao_eval_in(&result, session, &bundle),
		     "does not compile: reference.c:1"));
	ao_kernel_release(&kernel);
	ao_task_free(bad);
}

static void what_was_done_once_costs_nothing_again(void)
{
	struct ao_result first = check(scale_kernel);
	struct ao_result second = check(scale_kernel);

	EXPECT(second.verdict == AO_VERDICT_PASSED);
	EXPECT(!second.cpu_ns.compile);
	EXPECT(!second.cpu_ns.reference);
	EXPECT(second.cpu_ns.compare > 0 && second.cpu_ns.isolation > 0);
	ao_result_release(&first);
	ao_result_release(&second);
}

static void a_session_of_its_own_pays_for_everything(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result result = { 0 };

	must(ao_eval(&result, &bundle));
	EXPECT(result.verdict == AO_VERDICT_PASSED);
	EXPECT(result.cpu_ns.compile > 0);
	EXPECT(result.cpu_ns.reference > 0);
	EXPECT(result.cpu_ns.inputs > 0);
	ao_result_release(&result);
	ao_kernel_release(&kernel);
}

static void remarks_come_when_they_are_asked_for(void)
{
	struct ao_kernel kernel = make_kernel(
		"void kernel(const float *x, const float *g, float *y)\n"
		"{\n"
		"	for (int i = 0; i < M; i++)\n"
		"		for (int j = 0; j < N; j++) {\n"
		"			if (j == N)\n"
		"				__asm__ volatile(\"\");\n"
		"			y[i * N + j] = 3 * x[i * N + j] * g[j];\n"
		"		}\n"
		"}\n");
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_result without = judge(&bundle);
	struct ao_result with;

	bundle.with_remarks = true;
	with = judge(&bundle);
	EXPECT(!without.remark_count);
	EXPECT(with.remark_count <= 32);
	EXPECT(with.verdict == AO_VERDICT_PASSED);
	ao_result_release(&without);
	ao_result_release(&with);
	ao_kernel_release(&kernel);
}

/*
 * A ceiling that was measured in a bad moment, far too low: the kernel is
 * honest all the same.
 */
static void a_kernel_above_the_ceiling_indicts_the_ceiling_first(void)
{
	struct ao_kernel kernel = make_kernel(scale_kernel);
	struct ao_bundle bundle = bundle_for(&kernel);
	struct ao_machine low = { 0 };
	struct ao_result result = { 0 };

	ao_machine_copy(&low, &machine);
	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		low.ceilings.work_per_s[i] = 1e3;
	bundle.machine = &low;
	must(ao_eval(&result, &bundle));
	EXPECT(result.verdict == AO_VERDICT_PASSED);
	if (result.case_count)
		EXPECT(result.cases[0].percent_of_peak < 100);
	ao_result_release(&result);
	ao_machine_release(&low);
	ao_kernel_release(&kernel);
}

static void the_evaluators_id_is_stable(void)
{
	char a[AO_ID_SIZE], b[AO_ID_SIZE];

	ao_eval_id(a);
	ao_eval_id(b);
	EXPECT(!strcmp(a, b));
	EXPECT(strspn(a, "0123456789abcdef") == AO_ID_SIZE - 1);
}

int main(void)
{
	char *cache;

	must(ao_file_temp_folder(&cache));
	setenv("XDG_CACHE_HOME", cache, 1);
	must(ao_session_new(&session));
	must(ao_probe_machine(&machine));
	pretend_ceilings(&machine);
	task = scale_task();
	RUN(a_right_kernel_passes);
	RUN(every_case_is_told_the_main_one_first);
	RUN(a_case_on_request_is_judged_by_name_alone);
	RUN(a_kernel_that_is_wrong_on_a_case_on_request_passes_without);
	RUN(the_cases_that_are_named_are_timed_and_no_other);
	RUN(a_result_states_how_it_came_about);
	RUN(a_wrong_kernel_is_found_out);
	RUN(a_kernel_that_is_wrong_on_odd_sizes_is_found_out);
	RUN(a_kernel_that_does_not_compile_is_a_verdict);
	RUN(a_flag_that_is_not_allowed_is_a_verdict);
	RUN(a_kernel_that_crashes_is_a_verdict);
	RUN(a_kernel_that_does_not_end_is_a_verdict);
	RUN(a_kernel_that_writes_nothing_is_found_out);
	RUN(a_faster_kernel_is_found_faster);
	RUN(a_slower_kernel_is_found_slower);
	RUN(a_session_times_a_kernel_against_itself_once);
	RUN(a_control_that_tells_a_kernel_from_itself_is_tried_again);
	RUN(where_a_kernel_is_told_from_itself_every_pair_is_void);
	RUN(a_slower_kernel_is_given_up_soon);
	RUN(the_same_machine_code_needs_no_timing);
	RUN(code_that_does_the_same_elsewhere_is_timed);
	RUN(who_asks_for_a_full_timing_gets_one);
	RUN(other_cases_of_what_is_not_confirmed_are_not_timed);
	RUN(a_full_evaluation_times_all_cases_that_count);
	RUN(a_new_best_is_confirmed_by_ten_times_the_evidence);
	RUN(a_gain_that_a_protected_case_pays_for_is_none);
	RUN(an_opponent_that_does_not_build_is_an_error);
	RUN(an_opponent_that_is_wrong_is_an_error);
	RUN(where_nothing_is_timed_opponents_are_checked);
	RUN(a_wrong_kernel_is_not_timed);
	RUN(a_reference_that_does_not_build_is_an_error);
	RUN(what_was_done_once_costs_nothing_again);
	RUN(a_session_of_its_own_pays_for_everything);
	RUN(remarks_come_when_they_are_asked_for);
	RUN(a_kernel_above_the_ceiling_indicts_the_ceiling_first);
	RUN(the_evaluators_id_is_stable);
	ao_task_free(task);
	ao_machine_release(&machine);
	ao_session_free(session);
	ao_file_remove_tree(cache);
	free(cache);
	return tap_done();
}
