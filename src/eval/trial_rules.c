/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/trial_rules.h"

enum {
	MIN_CALL_TIMEOUT_MS = 10000,
	MAX_CALL_TIMEOUT_MS = 600000,
	REFERENCES_PER_CALL = 20, /* a kernel may take that much longer */
};

/* Log gain that is worth deciding: less is a tie. */
static const double min_effect = 0.01;

/* Of a new best; ten times the usual. */
static const double confirming_evidence = 1000;

/*
 * What ends it without the gain, or the loss, that is looked for.  No better
 * than the least effect three times in a row is enough in screening: who is
 * given up wrongly there was hardly better.  Who is to be confirmed has come
 * through that already, so there is more to lose.
 */
static const double screening_doubt = 5;
static const double confirming_doubt = 20;

static struct ao_timing_rules rules_to_confirm(bool is_main_case)
{
	if (is_main_case)
		return (struct ao_timing_rules){
			.min_effect = min_effect,
			.max_units = AO_TRIAL_FULL_UNITS,
			.evidence_bound = confirming_evidence,
			.no_gain_bound = confirming_doubt,
			.only_faster_counts = true,
		};
	return (struct ao_timing_rules){
		.min_effect = min_effect,
		.max_units = AO_TRIAL_OTHER_UNITS,
		.no_loss_bound = confirming_doubt,
	};
}

struct ao_timing_rules ao_trial_timing_rules(enum ao_stage stage,
					     bool is_main_case)
{
	struct ao_timing_rules rules = { .min_effect = min_effect };

	switch (stage) {
	case AO_STAGE_CONFIRM:
		return rules_to_confirm(is_main_case);
	case AO_STAGE_FULL:
		rules.max_units = is_main_case ? AO_TRIAL_FULL_UNITS
					       : AO_TRIAL_OTHER_UNITS;
		break;
	case AO_STAGE_CHECK:
	case AO_STAGE_SCREEN:
		rules.max_units = AO_TRIAL_SCREEN_UNITS;
		rules.no_gain_bound = screening_doubt;
		break;
	}
	return rules;
}

struct ao_timing_rules ao_trial_control_rules(void)
{
	return (struct ao_timing_rules){
		.min_effect = min_effect,
		.max_units = AO_TRIAL_CONTROL_UNITS,
		.only_difference_counts = true,
	};
}

/*
 * The reference stands in for the baseline, whose time is not known yet: it is
 * the slower of the two.
 */
uint32_t ao_trial_call_timeout_ms(double reference_ms)
{
	return (uint32_t)fmin(
		fmax(REFERENCES_PER_CALL * reference_ms, MIN_CALL_TIMEOUT_MS),
		MAX_CALL_TIMEOUT_MS);
}
