/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "collab/bench_text.h"
#include "collab/markdown.h"
#include "util/limits.h"
#include "util/text.h"
#include "util/version.h"

/* "1.234" milliseconds, or "-". */
static void add_ms(struct ao_buf *out, double ns)
{
	if (ns > 0)
		ao_buf_addf(out, " | %.4g", ns / 1e6);
	else
		ao_buf_addstr(out, " | -");
}

static void add_gain(struct ao_buf *out, const struct ao_gain *gain)
{
	ao_buf_addstr(out, " | ");
	if (gain->is_measured)
		ao_gain_text(out, gain);
	else
		ao_buf_addstr(out, "-");
}

static void add_case(struct ao_buf *out, const struct ao_bench_row *row,
		     const struct ao_bench_case *c)
{
	ao_buf_addstr(out, "| ");
	ao_markdown_text(out, row->task);
	ao_buf_addstr(out, " | ");
	ao_markdown_text(out, c->name);
	ao_buf_addstr(out, " | ");
	ao_markdown_text(out, c->shape);
	add_ms(out, c->author_ns);
	add_ms(out, c->practitioner_ns);
	add_ms(out, c->final_ns);
	add_gain(out, &c->over_author);
	add_gain(out, &c->over_practitioner);
	ao_buf_addf(out, " | %.1f | %.1f |\n", c->percent_before,
		    c->percent_after);
}

static void add_table(struct ao_buf *out, const struct ao_bench_page *page)
{
	ao_buf_addstr(out, "| task | case | shape | author's, ms | "
			   "practitioner's, ms | final, ms | over author's | "
			   "over practitioner's | % of peak before | after |\n"
			   "|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < page->count; i++)
		for (size_t k = 0; k < page->rows[i].case_count; k++)
			add_case(out, &page->rows[i], &page->rows[i].cases[k]);
}

static void add_missing(struct ao_buf *out, const struct ao_bench_page *page)
{
	for (size_t i = 0; i < page->missing->count; i++) {
		ao_buf_addstr(out, i ? ", "
				     : "\nNot in the table, as something "
				       "did not pass: ");
		ao_markdown_text(out, page->missing->v[i]);
	}
	if (page->missing->count)
		ao_buf_addstr(out, ".\n");
}

static void add_means(struct ao_buf *out, const struct ao_bench_page *page)
{
	struct ao_bench_sum sum;

	if (!page->count)
		return;
	ao_bench_sum(&sum, page->rows, page->count);
	ao_buf_addf(out,
		    "\nGeometric means over the main cases of %zu task%s: "
		    "x%.2f over the author's baselines, ",
		    sum.rows, sum.rows == 1 ? "" : "s", exp(sum.over_author));
	if (sum.practitioner_rows)
		ao_buf_addf(out, "x%.2f over %zu practitioner's, ",
			    exp(sum.over_practitioner), sum.practitioner_rows);
	ao_buf_addf(out,
		    "%.1f %% of peak before and %.1f %% after (%.1f %% by the "
		    "fastest calls).\n",
		    sum.percent_before, sum.percent_after, sum.percent_fastest);
	if (!sum.worst)
		return;
	ao_buf_addstr(
		out, "\nWorst main case against the practitioner's baseline: ");
	ao_markdown_text(out, sum.worst->task);
	ao_buf_addf(out, ", x%.2f.\n",
		    exp(sum.worst->cases[0].over_practitioner.log_gain));
}

static void add_searches(struct ao_buf *out, const struct ao_bench_page *page)
{
	struct ao_bench_sum sum;

	ao_buf_addstr(out,
		      "\n| task | run | evaluations | failed | what won |\n"
		      "|---|---|---|---|---|\n");
	for (size_t i = 0; i < page->count; i++) {
		const struct ao_bench_row *row = &page->rows[i];

		ao_buf_addstr(out, "| ");
		ao_markdown_text(out, row->task);
		ao_buf_addf(out, " | %s | %" PRIu32 " | %" PRIu32 " | ",
			    row->run, row->evals, row->failed);
		for (size_t k = 0; k < row->plans.count; k++) {
			if (k)
				ao_buf_addstr(out, "; ");
			ao_markdown_text(out, row->plans.v[k]);
		}
		if (!*row->best)
			ao_buf_addstr(out, "the author's baseline: nothing "
					   "was faster");
		ao_buf_addstr(out, " |\n");
	}
	ao_bench_sum(&sum, page->rows, page->count);
	if (sum.evals)
		ao_buf_addf(out,
			    "\nOf %" PRIu32 " evaluations %" PRIu32
			    " did not pass (%.1f %%): not built, or wrong.\n",
			    sum.evals, sum.failed,
			    100.0 * sum.failed / sum.evals);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void add_setting(struct ao_buf *out, const struct ao_bench_page *page)
{
	const struct ao_machine *machine = page->machine;

	ao_buf_addstr(out, "\nMeasured on one core of ");
	ao_markdown_text(out,
			 machine->cpu ? machine->cpu : "an unknown processor");
	ao_buf_addf(out, " (%" PRIu32 " in all) with ", machine->cores);
	ao_markdown_text(out, machine->compiler ? machine->compiler
						: "an unknown compiler");
	for (size_t i = 0; i < page->libraries->count; i++) {
		ao_buf_addstr(out, i ? ", " : " (practitioner's baselines: ");
		ao_markdown_text(out, base_name(page->libraries->v[i]));
	}
	if (page->libraries->count)
		ao_buf_addstr(out, ")");
	ao_buf_addstr(out, ", by git accelopt ");
	ao_markdown_text(out, ao_version());
	ao_buf_addf(out, ", peak model %d:\n\n    ", AO_PEAK_MODEL);
	ao_markdown_text(out, page->command);
	ao_buf_addstr(
		out,
		"\n\nGains are medians of paired log ratios, with their 95 % "
		"interval.  A baseline's time is that\nof the final kernel, "
		"multiplied by the gain over it.\n");
}

void ao_bench_text(struct ao_buf *out, const struct ao_bench_page *page)
{
	ao_buf_addstr(out, "# ");
	ao_markdown_text(out, page->title);
	ao_buf_addstr(out, "\n\n");
	add_table(out, page);
	add_missing(out, page);
	add_means(out, page);
	add_searches(out, page);
	add_setting(out, page);
}
