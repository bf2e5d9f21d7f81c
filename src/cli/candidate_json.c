/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "cli/candidate_json.h"

static void set(struct ao_json *to, const char *key, const char *suffix,
		double value)
{
	char *name = ao_xstrf("%s%s", key, suffix);

	ao_json_set_number(to, name, value);
	free(name);
}

/* What is not known is null: a number that is none prints as that. */
static void set_text(struct ao_json *to, const char *key, const char *text)
{
	if (text)
		ao_json_set_string(to, key, text);
	else
		ao_json_set_number(to, key, NAN);
}

void ao_gain_to_json(struct ao_json *to, const char *key,
		     const struct ao_gain *gain)
{
	set(to, key, "", gain ? exp(gain->log_gain) : NAN);
	set(to, key, "_low", gain ? exp(gain->log_low) : NAN);
	set(to, key, "_high", gain ? exp(gain->log_high) : NAN);
}

static double percent_of_peak(const struct ao_candidate *candidate)
{
	const struct ao_case_result *main_case = NULL;

	if (ao_candidate_is_timed(candidate))
		main_case = ao_result_main(&candidate->profile->result);
	return main_case && main_case->percent_of_peak > 0
		       ? main_case->percent_of_peak
		       : NAN;
}

void ao_candidate_to_json(struct ao_json *to,
			  const struct ao_candidate *candidate,
			  const char *base_kernel)
{
	const struct ao_message *message = &candidate->message;
	enum ao_verdict verdict = ao_candidate_verdict(candidate);
	struct ao_gain parent, baseline;
	bool has_baseline = ao_candidate_gain_baseline(&baseline, candidate,
						       base_kernel);
	char *attempt = ao_xstrf("%" PRIu32 ".%" PRIu32,
				 message->attempt.iteration,
				 message->attempt.number);

	ao_json_set_string(to, "commit", candidate->commit);
	ao_json_set_string(to, "parent", candidate->parent);
	ao_json_set_string(to, "attempt", attempt);
	set_text(to, "task", message->task);
	set_text(to, "run", message->run);
	set_text(to, "verdict", verdict ? ao_verdict_name(verdict) : NULL);
	set_text(to, "detail",
		 candidate->profile ? candidate->profile->result.detail : NULL);
	ao_gain_to_json(to, "gain_parent",
			ao_candidate_gain_parent(&parent, candidate) ? &parent
								     : NULL);
	ao_gain_to_json(to, "gain_baseline", has_baseline ? &baseline : NULL);
	if (has_baseline)
		ao_json_set_bool(to, "gain_baseline_is_measured",
				 baseline.is_measured);
	else
		set_text(to, "gain_baseline_is_measured", NULL);
	ao_json_set_number(to, "percent_of_peak", percent_of_peak(candidate));
	set_text(to, "plan", message->title);
	set_text(to, "agent", message->agent);
	free(attempt);
}
