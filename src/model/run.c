/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/fields.h"
#include "model/run.h"

enum { RUN_VERSION = 1, MAX_RUN_ID = 63 };

static const struct ao_field settings_table[] = {
	AO_FIELD(struct ao_settings, beam),
	AO_FIELD(struct ao_settings, plans),
	AO_FIELD(struct ao_settings, samples),
	AO_FIELD(struct ao_settings, iterations),
	AO_FIELD(struct ao_settings, fix_rounds),
	AO_FIELD(struct ao_settings, positive_threshold),
	AO_FIELD(struct ao_settings, negative_threshold),
	AO_FIELD(struct ao_settings, insights),
	AO_FIELD(struct ao_settings, memory),
	AO_FIELD(struct ao_settings, max_evals),
	AO_FIELD(struct ao_settings, max_time_s),
	AO_FIELD(struct ao_settings, seed),
	AO_FIELD(struct ao_settings, planner),
	AO_FIELD(struct ao_settings, executor),
	AO_FIELD(struct ao_settings, summarizer),
};
static const struct ao_field run_table[] = {
	AO_FIELD(struct ao_run, id),
	AO_FIELD(struct ao_run, task),
	AO_FIELD(struct ao_run, task_id),
	AO_FIELD(struct ao_run, evaluator),
	AO_FIELD(struct ao_run, base),
	AO_FIELD(struct ao_run, base_kernel),
	AO_FIELD(struct ao_run, writer),
	AO_FIELD(struct ao_run, tool_version),
	AO_FIELD_AS("started", struct ao_run, started_unix_ms),
	AO_FIELD(struct ao_run, origin),
};
static const struct ao_fields settings_fields = AO_FIELDS(struct ao_settings,
							  settings_table);
static const struct ao_fields run_fields = AO_FIELDS(struct ao_run, run_table);

void ao_settings_init(struct ao_settings *settings)
{
	*settings = (struct ao_settings){
		.beam = 3,
		.plans = 8,
		.samples = 1,
		.iterations = 1000,
		.fix_rounds = 3,
		.positive_threshold = 1.04,
		.negative_threshold = 1.15,
		.insights = 8,
		.memory = 16,
		.max_evals = 60,
		.planner = ao_xstrdup("catalog"),
		.executor = ao_xstrdup("catalog"),
		.summarizer = ao_xstrdup("catalog"),
	};
}

void ao_settings_release(struct ao_settings *settings)
{
	ao_fields_release(settings, &settings_fields);
	*settings = (struct ao_settings){ 0 };
}

/*
 * Ranges are wide: they are there because settings size arrays and come from
 * the journals of others, not to say what is wise.
 */
struct ao_error *ao_settings_check(const struct ao_settings *settings)
{
	const struct {
		const char *name;
		double value, min, max;
	} ranges[] = {
		{ "beam", settings->beam, 1, 1000 },
		{ "plans", settings->plans, 1, 1000 },
		{ "samples", settings->samples, 1, 1000 },
		{ "iterations", settings->iterations, 1, 100000 },
		{ "fix_rounds", settings->fix_rounds, 0, 100 },
		{ "positive_threshold", settings->positive_threshold, 1, 100 },
		{ "negative_threshold", settings->negative_threshold, 1, 100 },
		{ "insights", settings->insights, 0, 1000 },
		{ "memory", settings->memory, 0, 10000 },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(ranges); i++)
		if (!(ranges[i].value >= ranges[i].min &&
		      ranges[i].value <= ranges[i].max))
			return ao_error_new(AO_EUSAGE,
					    "'%s' is %g; it must be within "
					    "%g .. %g",
					    ranges[i].name, ranges[i].value,
					    ranges[i].min, ranges[i].max);
	return NULL;
}

bool ao_run_id_is_valid(const char *id)
{
	size_t len = strspn(id, "abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				"0123456789-");

	return len && len <= MAX_RUN_ID && !id[len] && *id != '-';
}

void ao_run_release(struct ao_run *run)
{
	ao_fields_release(run, &run_fields);
	ao_settings_release(&run->settings);
	ao_machine_release(&run->machine);
	*run = (struct ao_run){ 0 };
}

void ao_run_write(struct ao_buf *out, const struct ao_run *run)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *settings = ao_json_new_object();

	ao_json_set_number(json, "v", RUN_VERSION);
	ao_fields_write(json, &run_fields, run);
	ao_fields_write(settings, &settings_fields, &run->settings);
	ao_json_set(json, "settings", settings);
	ao_json_set(json, "machine", ao_machine_to_json(&run->machine, true));
	ao_json_print(out, json, true);
	ao_buf_addstr(out, "\n");
	ao_json_free(json);
}

/* What others rely on without looking again. */
static struct ao_error *check(const struct ao_run *run,
			      const struct ao_json_doc *doc)
{
	const struct ao_json *root = ao_json_doc_root(doc);
	struct ao_error *err;

	if (!run->id || !ao_run_id_is_valid(run->id))
		return ao_json_complain(doc, root, "id", "expected a run id");
	if (!run->task || !ao_task_name_is_valid(run->task))
		return ao_json_complain(doc, root, "task",
					"expected the name of a task");
	if (!*run->base)
		return ao_json_complain(doc, root, "base",
					"expected the id of a commit");
	err = ao_settings_check(&run->settings);
	if (err) {
		struct ao_error *complaint = ao_json_complain(
			doc, root, "settings", "%s", ao_error_message(err));

		ao_error_free(err);
		return complaint;
	}
	return NULL;
}

/* Whether it is a run.json at all, and of a version that we know. */
static struct ao_error *check_form(const struct ao_json_doc *doc)
{
	const struct ao_json *root = ao_json_doc_root(doc);
	const struct ao_json *settings;
	struct ao_error *err;
	double version;

	err = ao_json_want_number(&version, doc, root, "v", 1, INT32_MAX);
	if (!err && version > RUN_VERSION)
		err = ao_json_complain(doc, root, "v",
				       "version %.0f needs a newer git "
				       "accelopt",
				       version);
	if (!err)
		err = ao_json_want(&settings, doc, root, "settings",
				   AO_JSON_OBJECT);
	return err;
}

static void pull_run(struct ao_run *run, struct ao_json_pull *pull)
{
	size_t next = 0;

	while (ao_json_pull_member(pull)) {
		if (ao_fields_pull(run, &run_fields, &next, pull))
			continue;
		if (ao_json_pull_is(pull, "settings"))
			ao_fields_pull_object(&run->settings, &settings_fields,
					      pull);
		else if (ao_json_pull_is(pull, "machine"))
			ao_machine_pull(&run->machine, pull);
		else
			ao_json_pull_skip(pull);
	}
}

struct ao_error *ao_run_read(struct ao_run *out, const char *where,
			     const char *text, size_t len)
{
	struct ao_run run = { 0 };
	struct ao_json_doc *doc;
	struct ao_json_pull pull;
	struct ao_error *err;

	err = ao_json_doc_parse(&doc, where, text, len);
	if (err)
		return err;
	err = check_form(doc);
	if (!err) {
		/* What an older version did not set has its default. */
		ao_settings_init(&run.settings);
		if (ao_json_pull_start(&pull, text, len) &&
		    ao_json_pull_enter(&pull, '{'))
			pull_run(&run, &pull);
		err = check(&run, doc);
	}
	ao_json_doc_free(doc);
	if (err) {
		ao_run_release(&run);
		return err;
	}
	*out = run;
	return NULL;
}
