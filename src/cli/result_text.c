/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "util/text.h"

#include "cli/result_text.h"
#include "cli/units.h"

void ao_cases_text(struct ao_buf *out, const struct ao_result *result)
{
	ao_buf_addf(out, "%-10s %9s %9s %7s  %-8s %9s %9s\n", "case", "time",
		    "floor", "of peak", "bound by", "error", "allowed");
	for (size_t i = 0; i < result->case_count; i++) {
		const struct ao_case_result *c = &result->cases[i];
		char time[AO_UNITS_SIZE], floor[AO_UNITS_SIZE];

		ao_units_time(time, c->median_ns);
		ao_units_time(floor, c->floor_ns);
		ao_buf_addf(out, "%-10s %9s %9s %5.1f %%  %-8s %9.2g %9.2g\n",
			    c->case_name, time, floor, c->percent_of_peak,
			    c->bound ? c->bound : "-", c->error, c->limit);
	}
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
	if (result->flags)
		ao_buf_addf(out, "\nbuilt with %s\n", result->flags);
	if (result->remark_count)
		ao_buf_addstr(out, "\nthe compiler remarks\n");
	for (size_t i = 0; i < result->remark_count; i++)
		ao_buf_addf(out, "    line %" PRIu32 ": %s\n",
			    result->remarks[i].line, result->remarks[i].text);
	add_log(out, "its output", result->log);
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
		case AO_DECISION_NONE:
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
}
