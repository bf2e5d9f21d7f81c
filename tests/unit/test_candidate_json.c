/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "cli/candidate_json.h"
#include "cli/event_json.h"

#include "tap.h"

static const char base_kernel[] = "1111111111111111111111111111111111111111";
static const char parent_kernel[] = "2222222222222222222222222222222222222222";

static char title[] = "tile the product", task[] = "matmul", run[] = "20-a",
	    agent[] = "catalog", name[] = "main";
static struct ao_case_result a_case = { .case_name = name,
					.percent_of_peak = 45.5 };
static struct ao_pair pair = { .case_name = name,
			       .log_gain = 0.5,
			       .evidence = 1 };
static struct ao_profile profile = {
	.score = 1.0,
	.score_variance = 0.01,
	.result = { .verdict = AO_VERDICT_PASSED,
		    .cases = &a_case,
		    .case_count = 1,
		    .pairs = &pair,
		    .pair_count = 1 },
};
static struct ao_candidate candidate = {
	.commit = "3333333333333333333333333333333333333333",
	.message = { .title = title,
		     .task = task,
		     .run = run,
		     .attempt = { 3, 17 },
		     .agent = agent },
	.profile = &profile,
};

static bool has_string(const struct ao_json *json, const char *key,
		       const char *expected)
{
	return strcmp(ao_json_string(json, key, "missing"), expected) == 0;
}

static double number(const struct ao_json *json, const char *key)
{
	return ao_json_value(ao_json_get(json, key));
}

static bool has_number(const struct ao_json *json, const char *key,
		       double expected)
{
	return fabs(number(json, key) - expected) < 1e-6;
}

static bool is_null(const struct ao_json *json, const char *key)
{
	const struct ao_json *value = ao_json_get(json, key);

	return value && ao_json_kind(value) == AO_JSON_NULL;
}

static void a_candidate_has_all_that_scripts_rely_on(void)
{
	struct ao_json *json = ao_json_new_object();

	memcpy(pair.against, parent_kernel, AO_ID_SIZE);
	ao_candidate_to_json(json, &candidate, base_kernel);
	EXPECT(has_string(json, "commit", candidate.commit));
	EXPECT(has_string(json, "attempt", "3.17"));
	EXPECT(has_string(json, "verdict", "PASSED"));
	EXPECT(has_string(json, "plan", "tile the product"));
	EXPECT(has_string(json, "agent", "catalog"));
	EXPECT(has_number(json, "gain_parent", exp(0.5)));
	EXPECT(has_number(json, "gain_baseline", exp(1.0)));
	EXPECT(number(json, "gain_baseline_low") < exp(1.0));
	EXPECT(number(json, "gain_baseline_high") > exp(1.0));
	EXPECT(has_number(json, "percent_of_peak", 45.5));
	EXPECT(!ao_json_bool(json, "gain_baseline_is_measured", true));
	ao_json_free(json);
}

static void what_was_not_timed_has_no_percentage(void)
{
	struct ao_json *json = ao_json_new_object();

	pair.evidence = 0;
	ao_candidate_to_json(json, &candidate, base_kernel);
	pair.evidence = 1;
	EXPECT(is_null(json, "percent_of_peak"));
	ao_json_free(json);
}

static void what_is_not_known_is_null_and_not_missing(void)
{
	struct ao_candidate bare = candidate;
	struct ao_json *json = ao_json_new_object();

	bare.profile = NULL;
	ao_candidate_to_json(json, &bare, base_kernel);
	EXPECT(is_null(json, "gain_parent"));
	EXPECT(is_null(json, "gain_baseline_high"));
	EXPECT(is_null(json, "gain_baseline_is_measured"));
	EXPECT(is_null(json, "percent_of_peak"));
	EXPECT(is_null(json, "verdict"));
	EXPECT(is_null(json, "detail"));
	ao_json_free(json);
}

static void an_attempt_event_names_its_candidate_and_the_state(void)
{
	struct ao_run of = { .id = run, .task = task };
	const struct ao_event event = {
		.kind = AO_EVENT_ATTEMPT,
		.run = &of,
		.iteration = 3,
		.evals = 41,
		.candidate = &candidate,
		.gain = { .log_gain = 0.25 },
	};
	struct ao_json *json = ao_event_to_json(&event);

	EXPECT(has_string(json, "event", "attempt"));
	EXPECT(has_string(json, "attempt", "3.17"));
	EXPECT(has_string(json, "run", "20-a"));
	EXPECT(has_number(json, "evals", 41));
	EXPECT(has_number(json, "gain", exp(0.25)));
	ao_json_free(json);
}

static void a_baseline_event_has_its_time_and_percentage_of_peak(void)
{
	struct ao_case_result c = { .case_name = name,
				    .median_ns = 2e6,
				    .percent_of_peak = 12.5 };
	const struct ao_profile baseline = {
		.result = { .verdict = AO_VERDICT_PASSED,
			    .cases = &c,
			    .case_count = 1 },
	};
	struct ao_run of = { .id = run, .task = task };
	const struct ao_event event = {
		.kind = AO_EVENT_BASELINE,
		.run = &of,
		.baseline = &baseline,
	};
	struct ao_json *json = ao_event_to_json(&event);

	EXPECT(has_number(json, "median_ns", 2e6));
	EXPECT(has_number(json, "percent_of_peak", 12.5));
	ao_json_free(json);
}

static void a_warning_event_has_its_text(void)
{
	struct ao_run of = { .id = run, .task = task };
	const struct ao_event event = {
		.kind = AO_EVENT_WARNING,
		.run = &of,
		.text = "history is not complete here",
	};
	struct ao_json *json = ao_event_to_json(&event);

	EXPECT(has_string(json, "event", "warning"));
	EXPECT(has_string(json, "task", "matmul"));
	EXPECT(has_string(json, "text", "history is not complete here"));
	ao_json_free(json);
}

int main(void)
{
	RUN(a_candidate_has_all_that_scripts_rely_on);
	RUN(what_was_not_timed_has_no_percentage);
	RUN(what_is_not_known_is_null_and_not_missing);
	RUN(an_attempt_event_names_its_candidate_and_the_state);
	RUN(a_baseline_event_has_its_time_and_percentage_of_peak);
	RUN(a_warning_event_has_its_text);
	return tap_done();
}
