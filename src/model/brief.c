/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/brief.h"

static void drop_text(char **text)
{
	free(*text);
	*text = NULL;
}

bool ao_profile_read_brief(struct ao_profile *out, const char *line, size_t len)
{
	struct ao_profile profile;
	struct ao_result *result = &profile.result;
	struct ao_machine machine = { 0 };

	/*
	 * To step over what is dropped would save a tenth of the time; most
	 * goes into looking at every byte once.
	 */
	if (!ao_profile_read(&profile, line, len))
		return false;
	for (size_t i = 0; i < result->pair_count; i++) {
		free(result->pairs[i].unit_log_gain);
		result->pairs[i].unit_log_gain = NULL;
		result->pairs[i].units = 0;
	}
	for (size_t i = 0; i < result->remark_count; i++) {
		free(result->remarks[i].file);
		free(result->remarks[i].text);
	}
	free(result->remarks);
	result->remarks = NULL;
	result->remark_count = 0;
	ao_hotloop_release(&result->hotloop);
	ao_counts_release(&result->counts);
	drop_text(&result->log);
	drop_text(&result->flags);
	result->seed = 0;
	memcpy(machine.fingerprint, result->machine.fingerprint,
	       sizeof(machine.fingerprint));
	ao_machine_release(&result->machine);
	result->machine = machine;
	*out = profile;
	return true;
}

bool ao_plan_read_brief(struct ao_plan *out, const char *line, size_t len)
{
	struct ao_plan plan;

	if (!ao_plan_read(&plan, line, len))
		return false;
	drop_text(&plan.text);
	ao_strs_release(&plan.insights);
	*out = plan;
	return true;
}
