/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "model/candidate.h"
#include "model/memory.h"

static const char base[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char parent[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

static void add_pair(struct ao_profile *profile, const char *against,
		     const char *case_name, double log_gain)
{
	struct ao_result *result = &profile->result;
	struct ao_pair *pair;

	result->pairs = ao_xrealloc(result->pairs,
				    (result->pair_count + 1) * sizeof(*pair));
	pair = &result->pairs[result->pair_count++];
	*pair = (struct ao_pair){
		.case_name = ao_xstrdup(case_name),
		.decision = AO_DECISION_FASTER,
		.log_gain = log_gain,
		.log_low = log_gain - 0.1,
		.log_high = log_gain + 0.1,
	};
	memcpy(pair->against, against, AO_ID_SIZE);
}

/* Judged, against its parent and on another case. */
static struct ao_candidate make(enum ao_verdict verdict)
{
	struct ao_candidate candidate = { 0 };

	candidate.profile = ao_xcalloc(1, sizeof(*candidate.profile));
	candidate.profile->score = 0.7;
	candidate.profile->score_variance = 0.01;
	candidate.profile->result.verdict = verdict;
	add_pair(candidate.profile, parent, "main", 0.3);
	add_pair(candidate.profile, base, "other", 0.9);
	return candidate;
}

static void what_has_no_profile_has_no_verdict(void)
{
	struct ao_candidate candidate = { 0 };
	struct ao_gain gain;

	EXPECT(ao_candidate_verdict(&candidate) == AO_VERDICT_NONE);
	EXPECT(!ao_candidate_gain_parent(&gain, &candidate));
	EXPECT(!ao_candidate_gain_baseline(&gain, &candidate, base));
	ao_candidate_release(&candidate);
}

static void the_gain_over_the_parent_is_that_of_the_main_pair(void)
{
	struct ao_candidate candidate = make(AO_VERDICT_PASSED);
	struct ao_gain gain = { 0 };

	EXPECT(ao_candidate_gain_parent(&gain, &candidate));
	EXPECT(gain.log_gain == 0.3 && gain.is_measured);
	EXPECT(gain.log_low == 0.3 - 0.1 && gain.log_high == 0.3 + 0.1);
	ao_candidate_release(&candidate);
}

static void the_gain_over_the_baseline_is_the_score_if_never_measured(void)
{
	struct ao_candidate candidate = make(AO_VERDICT_PASSED);
	struct ao_gain gain = { 0 };

	EXPECT(ao_candidate_gain_baseline(&gain, &candidate, base));
	EXPECT(gain.log_gain == 0.7 && !gain.is_measured);
	EXPECT(fabs(gain.log_low - (0.7 - 0.196)) < 1e-4);
	EXPECT(fabs(gain.log_high - (0.7 + 0.196)) < 1e-4);
	ao_candidate_release(&candidate);
}

static void a_measured_gain_over_the_baseline_goes_before_the_score(void)
{
	struct ao_candidate candidate = make(AO_VERDICT_PASSED);
	struct ao_gain gain = { 0 };

	add_pair(candidate.profile, base, "main", 0.65);
	EXPECT(ao_candidate_gain_baseline(&gain, &candidate, base));
	EXPECT(gain.log_gain == 0.65 && gain.is_measured);
	ao_candidate_release(&candidate);
}

static void what_did_not_pass_has_no_gain(void)
{
	struct ao_candidate candidate = make(AO_VERDICT_TOO_FAST);
	struct ao_gain gain;

	EXPECT(!ao_candidate_gain_parent(&gain, &candidate));
	EXPECT(!ao_candidate_gain_baseline(&gain, &candidate, base));
	ao_candidate_release(&candidate);
}

static void what_was_not_timed_has_no_gain(void)
{
	struct ao_candidate candidate = { 0 };
	struct ao_gain gain;

	candidate.profile = ao_xcalloc(1, sizeof(*candidate.profile));
	candidate.profile->result.verdict = AO_VERDICT_PASSED;
	candidate.profile->score = (double)NAN;
	EXPECT(!ao_candidate_gain_parent(&gain, &candidate));
	EXPECT(!ao_candidate_gain_baseline(&gain, &candidate, base));
	add_pair(candidate.profile, parent, "main", (double)NAN);
	EXPECT(!ao_candidate_gain_parent(&gain, &candidate));
	ao_candidate_release(&candidate);
}

static void release_frees_records_and_message(void)
{
	struct ao_candidate candidate = make(AO_VERDICT_PASSED);

	candidate.plan = ao_xcalloc(1, sizeof(*candidate.plan));
	candidate.plan->title = ao_xstrdup("a plan");
	candidate.message.title = ao_xstrdup("a title");
	ao_candidate_release(&candidate);
	EXPECT(!candidate.plan && !candidate.profile);
	EXPECT(!candidate.message.title);
}

static bool drops(const char *move)
{
	struct ao_candidate candidate = { 0 };
	struct ao_plan plan = { .move = ao_xstrdup(move) };
	struct ao_attempt dropped = { 0, 0 };
	bool does;

	candidate.plan = &plan;
	does = ao_candidate_drops(&dropped, &candidate) &&
	       dropped.iteration == 3 && dropped.number == 17;
	free(plan.move);
	return does;
}

static void the_attempt_that_one_leaves_out_is_in_its_move(void)
{
	struct ao_candidate candidate = { 0 };
	struct ao_attempt dropped;

	EXPECT(drops("drop 3.17"));
	EXPECT(!drops("drop"));
	EXPECT(!drops("drop 3"));
	EXPECT(!drops("drop 3.17 more"));
	EXPECT(!drops("dropped 3.17"));
	EXPECT(!ao_candidate_drops(&dropped, &candidate));
}

static void release_frees_a_memory(void)
{
	struct ao_memory memory = { .insight_count = 1, .stat_count = 1 };

	memory.insights = ao_xcalloc(1, sizeof(*memory.insights));
	memory.insights[0].title = ao_xstrdup("a title");
	memory.stats = ao_xcalloc(1, sizeof(*memory.stats));
	memory.stats[0].move = ao_xstrdup("tile");
	memory.stats[0].params = ao_xstrdup("");
	memory.stats[0].features = ao_xstrdup("contraction");
	ao_memory_release(&memory);
	EXPECT(!memory.insights && !memory.stats);
}

int main(void)
{
	RUN(what_has_no_profile_has_no_verdict);
	RUN(the_gain_over_the_parent_is_that_of_the_main_pair);
	RUN(the_gain_over_the_baseline_is_the_score_if_never_measured);
	RUN(a_measured_gain_over_the_baseline_goes_before_the_score);
	RUN(what_did_not_pass_has_no_gain);
	RUN(what_was_not_timed_has_no_gain);
	RUN(release_frees_records_and_message);
	RUN(the_attempt_that_one_leaves_out_is_in_its_move);
	RUN(release_frees_a_memory);
	return tap_done();
}
