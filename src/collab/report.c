/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>
#include <stdarg.h>

#include "collab/report.h"
#include "util/clock.h"
#include "util/limits.h"
#include "util/text.h"

enum {
	COLUMNS = 78,
	TITLE_COLUMNS = 66,
	SHORT_ID = 10,
	/* Escaped text takes up to four times the room. */
	MAX_LINE_BYTES = 4 * AO_MAX_PLAN_BYTES,
};

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

/* Append "label: text" and a newline, wrapped behind `indent`. */
AO_PRINTF(4, 5)
static void add_line(struct ao_buf *out, const char *indent, const char *label,
		     const char *fmt, ...)
{
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = ao_xvstrf(fmt, ap);
	va_end(ap);
	if (label)
		ao_buf_addf(&line, "%s: ", label);
	ao_text_safe(&line, text, strlen(text));
	ao_text_wrap(out, line.ptr, indent, COLUMNS);
	ao_buf_release(&line);
	free(text);
}

/* "x1.42 [1.38..1.46]", as a string that the caller frees. */
static char *gain_text(const struct ao_gain *gain)
{
	struct ao_buf out = AO_BUF_INIT(64);

	ao_gain_text(&out, gain);
	return ao_buf_take(&out);
}

/* "9.110 ms, 24 % of peak (fma)" of the main case; the caller frees it. */
static char *time_text(const struct ao_profile *profile)
{
	const struct ao_case_result *c = profile ? ao_result_main(
							   &profile->result)
						 : NULL;

	if (!c || !(c->median_ns > 0))
		return ao_xstrdup("not timed");
	if (!(c->percent_of_peak > 0))
		return ao_xstrf("%.3f ms", c->median_ns / 1e6);
	return ao_xstrf("%.3f ms, %.0f %% of peak (%s)", c->median_ns / 1e6,
			c->percent_of_peak, or_unknown(c->bound));
}

static void add_settings(struct ao_buf *out, const struct ao_settings *s)
{
	add_line(out, "  ", "agents", "planner %s, executor %s, summarizer %s",
		 or_unknown(s->planner), or_unknown(s->executor),
		 or_unknown(s->summarizer));
	add_line(out, "  ", "settings",
		 "beam %" PRIu32 ", plans %" PRIu32 ", samples %" PRIu32
		 ", at most %" PRIu32 " iterations, %" PRIu32
		 " repairs, insights %" PRIu32
		 " of x%g or x1/%g, memory %" PRIu32 ", seed %" PRIu64,
		 s->beam, s->plans, s->samples, s->iterations, s->fix_rounds,
		 s->insights, s->positive_threshold, s->negative_threshold,
		 s->memory, s->seed);
	if (s->max_evals)
		add_line(out, "  ", "limits", "%" PRIu32 " evaluations",
			 s->max_evals);
	if (s->max_time_s)
		add_line(out, "  ", "limits", "%" PRIu32 " seconds",
			 s->max_time_s);
}

static void add_head(struct ao_buf *out, const struct ao_history_run *run)
{
	const struct ao_machine *machine = &run->run.machine;
	char started[AO_TIME_SIZE];
	char *time = time_text(run->baseline);

	ao_clock_format(started, run->run.started_unix_ms);
	add_line(out, "", NULL, "Run %s%s", or_unknown(run->run.id),
		 run->is_remote ? ", of a remote" : "");
	add_line(out, "  ", "started", "%s by git accelopt %s, writer %s",
		 started, or_unknown(run->run.tool_version),
		 or_unknown(run->run.writer));
	if (run->run.origin)
		add_line(out, "  ", "goes on with", "run %s", run->run.origin);
	add_line(out, "  ", "machine",
		 "%s, %" PRIu32 " cores, %s, workers isolated by %s",
		 or_unknown(machine->cpu), machine->cores,
		 or_unknown(machine->compiler), or_unknown(machine->sandbox));
	add_settings(out, &run->run.settings);
	add_line(out, "  ", "baseline", "commit %.*s, %s", SHORT_ID,
		 run->run.base, time);
	free(time);
}

/* The plan's title, where there is one; else the commit's. */
static const char *title_of(const struct ao_candidate *candidate)
{
	if (candidate->plan && candidate->plan->title)
		return candidate->plan->title;
	return candidate->message.title ? candidate->message.title : "";
}

