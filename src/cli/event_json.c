/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "util/clock.h"

#include "cli/candidate_json.h"
#include "cli/event_json.h"

static const char *const event_names[] = {
	[AO_EVENT_STARTED] = "started",	    [AO_EVENT_RESUMED] = "resumed",
	[AO_EVENT_BASELINE] = "baseline",   [AO_EVENT_ATTEMPT] = "attempt",
	[AO_EVENT_ITERATION] = "iteration", [AO_EVENT_INSIGHT] = "insight",
	[AO_EVENT_BEST] = "best",	    [AO_EVENT_WARNING] = "warning",
	[AO_EVENT_STOPPED] = "stopped",
};

static void set_insight(struct ao_json *to, const struct ao_insight *insight)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "id", insight->head.id);
	ao_json_set_string(json, "title", insight->title);
	ao_json_set_string(json, "slow", insight->slow);
	ao_json_set_string(json, "fast", insight->fast);
	ao_json_set_number(json, "gain", exp(insight->log_gain));
	ao_json_set(to, "insight", json);
}

static void set_baseline(struct ao_json *to, const struct ao_profile *baseline)
{
	const struct ao_case_result *c = ao_result_main(&baseline->result);

	if (!c)
		return;
	ao_json_set_number(to, "median_ns", c->median_ns);
	ao_json_set_number(to, "percent_of_peak",
			   c->percent_of_peak > 0 ? c->percent_of_peak : NAN);
}

struct ao_json *ao_event_to_json(const struct ao_event *event)
{
	struct ao_json *json = ao_json_new_object();
	char now[AO_TIME_SIZE];

	ao_clock_format(now, ao_clock_unix_ms());
	ao_json_set_string(json, "event", event_names[event->kind]);
	ao_json_set_string(json, "time", now);
	if (!event->candidate) {
		ao_json_set_string(json, "task", event->run->task);
		ao_json_set_string(json, "run", event->run->id);
	}
	ao_json_set_number(json, "iteration", event->iteration);
	ao_json_set_number(json, "evals", event->evals);
	ao_json_set_number(json, "reused", event->reused);
	ao_json_set_number(json, "in_flight", event->in_flight);
	ao_gain_to_json(json, "gain", &event->gain);
	if (event->candidate)
		ao_candidate_to_json(json, event->candidate,
				     event->run->base_kernel);
	if (event->kind == AO_EVENT_BASELINE)
		set_baseline(json, event->baseline);
	if (event->insight)
		set_insight(json, event->insight);
	ao_json_set_string(json, "text", event->text);
	return json;
}
