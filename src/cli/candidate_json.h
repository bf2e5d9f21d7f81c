/* SPDX-License-Identifier: MIT */
/*
 * candidate_json.h - a candidate as --json prints it, the same in every
 * command.
 */
#ifndef AO_CLI_CANDIDATE_JSON_H
#define AO_CLI_CANDIDATE_JSON_H

#include "model/candidate.h"
#include "util/json.h"

/*
 * Append to `to`: commit, parent, attempt, task, run, verdict, detail,
 * gain_parent, gain_baseline, gain_baseline_is_measured, percent_of_peak, plan,
 * agent.  A gain is a ratio, > 1 is faster, with its 95 % interval in
 * <gain>_low and <gain>_high; all that is not known is null.
 */
void ao_candidate_to_json(struct ao_json *to,
			  const struct ao_candidate *candidate,
			  const char *base_kernel);

/* Append a gain and its interval under `key`; NULL: not known. */
void ao_gain_to_json(struct ao_json *to, const char *key,
		     const struct ao_gain *gain);

#endif
