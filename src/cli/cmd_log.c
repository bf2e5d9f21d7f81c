/* SPDX-License-Identifier: MIT */
/* cmd_log.c - git accelopt log: attempts as a graph of their lineage. */
#include "util/base.h"

#include <math.h>

#include "util/text.h"

#include "cli/candidate_json.h"
#include "cli/color.h"
#include "cli/command.h"
#include "cli/gain_text.h"
#include "cli/gaps.h"
#include "cli/graph.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/tell.h"
#include "cli/which.h"

enum { MAX_LOG_TEXT_BYTES = 64 << 20, ABBREV = 10 };

struct args {
	const char *run;
	uint32_t max_count; /* 0: all */
	bool only_best;
	bool only_passed;
	bool as_json;
};

/* Escape sequences, "" without colour. */
struct palette {
	struct ao_buf commit;
	struct ao_buf good;
	struct ao_buf bad;
	const char *reset;
};

/* What a log is written with. */
struct log {
	const struct args *args;
	struct palette palette;
	struct ao_buf text;
	uint32_t left; /* candidates that may still be shown */
};

static void init_palette(struct palette *out, bool is_on)
{
	*out = (struct palette){
		.commit = AO_BUF_INIT(64),
		.good = AO_BUF_INIT(64),
		.bad = AO_BUF_INIT(64),
		.reset = is_on ? ao_color_reset : "",
	};
	if (!is_on)
		return;
	ao_color_add(&out->commit, "color.diff.commit", "yellow");
	ao_color_add(&out->good, "color.diff.new", "green");
	ao_color_add(&out->bad, "color.diff.old", "red");
}

static void release_palette(struct palette *palette)
{
	ao_buf_release(&palette->commit);
	ao_buf_release(&palette->good);
	ao_buf_release(&palette->bad);
}

static void add_safe(struct ao_buf *out, const char *text)
{
	if (text)
		ao_text_safe(out, text, strlen(text));
}

/* Whether `commit` is the best or an ancestor of it. */
static bool *find_lineage(const struct ao_history_run *run)
{
	bool *is_in = ao_xcalloc(run->candidate_count, sizeof(*is_in));
	size_t count;
	size_t *steps = ao_history_lineage(&count, run, run->best);

	for (size_t i = 0; i < count; i++)
		is_in[steps[i]] = true;
	free(steps);
	return is_in;
}

static bool is_wanted(const struct args *args, const struct ao_candidate *c,
		      bool is_in_lineage)
{
	if (args->only_best && !is_in_lineage)
		return false;
	return !args->only_passed ||
	       ao_candidate_verdict(c) == AO_VERDICT_PASSED;
}

static void add_gains(struct ao_buf *out, const struct ao_history_run *run,
		      const struct ao_candidate *c)
{
	struct ao_gain gain;
	double over_parent = NAN;

	if (!ao_candidate_is_timed(c)) {
		ao_buf_addstr(out, "  not timed");
		return;
	}
	if (ao_candidate_gain_parent(&gain, c)) {
		over_parent = gain.log_gain;
		ao_buf_addstr(out, "  ");
		ao_gain_text(out, &gain);
		ao_buf_addstr(out, " over parent");
	}
	if (ao_candidate_gain_baseline(&gain, c, run->run.base_kernel)) {
		if (gain.log_gain == over_parent &&
		    !strcmp(c->parent, run->run.base)) {
			ao_buf_addstr(out, ", the baseline");
			return;
		}
		ao_buf_addstr(out, "  ");
		ao_gain_marked_text(out, &gain);
		ao_buf_addstr(out, " over baseline");
	}
}

static void add_percent(struct ao_buf *out, const struct ao_profile *profile)
{
	const struct ao_case_result *main = profile ? ao_result_main(
							      &profile->result)
						    : NULL;

	if (main && main->percent_of_peak > 0)
		ao_buf_addf(out, "  %.*f %% of peak",
			    main->percent_of_peak < 10 ? 1 : 0,
			    main->percent_of_peak);
}

