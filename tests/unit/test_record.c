/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "model/record.h"
#include "util/limits.h"

static const char kernel_id[] = "2fb5e13419fc89246865e7a324f476ec624e8740";
static const char task_id[] = "8c3b0f1e0a7d5b9c2e4f60718293a4b5c6d7e8f9";

static char *text(const char *s)
{
	return ao_xstrdup(s);
}

/* A profile with something in every member; the caller releases it. */
static void make_profile(struct ao_profile *out)
{
	struct ao_result *result = &out->result;

	*out = (struct ao_profile){
		.head = { .time_unix_ms = 1796004654123,
			  .id = "0123456789abcdef",
			  .replaces = "fedcba9876543210" },
		.score = 0.35,
		.score_variance = 1e-4,
	};
	memcpy(out->kernel, kernel_id, AO_ID_SIZE);
	memcpy(out->task, task_id, AO_ID_SIZE);
	result->verdict = AO_VERDICT_PASSED;
	result->flags = text("gcc -O3");
	result->log = text("a warning\nof two lines\n");
	result->seed = UINT64_MAX;
	memcpy(result->evaluator, task_id, AO_ID_SIZE);
	result->is_reused = true;
	result->case_count = 2;
	result->cases = ao_xcalloc(2, sizeof(*result->cases));
	result->cases[0] = (struct ao_case_result){
		.case_name = text("main"),
		.error = 1.5e-6,
		.limit = 2e-5,
		.min_ns = 1e6,
		.median_ns = 1.1e6,
		.floor_ns = 4.5e5,
		.percent_of_peak = 40.9,
		.bound = text("fma"),
	};
	result->cases[1] = (struct ao_case_result){
		.case_name = text("odd"),
		.error = 1e-7,
		.limit = 2e-5,
	};
	result->pair_count = 1;
	result->pairs = ao_xcalloc(1, sizeof(*result->pairs));
	result->pairs[0] = (struct ao_pair){
		.case_name = text("main"),
		.decision = AO_DECISION_FASTER,
		.log_gain = log(1.42),
		.log_low = log(1.38),
		.log_high = log(1.46),
		.evidence = 128,
		.units = 3,
		.gap_fraction = 0.03,
	};
	memcpy(result->pairs[0].against, task_id, AO_ID_SIZE);
	result->pairs[0].unit_log_gain = ao_xcalloc(3, sizeof(double));
	for (size_t i = 0; i < 3; i++)
		result->pairs[0].unit_log_gain[i] = 0.1234564 + (double)i;
	result->remark_count = 1;
	result->remarks = ao_xcalloc(1, sizeof(*result->remarks));
	result->remarks[0].line = 7;
	result->remarks[0].text = text("loop not vectorized");
	result->remarks[0].file = text("sub/part.c");
	result->hotloop = (struct ao_hotloop){
		.file = text("kernel.c"),
		.line = 31,
		.samples = 256,
		.share = 0.875,
		.instructions = 14,
		.vector256 = 8,
		.loads = 4,
		.cycles = 4.25,
		.throughput_cycles = 1.125,
		.bound = text("latency"),
		.chain = text("vaddss"),
	};
	memcpy(result->machine.fingerprint, kernel_id, AO_ID_SIZE);
	result->machine.cpu = text("Imaginary CPU");
	result->machine.cores = 2;
	result->machine.vector_bytes = 32;
	result->machine.compiler = text("gcc 12.2.0");
	result->machine.sandbox = text("namespaces");
}

static char *line_of(const struct ao_profile *profile)
{
	struct ao_buf buf = AO_BUF_INIT(AO_MAX_RECORD_BYTES);

	ao_profile_write(&buf, profile);
	return ao_buf_take(&buf);
}

/* The line of a profile with that verdict and nothing else to it. */
static char *line_of_verdict(enum ao_verdict verdict, const char *detail)
{
	struct ao_profile profile = { 0 };
	char *line;

	ao_record_head_init(&profile.head);
	profile.score = profile.score_variance = (double)NAN;
	profile.result.verdict = verdict;
	profile.result.detail = detail ? text(detail) : NULL;
	line = line_of(&profile);
	ao_profile_release(&profile);
	return line;
}

