/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "util/clock.h"
#include "util/text.h"

#include "cli/candidate_text.h"
#include "cli/gain_text.h"
#include "cli/result_text.h"

enum {
	COLUMNS = 78,
	SHORT_ID = 10,
};

/* What all lines of a candidate need. */
struct view {
	const struct ao_history *history;
	const struct ao_history_run *run;
	const struct ao_candidate *candidate;
	const struct ao_candidate *parent; /* NULL: the baseline */
};

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

const struct ao_profile *ao_parent_profile(const struct ao_history *history,
					   const struct ao_history_run *run,
					   const struct ao_candidate *candidate)
{
	const struct ao_candidate *parent;

	parent = ao_history_find(history, candidate->parent, NULL);
	if (parent)
		return parent->profile;
	return strcmp(candidate->parent, run->run.base) ? NULL : run->baseline;
}

bool ao_is_about(const struct ao_insight *insight,
		 const struct ao_candidate *candidate)
{
	return !strcmp(insight->fast, candidate->commit) ||
	       !strcmp(insight->slow, candidate->commit);
}

static void add_parent(struct ao_buf *out, const struct view *view)
{
	const struct ao_candidate *parent = view->parent;
	const char *commit = view->candidate->parent;

	ao_buf_addf(out, "parent   %s", commit);
	if (parent)
		ao_buf_addf(out, ", attempt %" PRIu32 ".%" PRIu32,
			    parent->message.attempt.iteration,
			    parent->message.attempt.number);
	else if (!strcmp(commit, view->run->run.base))
		ao_buf_addstr(out, ", the baseline");
	ao_buf_addstr(out, "\n");
}

static void add_head(struct ao_buf *out, const struct view *view)
{
	const struct ao_candidate *candidate = view->candidate;
	const struct ao_message *message = &candidate->message;
	char time[AO_TIME_SIZE];

	ao_clock_format(time, candidate->time_unix_ms);
	ao_buf_addf(out, "commit   %s\n", candidate->commit);
	add_parent(out, view);
	ao_buf_addf(out,
		    "attempt  %s/%" PRIu32 ".%" PRIu32 " of task %s, %s\n"
		    "agent    %s, plan %s\n",
		    or_unknown(message->run), message->attempt.iteration,
		    message->attempt.number, or_unknown(message->task), time,
		    or_unknown(message->agent), or_unknown(message->plan_id));
}

static void add_gains(struct ao_buf *out, const struct view *view)
{
	const struct ao_candidate *candidate = view->candidate;
	struct ao_gain gain;

	if (ao_candidate_gain_parent(&gain, candidate)) {
		ao_buf_addstr(out, "gain     ");
		ao_gain_text(out, &gain);
		ao_buf_addstr(out, " over its parent\n");
	}
	if (ao_candidate_gain_baseline(&gain, candidate,
				       view->run->run.base_kernel)) {
		ao_buf_addstr(out, "         ");
		ao_gain_text(out, &gain);
		ao_buf_addf(out, " over the baseline, %s\n",
			    gain.is_measured ? "measured against it"
					     : "by the steps of its lineage");
	}
}

static void add_plan(struct ao_buf *out, const struct view *view)
{
	const struct ao_plan *plan = view->candidate->plan;
	const struct ao_message *message = &view->candidate->message;
	const char *title = plan && plan->title ? plan->title : message->title;
	const char *text = plan && plan->text ? plan->text : message->plan;

	ao_buf_addstr(out, "\nPlan\n");
	if (title)
		ao_text_wrap(out, title, "    ", COLUMNS);
	if (text && *text) {
		ao_buf_addstr(out, "\n");
		ao_text_wrap(out, text, "    ", COLUMNS);
	}
	if (!plan)
		return;
	if (plan->move)
		ao_buf_addf(out, "\n    move %s at %s\n", plan->move,
			    or_unknown(plan->features));
	if (plan->insights.count)
		ao_buf_addstr(out, "\n    its agent was shown the insights\n");
	for (size_t i = 0; i < plan->insights.count; i++)
		ao_buf_addf(out, "        %s\n", plan->insights.v[i]);
}

