/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "model/brief.h"

static const char kernel[] = "0123456789abcdef0123456789abcdef01234567";
static const char task[] = "89abcdef0123456789abcdef0123456789abcdef";

/* A profile that has something in each member. */
static void fill(struct ao_profile *profile)
{
	struct ao_result *result = &profile->result;

	*profile = (struct ao_profile){ .score = 1.0 / 3,
					.score_variance = 1e-5 };
	ao_record_head_init(&profile->head);
	memcpy(profile->head.replaces, "00112233445566ff", AO_RECORD_ID_SIZE);
	memcpy(profile->kernel, kernel, AO_ID_SIZE);
	memcpy(profile->task, task, AO_ID_SIZE);
	result->verdict = AO_VERDICT_PASSED;
	result->detail = ao_xstrdup("\"quoted\"\n\xc3\xa9");
	result->log = ao_xstrdup("gcc: {[\"");
	result->flags = ao_xstrdup("-O3");
	result->seed = UINT64_MAX;
	memcpy(result->evaluator, kernel, AO_ID_SIZE);
	result->is_reused = true;
	memcpy(result->machine.fingerprint, task, AO_ID_SIZE);
	result->machine.cpu = ao_xstrdup("a CPU");
	result->case_count = 2;
	result->cases = ao_xcalloc(2, sizeof(*result->cases));
	result->cases[0] = (struct ao_case_result){
		.case_name = ao_xstrdup("main"),
		.error = 1e-7,
		.limit = 2e-5,
		.min_ns = 100.5,
		.median_ns = 101.25,
		.floor_ns = 50,
		.percent_of_peak = 49.4,
		.bound = ao_xstrdup("fma"),
	};
	result->cases[1].error = (double)NAN;
	result->pair_count = 1;
	result->pairs = ao_xcalloc(1, sizeof(*result->pairs));
	result->pairs[0] = (struct ao_pair){
		.case_name = ao_xstrdup("main"),
		.decision = AO_DECISION_UNDECIDED,
		.log_gain = 0.1,
		.log_low = -0.2,
		.log_high = (double)NAN,
		.evidence = 1e300,
		.units = 2,
		.unit_log_gain = ao_xcalloc(2, sizeof(double)),
		.gap_fraction = 0.5,
	};
	memcpy(result->pairs[0].against, task, AO_ID_SIZE);
	result->remark_count = 1;
	result->remarks = ao_xcalloc(1, sizeof(*result->remarks));
	result->remarks[0].text = ao_xstrdup("not vectorized");
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

static bool same_pair(const struct ao_pair *a, const struct ao_pair *b)
{
	return !strcmp(a->against, b->against) &&
	       same_text(a->case_name, b->case_name) &&
	       a->decision == b->decision &&
	       same_number(a->log_gain, b->log_gain) &&
	       same_number(a->log_low, b->log_low) &&
	       same_number(a->log_high, b->log_high) &&
	       same_number(a->evidence, b->evidence) &&
	       same_number(a->gap_fraction, b->gap_fraction);
}

static bool same_case(const struct ao_case_result *a,
		      const struct ao_case_result *b)
{
	return same_text(a->case_name, b->case_name) &&
	       same_text(a->bound, b->bound) &&
	       same_number(a->error, b->error) &&
	       same_number(a->limit, b->limit) &&
	       same_number(a->min_ns, b->min_ns) &&
	       same_number(a->median_ns, b->median_ns) &&
	       same_number(a->floor_ns, b->floor_ns) &&
	       same_number(a->percent_of_peak, b->percent_of_peak);
}

/* Whether both ways of reading agree on what brief.h promises. */
static bool agree(const char *line)
{
	struct ao_profile a = { 0 }, b = { 0 };
	bool is_same = ao_profile_read(&a, line, strlen(line)) &&
		       ao_profile_read_brief(&b, line, strlen(line)) &&
		       !memcmp(&a.head, &b.head, sizeof(a.head)) &&
		       !strcmp(a.kernel, b.kernel) && !strcmp(a.task, b.task) &&
		       same_number(a.score, b.score) &&
		       same_number(a.score_variance, b.score_variance) &&
		       a.result.verdict == b.result.verdict &&
		       same_text(a.result.detail, b.result.detail) &&
		       !strcmp(a.result.evaluator, b.result.evaluator) &&
		       a.result.is_reused == b.result.is_reused &&
		       !strcmp(a.result.machine.fingerprint,
			       b.result.machine.fingerprint) &&
		       a.result.pair_count == b.result.pair_count &&
		       a.result.case_count == b.result.case_count;

	for (size_t i = 0; is_same && i < a.result.pair_count; i++)
		is_same = same_pair(&a.result.pairs[i], &b.result.pairs[i]);
	for (size_t i = 0; is_same && i < a.result.case_count; i++)
		is_same = same_case(&a.result.cases[i], &b.result.cases[i]);
	ao_profile_release(&a);
	ao_profile_release(&b);
	return is_same;
}

static void a_full_profile_reads_alike_both_ways(void)
{
	struct ao_buf line = AO_BUF_INIT(1 << 20);
	struct ao_profile profile;

	fill(&profile);
	ao_profile_write(&line, &profile);
	EXPECT(agree(line.ptr));
	ao_profile_release(&profile);
	ao_buf_release(&line);
}

static void an_empty_profile_reads_alike_both_ways(void)
{
	struct ao_buf line = AO_BUF_INIT(1 << 20);
	struct ao_profile profile = { .score = (double)NAN,
				      .score_variance = (double)NAN };

	ao_record_head_init(&profile.head);
	ao_profile_write(&line, &profile);
	EXPECT(agree(line.ptr));
	ao_buf_release(&line);
}

#define HEAD                                                       \
	"{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,\"kind\":" \
	"\"profile\",\"id\":\"0123456789abcdef\""

static void members_of_other_kinds_are_passed_over_alike(void)
{
	EXPECT(agree(HEAD ",\"kernel\":7,\"score\":\"x\",\"pairs\":{},"
			  "\"cases\":[1,null,{\"limit\":[]}],\"machine\":[],"
			  "\"verdict\":null,\"detail\":[\"a\"],\"new\":{}}"));
}

static void units_are_left_out(void)
{
	struct ao_buf line = AO_BUF_INIT(1 << 20);
	struct ao_profile profile, brief = { 0 };

	fill(&profile);
	ao_profile_write(&line, &profile);
	EXPECT(ao_profile_read_brief(&brief, line.ptr, line.len));
	EXPECT(brief.result.pairs[0].units == 0);
	EXPECT(!brief.result.pairs[0].unit_log_gain);
	EXPECT(!brief.result.log && !brief.result.remarks);
	ao_profile_release(&profile);
	ao_profile_release(&brief);
	ao_buf_release(&line);
}

static bool is_profile(const char *line)
{
	struct ao_profile profile = { 0 };
	bool is_one = ao_profile_read_brief(&profile, line, strlen(line));

	ao_profile_release(&profile);
	return is_one;
}

static void what_is_no_profile_of_ours_is_refused(void)
{
	EXPECT(is_profile(HEAD "}"));
	EXPECT(!is_profile(""));
	EXPECT(!is_profile("[]"));
	EXPECT(!is_profile("{}"));
	EXPECT(!is_profile(HEAD ",}"));
	EXPECT(!is_profile("{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":2,"
			   "\"kind\":\"profile\","
			   "\"id\":\"0123456789abcdef\"}"));
	EXPECT(!is_profile("{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
			   "\"kind\":\"plan\",\"id\":\"0123456789abcdef\"}"));
	EXPECT(!is_profile("{\"time\":\"yesterday\",\"v\":1,"
			   "\"kind\":\"profile\","
			   "\"id\":\"0123456789abcdef\"}"));
	EXPECT(!is_profile("{\"time\":\"2026-11-30T02:10:54.123Z\",\"v\":1,"
			   "\"kind\":\"profile\",\"id\":\"12\"}"));
}

static void a_plan_reads_alike_but_for_its_text(void)
{
	struct ao_buf line = AO_BUF_INIT(1 << 20);
	struct ao_plan full = { 0 }, brief = { 0 },
		       plan = {
			       .id = "fedcba9876543210",
			       .title = (char[]){ "Tile \"it\"" },
			       .text = (char[]){ "long" },
			       .agent = (char[]){ "catalog" },
			       .move = (char[]){ "tile mr=4" },
			       .features = (char[]){ "contraction" },
		       };

	ao_record_head_init(&plan.head);
	ao_plan_write(&line, &plan);
	EXPECT(ao_plan_read(&full, line.ptr, line.len));
	EXPECT(ao_plan_read_brief(&brief, line.ptr, line.len));
	EXPECT(!memcmp(&full.head, &brief.head, sizeof(full.head)));
	EXPECT(!strcmp(full.id, brief.id));
	EXPECT(same_text(full.title, brief.title));
	EXPECT(same_text(full.agent, brief.agent));
	EXPECT(same_text(full.move, brief.move));
	EXPECT(same_text(full.features, brief.features));
	EXPECT(!brief.text);
	ao_plan_release(&full);
	ao_plan_release(&brief);
	ao_buf_release(&line);
}

int main(void)
{
	RUN(a_full_profile_reads_alike_both_ways);
	RUN(an_empty_profile_reads_alike_both_ways);
	RUN(members_of_other_kinds_are_passed_over_alike);
	RUN(units_are_left_out);
	RUN(what_is_no_profile_of_ours_is_refused);
	RUN(a_plan_reads_alike_but_for_its_text);
	return tap_done();
}