static void a_profile_is_one_line_that_begins_with_its_time(void)
{
	struct ao_profile profile;
	char *line;

	make_profile(&profile);
	line = line_of(&profile);
	EXPECT(!strncmp(line,
			"{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
			"\"kind\":\"profile\",\"id\":\"0123456789abcdef\","
			"\"summary\":\"",
			strlen("{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
			       "\"kind\":\"profile\",\"id\":"
			       "\"0123456789abcdef\",\"summary\":\"")));
	EXPECT(strchr(line, '\n') == line + strlen(line) - 1);
	EXPECT(!strchr(line, '\r'));
	free(line);
	ao_profile_release(&profile);
}

static void a_profile_is_read_as_it_was_written(void)
{
	struct ao_profile profile, again;
	char *line, *line_again;

	make_profile(&profile);
	line = line_of(&profile);
	EXPECT(ao_profile_read(&again, line, strlen(line)));
	EXPECT(again.head.time_unix_ms == profile.head.time_unix_ms);
	EXPECT(!strcmp(again.head.replaces, "fedcba9876543210"));
	EXPECT(again.result.seed == UINT64_MAX);
	EXPECT(again.result.is_reused);
	EXPECT(again.result.pairs[0].decision == AO_DECISION_FASTER);
	EXPECT(again.result.pairs[0].units == 3);
	EXPECT(again.result.pairs[0].unit_log_gain[2] == 2.123456);
	EXPECT(again.result.pairs[0].log_gain ==
	       profile.result.pairs[0].log_gain);
	EXPECT(!strcmp(again.result.log, profile.result.log));
	line_again = line_of(&again);
	EXPECT(!strcmp(line, line_again));
	free(line_again);
	free(line);
	ao_profile_release(&again);
	ao_profile_release(&profile);
}

static void a_copied_result_is_its_own(void)
{
	struct ao_profile profile, copy;
	char *line, *line_of_copy;

	make_profile(&profile);
	line = line_of(&profile);
	copy = profile;
	ao_result_copy(&copy.result, &profile.result);
	ao_profile_release(&profile);
	line_of_copy = line_of(&copy);
	EXPECT(!strcmp(line, line_of_copy));
	free(line_of_copy);
	free(line);
	ao_profile_release(&copy);
}

static void the_summary_tells_gain_and_peak(void)
{
	struct ao_profile profile;
	char *line;

	make_profile(&profile);
	line = line_of(&profile);
	EXPECT(strstr(line, "\"summary\":\"PASSED x1.42 over parent "
			    "[1.38..1.46], 41 % of peak (fma)\""));
	free(line);

	profile.result.pairs[0].decision = AO_DECISION_TIE;
	profile.result.pairs[0].log_low = (double)NAN;
	line = line_of(&profile);
	EXPECT(strstr(line, "\"summary\":\"PASSED no faster or slower than its "
			    "parent, 41 % of peak (fma)\""));
	free(line);
	ao_profile_release(&profile);
}

static void the_summary_of_a_failure_tells_why(void)
{
	char *line = line_of_verdict(AO_VERDICT_COMPILE_ERROR,
				     "kernel.c:3: no ';'\nand more");

	EXPECT(strstr(line,
		      "\"summary\":\"COMPILE_ERROR: kernel.c:3: no ';'\""));
	free(line);
	line = line_of_verdict(AO_VERDICT_TIMEOUT, NULL);
	EXPECT(strstr(line, "\"summary\":\"TIMEOUT\""));
	free(line);
}

static void a_number_that_is_not_finite_is_left_out(void)
{
	char *line = line_of_verdict(AO_VERDICT_INCORRECT_NUMERICAL, NULL);
	struct ao_profile profile;

	EXPECT(!strstr(line, "score"));
	EXPECT(!strstr(line, "null"));
	EXPECT(ao_profile_read(&profile, line, strlen(line)));
	EXPECT(isnan(profile.score) && isnan(profile.score_variance));
	ao_profile_release(&profile);
	free(line);
}

