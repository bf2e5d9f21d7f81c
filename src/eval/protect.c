/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/protect.h"

static const struct ao_pair *find_loss(const struct ao_result *result,
				       const struct ao_task *task,
				       const struct ao_pair *main_pair)
{
	for (size_t i = 0; i < result->pair_count; i++) {
		const struct ao_pair *pair = &result->pairs[i];
		const struct ao_case *c = ao_task_case(task, pair->case_name);

		if (c && c->is_protected && pair != main_pair &&
		    pair->decision == AO_DECISION_SLOWER &&
		    !strcmp(pair->against, main_pair->against))
			return pair;
	}
	return NULL;
}

void ao_protect(struct ao_result *result, const struct ao_task *task,
		const char *main_name)
{
	for (size_t i = 0; i < result->pair_count; i++) {
		struct ao_pair *pair = &result->pairs[i];
		const struct ao_pair *loss;

		if (pair->decision != AO_DECISION_FASTER ||
		    strcmp(pair->case_name, main_name) != 0)
			continue;
		loss = find_loss(result, task, pair);
		if (!loss)
			continue;
		pair->decision = AO_DECISION_TIE;
		free(result->detail);
		result->detail = ao_xstrf(
			"faster on case '%s', but slower on case "
			"'%s', which is protected",
			main_name, loss->case_name);
	}
}