/* Whose kernel a pair was timed against. */
static char *opponent_of(const struct view *view, const struct ao_pair *pair)
{
	bool is_base = !strcmp(pair->against, view->run->run.base_kernel);

	if (view->parent && !strcmp(pair->against, view->parent->kernel))
		return ao_xstrdup("its parent");
	if (is_base && !view->parent)
		return ao_xstrdup("its parent, the baseline");
	if (is_base)
		return ao_xstrdup("the baseline");
	return ao_xstrf("kernel %.*s", SHORT_ID, pair->against);
}

/* Which timing of the same two kernels it was, where there are several. */
static const char *timing_of(const struct ao_result *result, size_t at)
{
	const struct ao_pair *pair = &result->pairs[at];

	for (size_t i = 0; i < at; i++)
		if (!strcmp(result->pairs[i].against, pair->against) &&
		    !strcmp(or_unknown(result->pairs[i].case_name),
			    or_unknown(pair->case_name)))
			return ", timed again";
	return !at && result->pair_count > 1 ? ", screening" : "";
}

static void add_pair(struct ao_buf *out, const struct view *view,
		     const struct ao_pair *pair, const char *timing)
{
	const struct ao_gain gain = { pair->log_gain, pair->log_low,
				      pair->log_high, true };
	char *opponent = opponent_of(view, pair);

	ao_buf_addf(out, "    %s, against %s%s: ", or_unknown(pair->case_name),
		    opponent, timing);
	ao_gain_text(out, &gain);
	ao_buf_addf(out,
		    ", %s\n        e-value %.4g in %zu unit%s, %.1f %% of the "
		    "time taken by others\n",
		    ao_decision_name(pair->decision), pair->evidence,
		    pair->units, pair->units == 1 ? "" : "s",
		    100 * pair->gap_fraction);
	free(opponent);
}

static void add_evidence(struct ao_buf *out, const struct view *view)
{
	const struct ao_result *result = &view->candidate->profile->result;

	if (!result->pair_count)
		return;
	ao_buf_addstr(out, "\nEvidence\n");
	for (size_t i = 0; i < result->pair_count; i++)
		add_pair(out, view, &result->pairs[i], timing_of(result, i));
	if (result->control.case_name)
		ao_buf_addstr(out, "    ");
	ao_control_text(out, result);
	if (result->is_reused)
		ao_buf_addstr(out, "    taken from an earlier record of the "
				   "same pair\n");
}

/* Times of two sessions must not be compared: the reader is told. */
static void add_profiles(struct ao_buf *out, const struct view *view)
{
	const struct ao_profile *before;

	before = ao_parent_profile(view->history, view->run, view->candidate);
	ao_buf_addstr(out,
		      "\nProfile before: its parent, of another session\n");
	if (before && before->result.case_count)
		ao_cases_text(out, &before->result);
	else
		ao_buf_addstr(out, "    not known\n");
	ao_buf_addstr(out, "\nProfile after: ");
	ao_result_text(out, &view->candidate->profile->result);
}

static void add_insights(struct ao_buf *out, const struct view *view)
{
	bool is_first = true;

	for (size_t i = 0; i < view->history->insight_count; i++) {
		const struct ao_insight *insight = &view->history->insights[i];

		if (!ao_is_about(insight, view->candidate))
			continue;
		if (is_first)
			ao_buf_addstr(out, "\nInsights drawn from it\n");
		is_first = false;
		ao_insight_text(out, insight);
	}
}

void ao_candidate_text(struct ao_buf *out, const struct ao_history *history,
		       const struct ao_history_run *run,
		       const struct ao_candidate *candidate)
{
	const struct view view = {
		history,
		run,
		candidate,
		ao_history_find(history, candidate->parent, NULL),
	};
	const char *verdict = ao_verdict_name(ao_candidate_verdict(candidate));

	add_head(out, &view);
	ao_buf_addf(out, "verdict  %s\n", or_unknown(verdict));
	add_gains(out, &view);
	add_plan(out, &view);
	if (candidate->profile) {
		add_evidence(out, &view);
		add_profiles(out, &view);
	}
	add_insights(out, &view);
}
