/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/candidate_json.h"
#include "cli/gain_text.h"
#include "cli/insight_json.h"

void ao_insight_to_json(struct ao_json *to, const struct ao_insight *insight)
{
	struct ao_gain gain;

	ao_insight_gain(&gain, insight);
	ao_json_set_string(to, "id", insight->head.id);
	ao_json_set_string(to, "task", insight->task);
	ao_json_set_string(to, "run", insight->run);
	ao_json_set_number(to, "iteration", insight->iteration);
	ao_json_set_number(to, "rank", insight->rank);
	ao_gain_to_json(to, "gain", &gain);
	ao_json_set_string(to, "title", insight->title);
	ao_json_set_string(to, "text", insight->text);
	ao_json_set_string(to, "slow", insight->slow);
	ao_json_set_string(to, "fast", insight->fast);
	ao_json_set_string(to, "slow_code", insight->slow_code);
	ao_json_set_string(to, "fast_code", insight->fast_code);
	ao_json_set_string(to, "features", insight->features);
	ao_json_set_string(to, "agent", insight->agent);
}
