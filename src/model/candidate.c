/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/candidate.h"

/* 95 % of a normal distribution lie within so many deviations. */
static const double deviations = 1.959964;

void ao_candidate_release(struct ao_candidate *candidate)
{
	ao_message_release(&candidate->message);
	if (candidate->profile)
		ao_profile_release(candidate->profile);
	free(candidate->profile);
	if (candidate->plan)
		ao_plan_release(candidate->plan);
	free(candidate->plan);
	*candidate = (struct ao_candidate){ 0 };
}

enum ao_verdict ao_candidate_verdict(const struct ao_candidate *candidate)
{
	return candidate->profile ? candidate->profile->result.verdict
				  : AO_VERDICT_NONE;
}

/* Copy what a pair says; false if it says nothing. */
static bool gain_of_pair(struct ao_gain *out, const struct ao_pair *pair)
{
	if (!isfinite(pair->log_gain))
		return false;
	*out = (struct ao_gain){
		.log_gain = pair->log_gain,
		.log_low = pair->log_low,
		.log_high = pair->log_high,
		.is_measured = true,
	};
	return true;
}

/* Whether a pair is about the main case, of which pairs come first. */
static bool is_main(const struct ao_result *result, const struct ao_pair *pair)
{
	const char *main_case = ao_result_main_pair(result)->case_name;

	return main_case && pair->case_name &&
	       !strcmp(main_case, pair->case_name);
}

static bool gain_of_score(struct ao_gain *out, const struct ao_profile *profile)
{
	double width = deviations * sqrt(profile->score_variance);

	if (!isfinite(profile->score))
		return false;
	*out = (struct ao_gain){
		.log_gain = profile->score,
		.log_low = profile->score - width,
		.log_high = profile->score + width,
	};
	return true;
}

bool ao_candidate_gain_baseline(struct ao_gain *out,
				const struct ao_candidate *candidate,
				const char *base_kernel)
{
	const struct ao_profile *profile = candidate->profile;

	if (ao_candidate_verdict(candidate) != AO_VERDICT_PASSED)
		return false;
	/* The last one is the longest: who would be best is timed again. */
	for (size_t i = profile->result.pair_count; i-- > 0;) {
		const struct ao_pair *pair = &profile->result.pairs[i];

		if (!strcmp(pair->against, base_kernel) &&
		    is_main(&profile->result, pair) && gain_of_pair(out, pair))
			return true;
	}
	return gain_of_score(out, profile);
}

bool ao_candidate_gain_parent(struct ao_gain *out,
			      const struct ao_candidate *candidate)
{
	const struct ao_pair *pair;

	if (ao_candidate_verdict(candidate) != AO_VERDICT_PASSED)
		return false;
	pair = ao_result_main_pair(&candidate->profile->result);
	return pair && gain_of_pair(out, pair);
}
