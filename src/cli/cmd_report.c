/* SPDX-License-Identifier: MIT */
/* cmd_report.c - git accelopt report: what searches came to. */
#include "util/base.h"

#include "collab/report.h"

#include "cli/candidate_json.h"
#include "cli/command.h"
#include "cli/gaps.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/tell.h"
#include "cli/which.h"

enum { MAX_TEXT_BYTES = 64 << 20 };

struct args {
	bool as_text;
	bool as_json;
};

static void report_json(const struct ao_history *history)
{
	for (size_t r = 0; r < history->run_count; r++) {
		const struct ao_history_run *run = &history->runs[r];

		for (size_t c = 0; c < run->candidate_count; c++) {
			struct ao_json *json = ao_json_new_object();

			ao_candidate_to_json(json, &run->candidates[c],
					     run->run.base_kernel);
			ao_tell_json(json);
		}
	}
}

static struct ao_error *report_text(const struct ao_history *history)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);
	struct ao_error *err;

	ao_report_text(&text, history);
	err = ao_buf_check(&text, "the report");
	if (!err)
		ao_tell(&text);
	ao_buf_release(&text);
	return err;
}

static struct ao_error *run(struct ao_repo *repo, const char *task,
			    const struct args *args)
{
	const struct ao_history_options wanted = {
		.task = task,
		.is_brief = args->as_json,
		.no_insights = args->as_json,
	};
	struct ao_history history;
	struct ao_error *err;

	err = ao_history_load(&history, repo, &wanted);
	if (err)
		return err;
	err = ao_which_task(repo, &history, task);
	if (err)
		goto out;
	if (!args->as_json)
		ao_pager_start(repo);
	ao_gaps_tell(repo, &history);
	if (args->as_json)
		report_json(&history);
	else
		err = report_text(&history);
out:
	ao_history_release(&history);
	return err;
}

struct ao_error *ao_cmd_report(int *status, const struct ao_command *self,
			       int argc, char **argv)
{
	struct args args = { 0 };
	const struct ao_option table[] = {
		AO_FLAG(0, "text", &args.as_text,
			"print a page of text (the default)"),
		AO_FLAG(0, "json", &args.as_json,
			"print JSON, an object a line for each candidate"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "[<task>]");
	if (!err && args.as_text && args.as_json)
		err = ao_error_new(AO_EUSAGE,
				   "--text and --json exclude each other");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = run(repo, options.argv[0], &args);
	ao_repo_free(repo);
	return err;
}