static void text_of_any_bytes_stays_json(void)
{
	char *line = line_of_verdict(AO_VERDICT_RUNTIME_ERROR,
				     "\x1b[31m\xff\"\\\r\x01");
	struct ao_profile profile;

	EXPECT(ao_profile_read(&profile, line, strlen(line)));
	EXPECT(!strcmp(profile.result.detail,
		       "\x1b[31m\xef\xbf\xbd\"\\\r\x01"));
	for (const char *c = line; c[1]; c++)
		EXPECT((unsigned char)*c >= ' ');
	ao_profile_release(&profile);
	free(line);
}

static void a_text_without_end_is_cut_between_characters(void)
{
	struct ao_plan plan = { 0 }, again;
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	size_t len = AO_MAX_PLAN_BYTES + 100;

	ao_record_head_init(&plan.head);
	plan.text = ao_xcalloc(1, len + 1);
	for (size_t i = 0; i < len / 3; i++)
		memcpy(plan.text + 3 * i, "\xe2\x82\xac", 3);
	ao_plan_write(&line, &plan);
	EXPECT(ao_plan_read(&again, line.ptr, line.len));
	EXPECT(strlen(again.text) == AO_MAX_PLAN_BYTES / 3 * 3);
	EXPECT(!strncmp(plan.text, again.text, strlen(again.text)));
	ao_plan_release(&again);
	ao_plan_release(&plan);
	ao_buf_release(&line);
}

static void a_plan_is_read_as_it_was_written(void)
{
	struct ao_plan plan = { .id = "00000000000000aa" }, again, copy;
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);

	ao_record_head_init(&plan.head);
	plan.title = text("Tile the contraction");
	plan.text = text("Keep a block of c in registers.\n\nThen pack b.");
	plan.agent = text("catalog");
	plan.move = text("tile mr=4 nv=2");
	plan.features = text("contraction,strided");
	ao_strs_push(&plan.insights, "0123456789abcdef");
	ao_strs_push(&plan.insights, "fedcba9876543210");
	ao_plan_write(&line, &plan);
	EXPECT(strstr(line.ptr, "\"summary\":\"Tile the contraction\""));
	EXPECT(ao_plan_read(&again, line.ptr, line.len));
	EXPECT(!strcmp(again.id, plan.id));
	EXPECT(!strcmp(again.head.id, plan.head.id));
	EXPECT(!strcmp(again.text, plan.text));
	EXPECT(!strcmp(again.move, plan.move));
	EXPECT(again.insights.count == 2);
	EXPECT(!strcmp(again.insights.v[1], "fedcba9876543210"));
	ao_plan_copy(&copy, &again);
	ao_plan_release(&again);
	EXPECT(!strcmp(copy.features, "contraction,strided"));
	EXPECT(copy.insights.count == 2);
	ao_plan_release(&copy);
	ao_plan_release(&plan);
	ao_buf_release(&line);
}

static void what_an_agent_does_not_say_stays_null(void)
{
	struct ao_plan plan = { 0 }, again;
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);

	ao_record_head_init(&plan.head);
	ao_plan_write(&line, &plan);
	EXPECT(ao_plan_read(&again, line.ptr, line.len));
	EXPECT(!again.move && !again.features && !again.insights.count);
	EXPECT(!*again.id && !*again.head.replaces);
	ao_plan_release(&again);
	ao_buf_release(&line);
}

static void an_insight_is_read_as_it_was_written(void)
{
	struct ao_insight insight = { .iteration = 3,
				      .rank = 1,
				      .log_gain = log(1.5),
				      .log_low = log(1.25),
				      .log_high = (double)NAN };
	struct ao_insight again, copy;
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);

	ao_record_head_init(&insight.head);
	insight.task = text("matmul");
	insight.run = text("20261130T021054-7f3a9c01");
	insight.title = text("Keep the sum in a register");
	insight.text = text("Loads and stores bind.");
	insight.slow_code = text("c[i] += a;\n");
	insight.fast_code = text("s += a;\n");
	insight.agent = text("catalog");
	memcpy(insight.slow, kernel_id, AO_ID_SIZE);
	memcpy(insight.fast, task_id, AO_ID_SIZE);
	ao_insight_write(&line, &insight);
	EXPECT(strstr(line.ptr,
		      "\"summary\":\"x1.50: Keep the sum in a register\""));
	EXPECT(ao_insight_read(&again, line.ptr, line.len));
	EXPECT(again.iteration == 3 && again.rank == 1);
	EXPECT(again.log_gain == insight.log_gain);
	EXPECT(again.log_low == insight.log_low);
	EXPECT(isnan(again.log_high));
	EXPECT(!strcmp(again.slow, kernel_id) && !strcmp(again.fast, task_id));
	EXPECT(!strcmp(again.fast_code, "s += a;\n"));
	EXPECT(!again.features);
	ao_insight_copy(&copy, &again);
	ao_insight_release(&again);
	EXPECT(!strcmp(copy.run, "20261130T021054-7f3a9c01"));
	ao_insight_release(&copy);
	ao_insight_release(&insight);
	ao_buf_release(&line);
}