/* Append a title as one safe line. */
static void add_title(struct ao_buf *out, const char *title)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_LINE_BYTES);

	ao_text_safe(&safe, title, strcspn(title, "\n"));
	ao_text_cut(out, safe.ptr, TITLE_COLUMNS);
	ao_buf_addstr(out, "\n");
	ao_buf_release(&safe);
}

/*
 *     3.17   a0b1c2d3e4  x1.42 [1.38..1.46]   x3.02     58 %
 *            <title>
 */
static void add_step(struct ao_buf *out, const struct ao_history_run *run,
		     const struct ao_candidate *step)
{
	const struct ao_case_result *c =
		step->profile ? ao_result_main(&step->profile->result) : NULL;
	const struct ao_attempt *id = &step->message.attempt;
	struct ao_gain over_parent, over_baseline;
	bool has_percent = c && c->percent_of_peak > 0;
	bool has_baseline = ao_candidate_gain_baseline(&over_baseline, step,
						       run->run.base_kernel);
	char *attempt = ao_xstrf("%" PRIu32 ".%" PRIu32, id->iteration,
				 id->number);
	char *gain = ao_candidate_gain_parent(&over_parent, step)
			     ? gain_text(&over_parent)
			     : ao_xstrdup("not timed");

	/* No column is padded that is the last of its line. */
	ao_buf_addf(out, "    %-6s %.*s  %-*s", attempt, SHORT_ID, step->commit,
		    has_baseline || has_percent ? 20 : 0, gain);
	if (has_baseline)
		ao_buf_addf(out, " x%-*.2f", has_percent ? 8 : 0,
			    exp(over_baseline.log_gain));
	else if (has_percent)
		ao_buf_addf(out, "%10s", "");
	if (has_percent)
		ao_buf_addf(out, " %.0f %%", c->percent_of_peak);
	ao_buf_addstr(out, "\n           ");
	add_title(out, title_of(step));
	free(gain);
	free(attempt);
}

/* Whether an attempt is faster than the baseline as far as is known. */
static bool has_leader(const struct ao_history_run *run)
{
	for (size_t i = 0; i < run->candidate_count; i++) {
		struct ao_gain gain;

		if (ao_candidate_gain_baseline(&gain, &run->candidates[i],
					       run->run.base_kernel) &&
		    gain.log_low > 0)
			return true;
	}
	return false;
}

static void add_best(struct ao_buf *out, const struct ao_history_run *run,
		     const struct ao_candidate *best)
{
	struct ao_gain gain;
	char *text;

	if (!ao_candidate_gain_baseline(&gain, best, run->run.base_kernel)) {
		add_line(out, "  ", "best",
			 "its gain over the baseline is not known");
		return;
	}
	text = gain_text(&gain);
	add_line(out, "  ", "best", "%s over the baseline, %s", text,
		 gain.is_measured ? "measured against it"
				  : "by the steps of its lineage");
	free(text);
}

static void add_lineage(struct ao_buf *out, const struct ao_history_run *run)
{
	size_t count;
	size_t *steps = ao_history_lineage(&count, run, run->best);

	if (!count) {
		add_line(out, "  ", "best", "%s",
			 !*run->best ? "not chosen: the search has not ended"
			 : has_leader(run)
				 ? "the baseline: what is faster was not "
				   "confirmed, as the search was stopped"
				 : "the baseline: nothing was faster");
		free(steps);
		return;
	}
	add_best(out, run, &run->candidates[steps[0]]);
	ao_buf_addstr(out, "  lineage: step, commit, gain over the step before "
			   "[95 % interval] and over\n"
			   "  the baseline, of peak\n");
	for (size_t i = count; i-- > 0;)
		add_step(out, run, &run->candidates[steps[i]]);
	free(steps);
}

