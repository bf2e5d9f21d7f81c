/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "collab/markdown.h"

#include "cli/published_page.h"

/* A cell; `before` the number is a sign or "". */
static void add_number(struct ao_buf *out, const char *before, int decimals,
		       double number)
{
	if (isnan(number))
		ao_buf_addstr(out, " | -");
	else
		ao_buf_addf(out, " | %s%.*f", before, decimals, number);
}

static void add_task(struct ao_buf *out, const struct ao_published_task *task)
{
	ao_buf_addstr(out, "| ");
	ao_markdown_text(out, task->name);
	ao_buf_addstr(out, " | ");
	ao_markdown_text(out, task->shape);
	add_number(out, "", 3, task->baseline_ms);
	add_number(out, "", 3, task->best_ms);
	add_number(out, "x", 2, task->gain);
	add_number(out, "", 3, task->peak_ms);
	add_number(out, "", 1, task->percent_before);
	add_number(out, "", 1, task->percent_after);
	ao_buf_addf(out, " | %s |\n", task->bound);
}

void ao_published_page(struct ao_buf *out, const char *suite,
		       const struct ao_published *published)
{
	ao_buf_addstr(out, "# ");
	ao_markdown_text(out, suite);
	ao_buf_addstr(out, " on ");
	ao_markdown_text(out, published->machine);
	ao_buf_addstr(out, ", as published\n\n"
			   "| task | shape | baseline, ms | best, ms | gain | "
			   "peak, ms | % of peak before | after | bound by |\n"
			   "|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < published->count; i++)
		add_task(out, &published->tasks[i]);
	if (published->measured)
		ao_buf_addf(out,
			    "\nGeometric means over %zu task%s: x%.2f, "
			    "%.1f %% of peak before and %.1f %% after.\n",
			    published->measured,
			    published->measured == 1 ? "" : "s",
			    published->gain, published->percent_before,
			    published->percent_after);
	else
		ao_buf_addstr(out, "\nNo times on it were published.\n");
	ao_buf_addf(out,
		    "\nPeak is by the model of the source: what takes longest "
		    "of memory traffic at %.1f GB/s,\nmatrix products at %.2f "
		    "TFLOP/s, and all else at %.1f GFLOP/s.\n\nSource: ",
		    published->bytes_per_s / 1e9,
		    published->matmul_flops_per_s / 1e12,
		    published->vector_flops_per_s / 1e9);
	ao_markdown_text(out, published->source);
	ao_buf_addstr(out, ".\n");
}

static struct ao_json *task_to_json(const struct ao_published_task *task)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "task", task->name);
	ao_json_set_string(json, "shape", task->shape);
	ao_json_set_number(json, "baseline_ms", task->baseline_ms);
	ao_json_set_number(json, "best_ms", task->best_ms);
	ao_json_set_number(json, "gain", task->gain);
	ao_json_set_number(json, "peak_ms", task->peak_ms);
	ao_json_set_number(json, "percent_before", task->percent_before);
	ao_json_set_number(json, "percent_after", task->percent_after);
	ao_json_set_string(json, "bound", task->bound);
	return json;
}

struct ao_json *ao_published_to_json(const char *suite,
				     const struct ao_published *published)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *tasks = ao_json_new_array();
	struct ao_json *means = ao_json_new_object();

	ao_json_set_string(json, "title", suite);
	ao_json_set_string(json, "machine", published->machine);
	ao_json_set_string(json, "source", published->source);
	ao_json_set_number(json, "bytes_per_s", published->bytes_per_s);
	ao_json_set_number(json, "matmul_flops_per_s",
			   published->matmul_flops_per_s);
	ao_json_set_number(json, "vector_flops_per_s",
			   published->vector_flops_per_s);
	for (size_t i = 0; i < published->count; i++)
		ao_json_set(tasks, NULL, task_to_json(&published->tasks[i]));
	ao_json_set(json, "tasks", tasks);
	ao_json_set_number(means, "tasks", (double)published->measured);
	ao_json_set_number(means, "gain", published->gain);
	ao_json_set_number(means, "percent_before", published->percent_before);
	ao_json_set_number(means, "percent_after", published->percent_after);
	ao_json_set(json, "means", means);
	return json;
}

struct ao_error *ao_published_options(const struct ao_options *options)
{
	static const char *const fit[] = { "published", "suite", "json",
					   "output", "quiet" };

	for (const struct ao_option *o = options->table;
	     o->type != AO_OPTION_END; o++) {
		size_t i = 0;

		while (i < AO_ARRAY_SIZE(fit) && strcmp(o->name, fit[i]) != 0)
			i++;
		if (i == AO_ARRAY_SIZE(fit) &&
		    ao_options_given(options, o->name))
			return ao_error_new(AO_EUSAGE,
					    "--published measures nothing: "
					    "leave out --%s",
					    o->name);
	}
	return NULL;
}
