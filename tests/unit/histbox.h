/* SPDX-License-Identifier: MIT */
/* histbox.h - runbox.h, and histories as text that can be compared. */
#ifndef AO_TESTS_HISTBOX_H
#define AO_TESTS_HISTBOX_H

#include "runbox.h"

#include "store/history.h"

static inline void hist_add_profile(struct ao_buf *out,
				    const struct ao_profile *profile)
{
	if (!profile) {
		ao_buf_addstr(out, "-");
		return;
	}
	ao_buf_addf(out, "%s %s %s %.17g %s", profile->head.id, profile->kernel,
		    ao_verdict_name(profile->result.verdict), profile->score,
		    profile->result.detail ? profile->result.detail : "-");
	for (size_t i = 0; i < profile->result.pair_count; i++) {
		const struct ao_pair *pair = &profile->result.pairs[i];

		ao_buf_addf(out, " [%s %s %.17g %.17g %.17g %.17g]",
			    pair->against, ao_decision_name(pair->decision),
			    pair->log_gain, pair->log_low, pair->log_high,
			    pair->evidence);
	}
	for (size_t i = 0; i < profile->result.case_count; i++)
		ao_buf_addf(out, " (%s %.17g)",
			    profile->result.cases[i].case_name,
			    profile->result.cases[i].percent_of_peak);
}

static inline void hist_add_candidate(struct ao_buf *out,
				      const struct ao_candidate *c)
{
	ao_buf_addf(out, "  %" PRIu32 ".%" PRIu32 " %s %s %s %" PRId64,
		    c->message.attempt.iteration, c->message.attempt.number,
		    c->commit, c->parent, c->kernel, c->time_unix_ms);
	ao_buf_addf(out, " '%s' %s %s %s\n    ", c->message.title,
		    c->message.agent, c->message.plan_id,
		    c->message.plan ? c->message.plan : "-");
	hist_add_profile(out, c->profile);
	ao_buf_addstr(out, "\n    ");
	if (c->plan)
		ao_buf_addf(out, "%s %s '%s' %s", c->plan->head.id, c->plan->id,
			    c->plan->title,
			    c->plan->move ? c->plan->move : "-");
	ao_buf_addstr(out, "\n");
}

/* All of a history as text; the caller frees it. */
static inline char *hist_text(const struct ao_history *history)
{
	struct ao_buf out = AO_BUF_INIT(64 << 20);

	for (size_t i = 0; i < history->run_count; i++) {
		const struct ao_history_run *run = &history->runs[i];

		ao_buf_addf(&out, "%s %s tip %s best %s%s\n  ", run->run.task,
			    run->run.id, run->tip, run->best,
			    run->is_remote ? " remote" : "");
		hist_add_profile(&out, run->baseline);
		ao_buf_addstr(&out, "\n");
		for (size_t c = 0; c < run->candidate_count; c++)
			hist_add_candidate(&out, &run->candidates[c]);
	}
	for (size_t i = 0; i < history->insight_count; i++)
		ao_buf_addf(&out, "insight %s '%s'\n",
			    history->insights[i].head.id,
			    history->insights[i].title);
	ao_buf_addf(&out, "%d %d %s\n", history->lacks_notes,
		    history->is_incomplete,
		    history->incomplete_why ? history->incomplete_why : "-");
	return ao_buf_take(&out);
}

/* Load the history of the repository that we are in; false if it fails. */
static inline bool hist_load(struct ao_history *out,
			     const struct ao_history_options *options)
{
	struct ao_repo *repo = NULL;
	bool is_good;

	*out = (struct ao_history){ 0 };
	if (!box_ok(ao_repo_open(&repo)))
		return false;
	is_good = box_ok(ao_history_load(out, repo, options));
	ao_repo_free(repo);
	return is_good;
}

static inline char *hist_read(const struct ao_history_options *options)
{
	struct ao_history history;
	char *text;

	if (!hist_load(&history, options))
		return ao_xstrdup("failed");
	text = hist_text(&history);
	ao_history_release(&history);
	return text;
}

#endif