/* "57: 31 PASSED, 4 COMPILE_ERROR, ..." */
static void add_attempts(struct ao_buf *out, const struct ao_history_run *run)
{
	size_t by_verdict[AO_VERDICT_COUNT] = { 0 };
	size_t paid = 0, reused = 0;
	struct ao_buf list = AO_BUF_INIT(4096);

	for (size_t i = 0; i < run->candidate_count; i++) {
		const struct ao_candidate *candidate = &run->candidates[i];
		enum ao_verdict verdict = ao_candidate_verdict(candidate);

		by_verdict[verdict]++;
		if (ao_candidate_is_paid(candidate))
			paid++;
		else if (ao_verdict_is_judged(verdict))
			reused++;
	}
	for (size_t i = 1; i <= AO_VERDICT_COUNT; i++) {
		enum ao_verdict verdict = (enum ao_verdict)(i %
							    AO_VERDICT_COUNT);

		if (by_verdict[verdict])
			ao_buf_addf(&list, "%s%zu %s", list.len ? ", " : ": ",
				    by_verdict[verdict],
				    verdict == AO_VERDICT_NONE
					    ? "without a record"
					    : ao_verdict_name(verdict));
	}
	add_line(out, "  ", "attempts", "%zu%s", run->candidate_count,
		 list.ptr);
	add_line(out, "  ", "evaluations",
		 "%zu paid, %zu taken from earlier "
		 "ones",
		 paid, reused);
	ao_buf_release(&list);
}

/* Whether an insight was drawn in that run. */
static bool is_of_run(const struct ao_insight *insight,
		      const struct ao_history_run *run)
{
	return insight->run && run->run.id &&
	       !strcmp(insight->run, run->run.id) && insight->task &&
	       run->run.task && !strcmp(insight->task, run->run.task);
}

static void add_insights(struct ao_buf *out, const struct ao_history *history,
			 const struct ao_history_run *run)
{
	bool is_first = true;

	for (size_t i = 0; i < history->insight_count; i++) {
		const struct ao_insight *insight = &history->insights[i];

		if (!is_of_run(insight, run))
			continue;
		if (is_first)
			ao_buf_addstr(out, "  insights\n");
		is_first = false;
		if (isfinite(insight->log_gain))
			ao_buf_addf(out, "    x%-5.2f ",
				    exp(insight->log_gain));
		else
			ao_buf_addf(out, "    %-6s ", "");
		add_title(out, insight->title ? insight->title : "");
		if (insight->text && *insight->text)
			add_line(out, "           ", NULL, "%s", insight->text);
	}
}

static void add_run(struct ao_buf *out, const struct ao_history *history,
		    const struct ao_history_run *run)
{
	ao_buf_addstr(out, "\n");
	add_head(out, run);
	add_lineage(out, run);
	add_attempts(out, run);
	add_insights(out, history, run);
}

/* All runs of the task of run `first`, under a heading. */
static void add_task(struct ao_buf *out, const struct ao_history *history,
		     size_t first)
{
	const char *task = or_unknown(history->runs[first].run.task);
	size_t start;

	if (first)
		ao_buf_addstr(out, "\n\n");
	start = out->len;
	add_line(out, "", NULL, "%s", task);
	for (size_t n = out->len - start; n > 1; n--)
		ao_buf_addstr(out, "=");
	ao_buf_addstr(out, "\n");
	for (size_t i = first; i < history->run_count; i++)
		if (!strcmp(or_unknown(history->runs[i].run.task), task))
			add_run(out, history, &history->runs[i]);
}

static bool is_first_of_task(const struct ao_history *history, size_t run)
{
	const char *task = or_unknown(history->runs[run].run.task);

	for (size_t i = 0; i < run; i++)
		if (!strcmp(or_unknown(history->runs[i].run.task), task))
			return false;
	return true;
}

/* What the reader has to know before any figure. */
static void add_caveats(struct ao_buf *out, const struct ao_history *history)
{
	if (history->is_incomplete)
		add_line(out, "", "Not all of the history is here", "%s",
			 or_unknown(history->incomplete_why));
	if (history->lacks_notes)
		add_line(out, "", NULL,
			 "The notes of these runs are not here, so neither are "
			 "verdicts, gains and insights.");
	if (history->is_incomplete || history->lacks_notes)
		ao_buf_addstr(out, "\n");
}

void ao_report_text(struct ao_buf *out, const struct ao_history *history)
{
	add_caveats(out, history);
	if (!history->run_count)
		ao_buf_addstr(out, "No runs.\n");
	for (size_t i = 0; i < history->run_count; i++)
		if (is_first_of_task(history, i))
			add_task(out, history, i);
}