static void add_candidate(struct log *log, const struct ao_history_run *run,
			  const struct ao_candidate *c)
{
	const struct palette *palette = &log->palette;
	enum ao_verdict verdict = ao_candidate_verdict(c);
	struct ao_buf *out = &log->text;
	bool has_passed = verdict == AO_VERDICT_PASSED;

	ao_buf_addf(out, "%s%.*s%s %" PRIu32 ".%" PRIu32 " ",
		    palette->commit.ptr, ABBREV, c->commit, palette->reset,
		    c->message.attempt.iteration, c->message.attempt.number);
	ao_buf_addf(out, "%s%s%s",
		    has_passed ? palette->good.ptr : palette->bad.ptr,
		    verdict ? ao_verdict_name(verdict) : "no profile",
		    palette->reset);
	if (!strcmp(c->commit, run->best))
		ao_buf_addstr(out, " (best)");
	if (has_passed) {
		add_gains(out, run, c);
		add_percent(out, ao_candidate_is_timed(c) ? c->profile : NULL);
	}
	ao_buf_addstr(out, "  ");
	add_safe(out, c->message.title);
	ao_buf_addstr(out, "\n");
}

static void add_header(struct ao_buf *out, const struct ao_history_run *run)
{
	const struct ao_candidate *best = NULL;
	struct ao_gain gain;

	for (size_t i = 0; i < run->candidate_count; i++)
		if (!strcmp(run->candidates[i].commit, run->best))
			best = &run->candidates[i];
	ao_buf_addstr(out, "task ");
	add_safe(out, run->run.task);
	ao_buf_addstr(out, ", run ");
	add_safe(out, run->run.id);
	if (run->is_remote)
		ao_buf_addstr(out, " of a remote");
	ao_buf_addf(out, ", %zu attempt%s", run->candidate_count,
		    run->candidate_count == 1 ? "" : "s");
	if (best &&
	    ao_candidate_gain_baseline(&gain, best, run->run.base_kernel)) {
		ao_buf_addstr(out, ", best ");
		ao_gain_marked_text(out, &gain);
	}
	ao_buf_addstr(out, "\n");
}

static void add_baseline(struct log *log, const struct ao_history_run *run)
{
	ao_buf_addf(&log->text, "%s%.*s%s baseline", log->palette.commit.ptr,
		    ABBREV, run->run.base, log->palette.reset);
	add_percent(&log->text, run->baseline);
	ao_buf_addstr(&log->text, "\n");
}

/* One run, newest attempt first, down to the baseline. */
static void add_run(struct log *log, const struct ao_history_run *run)
{
	struct ao_graph *graph = ao_graph_new();
	bool *is_in_lineage = find_lineage(run);

	add_header(&log->text, run);
	for (size_t i = run->candidate_count; i-- > 0 && log->left;) {
		const struct ao_candidate *c = &run->candidates[i];

		if (!is_wanted(log->args, c, is_in_lineage[i]))
			continue;
		log->left--;
		ao_graph_commit(graph, &log->text, c->commit, c->parent);
		add_candidate(log, run, c);
		ao_graph_join(graph, &log->text);
	}
	if (log->left) {
		ao_graph_commit(graph, &log->text, run->run.base, NULL);
		add_baseline(log, run);
	}
	free(is_in_lineage);
	ao_graph_free(graph);
}

static struct ao_error *log_text(const struct ao_history *history,
				 const struct args *args)
{
	struct log log = {
		.args = args,
		.text = AO_BUF_INIT(MAX_LOG_TEXT_BYTES),
		.left = args->max_count ? args->max_count : UINT32_MAX,
	};
	struct ao_error *err;

	init_palette(&log.palette, ao_color_is_on());
	for (size_t r = history->run_count; r-- > 0 && log.left;) {
		if (log.text.len)
			ao_buf_addstr(&log.text, "\n");
		add_run(&log, &history->runs[r]);
	}
	err = ao_buf_check(&log.text, "the log");
	if (!err)
		fwrite(log.text.ptr, 1, log.text.len, stdout);
	ao_buf_release(&log.text);
	release_palette(&log.palette);
	return err;
}

