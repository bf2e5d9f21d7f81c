/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/findings.h"

static const char *const state_names[] = {
	[AO_FINDING_OK] = "ok",
	[AO_FINDING_WARNING] = "warning",
	[AO_FINDING_ERROR] = "error",
};

void ao_findings_add(struct ao_findings *findings, enum ao_finding_state state,
		     const char *topic, char *text, char *advice)
{
	struct ao_finding *finding;

	findings->items = ao_grow(findings->items, &findings->alloc,
				  findings->count + 1,
				  sizeof(*findings->items));
	finding = &findings->items[findings->count++];
	*finding = (struct ao_finding){ .state = state, .topic = topic };
	finding->text = text;
	finding->advice = advice;
}

void ao_findings_advise(struct ao_findings *findings,
			enum ao_finding_state state, const char *topic,
			char *text, const char *advice)
{
	ao_findings_add(findings, state, topic, text, ao_xstrdup(advice));
}

void ao_findings_release(struct ao_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->items[i].text);
		free(findings->items[i].advice);
	}
	free(findings->items);
	*findings = (struct ao_findings){ 0 };
}

enum ao_finding_state ao_findings_worst(const struct ao_findings *findings)
{
	enum ao_finding_state worst = AO_FINDING_OK;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].state > worst)
			worst = findings->items[i].state;
	return worst;
}

void ao_findings_text(struct ao_buf *out, const struct ao_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct ao_finding *finding = &findings->items[i];

		ao_buf_addf(out, "%-8s %-16s %s\n", state_names[finding->state],
			    finding->topic, finding->text);
		if (finding->advice)
			ao_buf_addf(out, "%-8s %-16s %s\n", "", "",
				    finding->advice);
	}
}

struct ao_json *ao_findings_json(const struct ao_findings *findings)
{
	struct ao_json *list = ao_json_new_array();

	for (size_t i = 0; i < findings->count; i++) {
		const struct ao_finding *finding = &findings->items[i];
		struct ao_json *json = ao_json_new_object();

		ao_json_set_string(json, "topic", finding->topic);
		ao_json_set_string(json, "state", state_names[finding->state]);
		ao_json_set_string(json, "text", finding->text);
		if (finding->advice)
			ao_json_set_string(json, "advice", finding->advice);
		ao_json_set(list, NULL, json);
	}
	return list;
}