static const char least[] = "{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
			    "\"kind\":\"plan\",\"id\":\"0123456789abcdef\"}";

/* Whether the least line is read as a plan once `from` is replaced. */
static bool is_read(const char *from, const char *to)
{
	const char *at = strstr(least, from);
	char *line = ao_xstrf("%.*s%s%s", (int)(at - least), least, to,
			      at + strlen(from));
	struct ao_plan plan;
	bool is = ao_plan_read(&plan, line, strlen(line));

	if (is)
		ao_plan_release(&plan);
	free(line);
	return is;
}

static void a_line_that_is_no_record_is_passed_over(void)
{
	struct ao_plan untouched = { .title = NULL };

	EXPECT(is_read("}", "}"));
	EXPECT(!is_read("}", ""));
	EXPECT(!is_read("}", "} x"));
	EXPECT(!is_read("{", "["));
	EXPECT(!is_read(least, ""));
	EXPECT(!is_read(least, "   "));
	EXPECT(!is_read(least, "null"));
	EXPECT(!is_read(least, "a note by another tool"));
	EXPECT(!ao_plan_read(&untouched, "{}", 2));
	EXPECT(!untouched.title);
}

static void a_record_needs_each_part_of_its_head(void)
{
	EXPECT(!is_read("\"2026-11-30T02:10:54.123Z\"", "\"yesterday\""));
	EXPECT(!is_read("\"2026-11-30T02:10:54.123Z\"", "12"));
	EXPECT(!is_read("\"v\":1,", ""));
	EXPECT(!is_read("\"plan\"", "\"profile\""));
	EXPECT(!is_read("\"plan\"", "\"verse\""));
	EXPECT(!is_read("\"0123456789abcdef\"", "\"0123\""));
	EXPECT(!is_read("\"0123456789abcdef\"", "\"0123456789ABCDEF\""));
	EXPECT(!is_read("\"0123456789abcdef\"", "\"../../../../etc/p\""));
}

static void a_higher_version_is_passed_over(void)
{
	EXPECT(!is_read("\"v\":1", "\"v\":2"));
	EXPECT(!is_read("\"v\":1", "\"v\":\"1\""));
	EXPECT(!is_read("\"v\":1", "\"v\":0"));
}

static void unknown_members_are_passed_over(void)
{
	EXPECT(is_read("}", ",\"later\":{\"deep\":[1,2,{}]},\"x\":null}"));
}

static void odd_members_are_as_if_missing(void)
{
	static const char line[] =
		"{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
		"\"kind\":\"profile\",\"id\":\"0123456789abcdef\","
		"\"kernel\":\"not hex\",\"task\":7,\"score\":\"high\","
		"\"verdict\":\"SPLENDID\",\"seed\":\"-1\",\"flags\":[],"
		"\"cases\":{},\"pairs\":[7,{\"units\":\"many\"}],"
		"\"remarks\":[{\"line\":-1},{\"line\":1.5}],\"machine\":3}";
	struct ao_profile profile;

	EXPECT(ao_profile_read(&profile, line, strlen(line)));
	EXPECT(!*profile.kernel && !*profile.task);
	EXPECT(isnan(profile.score));
	EXPECT(profile.result.verdict == AO_VERDICT_NONE);
	EXPECT(profile.result.seed == 0 && !profile.result.flags);
	EXPECT(profile.result.case_count == 0);
	EXPECT(profile.result.pair_count == 2);
	EXPECT(isnan(profile.result.pairs[0].log_gain));
	EXPECT(profile.result.pairs[1].units == 0);
	EXPECT(profile.result.remark_count == 2);
	EXPECT(profile.result.remarks[0].line == 0);
	EXPECT(profile.result.remarks[1].line == 0);
	EXPECT(!profile.result.machine.cpu);
	ao_profile_release(&profile);
}