static void log_json(const struct ao_history *history, const struct args *args)
{
	uint32_t left = args->max_count ? args->max_count : UINT32_MAX;

	for (size_t r = history->run_count; r-- > 0;) {
		const struct ao_history_run *run = &history->runs[r];
		bool *is_in_lineage = find_lineage(run);

		for (size_t i = run->candidate_count; i-- > 0 && left;) {
			const struct ao_candidate *c = &run->candidates[i];
			struct ao_json *json;

			if (!is_wanted(args, c, is_in_lineage[i]))
				continue;
			left--;
			json = ao_json_new_object();
			ao_candidate_to_json(json, c, run->run.base_kernel);
			ao_tell_json(json);
		}
		free(is_in_lineage);
	}
}

static struct ao_error *no_such_run(const char *name)
{
	return ao_error_new(AO_ENOTFOUND,
			    "there is no run '%s'; 'git accelopt log' lists "
			    "them",
			    name);
}

/* Load what was asked for, the run by its whole id. */
static struct ao_error *load_exactly(struct ao_history *out,
				     struct ao_repo *repo, const char *task,
				     const char *run)
{
	const struct ao_history_options wanted = {
		.task = task,
		.run = run,
		.is_brief = true,
		.no_insights = true,
	};

	return ao_history_load(out, repo, &wanted);
}

/* The same where `name` may be the beginning of a run's id. */
static struct ao_error *load_run(struct ao_history *out, struct ao_repo *repo,
				 const char *task, const char *name)
{
	const struct ao_history_run *run = NULL;
	struct ao_history all;
	struct ao_error *err = load_exactly(out, repo, task, name);

	if (err || out->run_count)
		return err;
	ao_history_release(out);
	err = load_exactly(&all, repo, task, NULL);
	if (err)
		return err;
	if (*name)
		err = ao_which_run(&run, &all, name, false);
	if (!err)
		err = run ? load_exactly(out, repo, task, run->run.id)
			  : no_such_run(name);
	ao_history_release(&all);
	return err;
}

static struct ao_error *load(struct ao_history *out, struct ao_repo *repo,
			     const char *task, const char *run)
{
	struct ao_error *err;

	if (run)
		return load_run(out, repo, task, run);
	err = load_exactly(out, repo, task, NULL);
	if (err)
		return err;
	err = ao_which_task(repo, out, task);
	if (err)
		ao_history_release(out);
	return err;
}

static struct ao_error *run(struct ao_repo *repo, const char *task,
			    const struct args *args)
{
	struct ao_history history;
	struct ao_error *err = load(&history, repo, task, args->run);

	if (err)
		return err;
	if (!args->as_json)
		ao_pager_start(repo);
	ao_gaps_tell(repo, &history);
	if (args->as_json)
		log_json(&history, args);
	else
		err = log_text(&history, args);
	ao_history_release(&history);
	return err;
}

struct ao_error *ao_cmd_log(int *status, const struct ao_command *self,
			    int argc, char **argv)
{
	struct args args = { 0 };
	const struct ao_option table[] = {
		AO_STRING(0, "run", &args.run, NULL, "run",
			  "show this run alone"),
		AO_COUNT('n', "max-count", &args.max_count, 0, 1000000, NULL,
			 "n", "show at most <n> attempts; 0: all"),
		AO_FLAG(0, "best", &args.only_best,
			"show the winning lineage alone"),
		AO_FLAG(0, "passed", &args.only_passed,
			"leave out attempts that did not pass"),
		AO_FLAG(0, "json", &args.as_json,
			"print JSON, an object a line for each attempt"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "[<task>]");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = run(repo, options.argv[0], &args);
	ao_repo_free(repo);
	return err;
}
