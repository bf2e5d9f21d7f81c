/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/candidate.h"

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

bool ao_candidate_is_paid(const struct ao_candidate *candidate)
{
	return ao_verdict_is_judged(ao_candidate_verdict(candidate)) &&
	       !candidate->profile->result.is_reused;
}

bool ao_candidate_drops(struct ao_attempt *out,
			const struct ao_candidate *candidate)
{
	static const char start[] = AO_MOVE_DROP " ";
	const char *move = candidate->plan ? candidate->plan->move : NULL;
	struct ao_attempt unused;

	return move && !strncmp(move, start, strlen(start)) &&
	       ao_attempt_read(out ? out : &unused, move + strlen(start));
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

void ao_gain_text(struct ao_buf *out, const struct ao_gain *gain)
{
	if (!isfinite(gain->log_gain)) {
		ao_buf_addstr(out, "not timed");
		return;
	}
	ao_buf_addf(out, "x%.2f", exp(gain->log_gain));
	if (isfinite(gain->log_low) && isfinite(gain->log_high))
		ao_buf_addf(out, " [%.2f..%.2f]", exp(gain->log_low),
			    exp(gain->log_high));
}

void ao_gain_of_score(struct ao_gain *out, double score, double variance)
{
	double width = AO_GAIN_DEVIATIONS * sqrt(variance);

	*out = (struct ao_gain){
		.log_gain = score,
		.log_low = score - width,
		.log_high = score + width,
	};
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
		    ao_result_is_main_pair(&profile->result, pair) &&
		    gain_of_pair(out, pair))
			return true;
	}
	if (!isfinite(profile->score))
		return false;
	ao_gain_of_score(out, profile->score, profile->score_variance);
	return true;
}

bool ao_candidate_is_timed(const struct ao_candidate *candidate)
{
	const struct ao_profile *profile = candidate->profile;

	for (size_t i = 0; profile && i < profile->result.pair_count; i++)
		if (profile->result.pairs[i].evidence > 0)
			return true;
	return false;
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
