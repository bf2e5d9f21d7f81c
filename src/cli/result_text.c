/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "util/text.h"

#include "cli/result_text.h"
#include "cli/units.h"

enum { MAX_HOTLOOP_BYTES = 64 << 10 };
enum { NUMBER_SIZE = 32, MIN_NAME_WIDTH = 10, MAX_NAME_WIDTH = 64 };

/* A time, or "-" for one that is not known. */
static void time_text(char out[AO_UNITS_SIZE], double ns)
{
	ao_units_time(out, ns > 0 ? ns : (double)NAN);
}

static void percent_text(char out[NUMBER_SIZE], double percent)
{
	snprintf(out, NUMBER_SIZE, percent > 0 ? "%.1f %%" : "-", percent);
}

static void error_text(char out[NUMBER_SIZE], double error, bool is_known)
{
	snprintf(out, NUMBER_SIZE, is_known ? "%.2g" : "-", error);
}

static void add_case(struct ao_buf *out, const struct ao_result *result,
		     const struct ao_case_result *c, int width)
{
	char time[AO_UNITS_SIZE], floor[AO_UNITS_SIZE];
	char peak[NUMBER_SIZE], error[NUMBER_SIZE], limit[NUMBER_SIZE];
	bool knows_error = ao_result_knows_error(result, c);

	time_text(time, c->median_ns);
	time_text(floor, c->floor_ns);
	percent_text(peak, c->percent_of_peak);
	error_text(error, c->error, knows_error);
	error_text(limit, c->limit, c->limit > 0 || knows_error);
	ao_buf_addf(out, "%-*s %9s %9s %10s  %-8s %9s %9s\n", width,
		    c->case_name, time, floor, peak, c->bound ? c->bound : "-",
		    error, limit);
}

static int name_width(const struct ao_result *result)
{
	size_t width = MIN_NAME_WIDTH;

	for (size_t i = 0; i < result->case_count; i++) {
		const char *name = result->cases[i].case_name;

		if (name && strlen(name) > width)
			width = strlen(name);
	}
	return width > MAX_NAME_WIDTH ? MAX_NAME_WIDTH : (int)width;
}

void ao_cases_text(struct ao_buf *out, const struct ao_result *result)
{
	int width = name_width(result);

	ao_buf_addf(out, "%-*s %9s %9s %10s  %-8s %9s %9s\n", width, "case",
		    "time", "floor", "% of peak", "bound by", "error",
		    "allowed");
	for (size_t i = 0; i < result->case_count; i++)
		add_case(out, result, &result->cases[i], width);
}

static void add_log(struct ao_buf *out, const char *title, const char *log)
{
	if (!log || !*log)
		return;
	ao_buf_addf(out, "\n%s\n", title);
	while (*log) {
		size_t len = strcspn(log, "\n");

		ao_buf_addf(out, "    %.*s\n", (int)len, log);
		log += len + (log[len] == '\n');
	}
}

/* What clang begins most with. */
static const char no_loop[] = "loop not vectorized";

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Whether it has no reason, and another remark on the same line may have. */
static bool is_bare(const struct ao_result *result, size_t at)
{
	const struct ao_remark *remark = &result->remarks[at];

	if (strcmp(remark->text, no_loop) != 0)
		return false;
	for (size_t i = 0; i < result->remark_count; i++)
		if (i != at && result->remarks[i].line == remark->line &&
		    is_same(result->remarks[i].file, remark->file))
			return true;
	return false;
}

static void add_remark(struct ao_buf *out, const struct ao_remark *remark)
{
	const char *text = remark->text;

	if (ao_text_starts_with(text, no_loop))
		text += strlen(no_loop);
	if (ao_text_starts_with(text, ": "))
		text += 2;
	ao_buf_addstr(out, "    ");
	if (remark->file)
		ao_buf_addf(out, "%s, ", remark->file);
	ao_buf_addf(out, "line %" PRIu32 ": %s\n", remark->line,
		    *text ? text : "no reason is given");
}

/* The remarks that are collected are about this alone: remarks.c. */
static void add_remarks(struct ao_buf *out, const struct ao_result *result)
{
	if (!result->remark_count)
		return;
	ao_buf_addstr(out, "\nloops that clang would not vectorise, and why\n");
	for (size_t i = 0; i < result->remark_count; i++)
		if (!is_bare(result, i))
			add_remark(out, &result->remarks[i]);
}

static void add_hotloop(struct ao_buf *out, const struct ao_hotloop *loop)
{
	struct ao_buf text = AO_BUF_INIT(MAX_HOTLOOP_BYTES);

	ao_hotloop_text(&text, loop);
	add_log(out, "where the time goes", text.ptr);
	ao_buf_release(&text);
}

static void add_counts(struct ao_buf *out, const struct ao_counts *counts)
{
	struct ao_buf text = AO_BUF_INIT(MAX_HOTLOOP_BYTES);

	ao_counts_text(&text, counts);
	add_log(out, "a call, counted by cachegrind", text.ptr);
	ao_buf_release(&text);
}

void ao_result_text(struct ao_buf *out, const struct ao_result *result)
{
	ao_buf_addstr(out, ao_verdict_name(result->verdict));
	if (result->detail && *result->detail)
		ao_buf_addf(out, ": %s", result->detail);
	ao_buf_addstr(out, "\n");
	if (result->case_count) {
		ao_buf_addstr(out, "\n");
		ao_cases_text(out, result);
	}
	if (result->hidden)
		ao_buf_addf(out, "\nalso checked at %s\n", result->hidden);
	if (result->flags)
		ao_buf_addf(out, "\nbuilt with %s\n", result->flags);
	add_hotloop(out, &result->hotloop);
	add_counts(out, &result->counts);
	add_remarks(out, result);
	add_log(out, "its output", result->log);
}

void ao_control_text(struct ao_buf *out, const struct ao_result *result)
{
	const struct ao_pair *control = &result->control;

	if (!control->case_name)
		return;
	ao_buf_addf(
		out, "%s: a kernel against itself: %s, x%.3f in %zu unit%s\n",
		control->case_name,
		ao_pair_tells_apart(control) ? "told apart" : "no difference",
		exp(control->log_gain), control->units,
		control->units == 1 ? "" : "s");
}

void ao_pairs_text(struct ao_buf *out, const struct ao_result *result,
		   const char *a, const char *b)
{
	for (size_t i = 0; i < result->pair_count; i++) {
		const struct ao_pair *pair = &result->pairs[i];

		ao_buf_addf(out, "%s: %s against %s: ", pair->case_name, b, a);
		switch (pair->decision) {
		case AO_DECISION_FASTER:
			ao_buf_addstr(out, "faster");
			break;
		case AO_DECISION_SLOWER:
			ao_buf_addstr(out, "slower");
			break;
		case AO_DECISION_TIE:
			ao_buf_addstr(out, "no difference");
			break;
		case AO_DECISION_VOID:
			ao_buf_addstr(out, "void, not timed\n");
			continue;
		case AO_DECISION_NONE:
		case AO_DECISION_COUNT:
		case AO_DECISION_UNDECIDED:
			ao_buf_addstr(out, "undecided");
			break;
		}
		ao_buf_addf(out,
			    ", x%.3f [%.3f..%.3f], evidence %.4g in %zu "
			    "units\n",
			    exp(pair->log_gain), exp(pair->log_low),
			    exp(pair->log_high), pair->evidence, pair->units);
	}
	ao_control_text(out, result);
}
