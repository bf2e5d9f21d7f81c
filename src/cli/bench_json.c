/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "util/version.h"

#include "cli/bench_json.h"
#include "cli/candidate_json.h"

/* In milliseconds; null where there is none. */
static void set_ms(struct ao_json *to, const char *key, double ns)
{
	ao_json_set_number(to, key, ns > 0 ? ns / 1e6 : NAN);
}

static void set_gain(struct ao_json *to, const char *key,
		     const struct ao_gain *gain)
{
	ao_gain_to_json(to, key, gain->is_measured ? gain : NULL);
}

static struct ao_json *case_to_json(const struct ao_bench_case *c)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "case", c->name);
	ao_json_set_string(json, "shape", c->shape);
	set_ms(json, "author_ms", c->author_ns);
	set_ms(json, "practitioner_ms", c->practitioner_ns);
	set_ms(json, "final_ms", c->final_ns);
	set_gain(json, "over_author", &c->over_author);
	set_gain(json, "over_practitioner", &c->over_practitioner);
	ao_json_set_number(json, "percent_before", c->percent_before);
	ao_json_set_number(json, "percent_after", c->percent_after);
	ao_json_set_number(json, "percent_fastest", c->percent_fastest);
	ao_json_set_string(json, "bound", c->bound);
	return json;
}

static struct ao_json *row_to_json(const struct ao_bench_row *row)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *plans = ao_json_new_array();
	struct ao_json *cases = ao_json_new_array();

	ao_json_set_string(json, "task", row->task);
	ao_json_set_string(json, "run", row->run);
	ao_json_set_string(json, "best", *row->best ? row->best : NULL);
	ao_json_set_number(json, "evaluations", row->evals);
	ao_json_set_number(json, "failed", row->failed);
	for (size_t i = 0; i < row->plans.count; i++)
		ao_json_set_string(plans, NULL, row->plans.v[i]);
	ao_json_set(json, "plans", plans);
	for (size_t i = 0; i < row->case_count; i++)
		ao_json_set(cases, NULL, case_to_json(&row->cases[i]));
	ao_json_set(json, "cases", cases);
	return json;
}

static struct ao_json *sum_to_json(const struct ao_bench_page *page)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_bench_sum sum;
	bool has = false;

	ao_bench_sum(&sum, page->rows, page->count);
	has = sum.practitioner_rows > 0;
	ao_json_set_number(json, "tasks", (double)sum.rows);
	ao_json_set_number(json, "over_author", exp(sum.over_author));
	ao_json_set_number(json, "over_practitioner",
			   has ? exp(sum.over_practitioner) : NAN);
	ao_json_set_number(json, "percent_before", sum.percent_before);
	ao_json_set_number(json, "percent_after", sum.percent_after);
	ao_json_set_number(json, "percent_fastest", sum.percent_fastest);
	ao_json_set_string(json, "worst", has ? sum.worst->task : NULL);
	ao_json_set_number(
		json, "worst_over_practitioner",
		has ? exp(sum.worst->cases[0].over_practitioner.log_gain)
		    : NAN);
	ao_json_set_number(json, "evaluations", sum.evals);
	ao_json_set_number(json, "failed", sum.failed);
	return json;
}

struct ao_json *ao_bench_to_json(const struct ao_bench_page *page)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *rows = ao_json_new_array();
	struct ao_json *missing = ao_json_new_array();
	struct ao_json *libraries = ao_json_new_array();

	ao_json_set_string(json, "title", page->title);
	ao_json_set_string(json, "command", page->command);
	ao_json_set_string(json, "version", ao_version());
	ao_json_set_number(json, "peak_model", AO_PEAK_MODEL);
	ao_json_set(json, "machine", ao_machine_to_json(page->machine, false));
	for (size_t i = 0; i < page->count; i++)
		ao_json_set(rows, NULL, row_to_json(&page->rows[i]));
	ao_json_set(json, "tasks", rows);
	for (size_t i = 0; i < page->missing->count; i++)
		ao_json_set_string(missing, NULL, page->missing->v[i]);
	ao_json_set(json, "missing", missing);
	for (size_t i = 0; i < page->libraries->count; i++)
		ao_json_set_string(libraries, NULL, page->libraries->v[i]);
	ao_json_set(json, "libraries", libraries);
	if (page->count)
		ao_json_set(json, "means", sum_to_json(page));
	return json;
}