static void lists_from_others_are_capped(void)
{
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	struct ao_profile profile;

	ao_buf_addstr(&line, "{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
			     "\"kind\":\"profile\",\"id\":\"0123456789abcdef\","
			     "\"cases\":[{}");
	for (int i = 0; i < 10000; i++)
		ao_buf_addstr(&line, ",{}");
	ao_buf_addstr(&line, "],\"pairs\":[{\"units\":[0");
	for (int i = 0; i < 10000; i++)
		ao_buf_addstr(&line, ",0");
	ao_buf_addstr(&line, "]}]}");
	EXPECT(ao_profile_read(&profile, line.ptr, line.len));
	EXPECT(profile.result.case_count == AO_MAX_CASES);
	EXPECT(profile.result.pairs[0].units == 1024);
	ao_profile_release(&profile);
	ao_buf_release(&line);
}

static void a_line_over_the_limit_is_passed_over(void)
{
	size_t len = AO_MAX_RECORD_BYTES + 1;
	char *line = ao_xmalloc(len);
	struct ao_plan plan;

	memset(line, ' ', len);
	memcpy(line, least, strlen(least));
	EXPECT(!ao_plan_read(&plan, line, len));
	EXPECT(ao_plan_read(&plan, line, len - 1));
	ao_plan_release(&plan);
	free(line);
}

static void ids_of_records_are_random(void)
{
	struct ao_record_head first, second;

	ao_record_head_init(&first);
	ao_record_head_init(&second);
	EXPECT(strlen(first.id) == AO_RECORD_ID_DIGITS);
	EXPECT(strcmp(first.id, second.id) != 0);
	EXPECT(first.time_unix_ms > 0 && !*first.replaces);
}

static void cpu_time_travels_only_when_asked(void)
{
	struct ao_json *with = ao_json_new_object();
	struct ao_json *without = ao_json_new_object();
	struct ao_result result = { .cpu_ns = { .compile = 5, .own = 7 } };
	struct ao_result again;

	ao_result_to_json(with, &result, true);
	ao_result_to_json(without, &result, false);
	ao_result_from_json(&again, with);
	EXPECT(again.cpu_ns.compile == 5 && again.cpu_ns.own == 7);
	ao_result_release(&again);
	ao_result_from_json(&again, without);
	EXPECT(again.cpu_ns.compile == 0 && again.cpu_ns.own == 0);
	ao_result_release(&again);
	ao_json_free(without);
	ao_json_free(with);
}

static void an_empty_result_has_no_main_case_or_pair(void)
{
	struct ao_result result = { 0 };

	EXPECT(!ao_result_main(&result) && !ao_result_main_pair(&result));
	ao_result_release(&result);
}

int main(void)
{
	RUN(a_profile_is_one_line_that_begins_with_its_time);
	RUN(a_profile_is_read_as_it_was_written);
	RUN(a_copied_result_is_its_own);
	RUN(the_summary_tells_gain_and_peak);
	RUN(the_summary_of_a_failure_tells_why);
	RUN(a_number_that_is_not_finite_is_left_out);
	RUN(text_of_any_bytes_stays_json);
	RUN(a_text_without_end_is_cut_between_characters);
	RUN(a_plan_is_read_as_it_was_written);
	RUN(what_an_agent_does_not_say_stays_null);
	RUN(an_insight_is_read_as_it_was_written);
	RUN(a_line_that_is_no_record_is_passed_over);
	RUN(a_record_needs_each_part_of_its_head);
	RUN(a_higher_version_is_passed_over);
	RUN(unknown_members_are_passed_over);
	RUN(odd_members_are_as_if_missing);
	RUN(lists_from_others_are_capped);
	RUN(a_line_over_the_limit_is_passed_over);
	RUN(ids_of_records_are_random);
	RUN(cpu_time_travels_only_when_asked);
	RUN(an_empty_result_has_no_main_case_or_pair);
	return tap_done();
}
