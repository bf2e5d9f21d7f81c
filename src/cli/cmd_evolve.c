/* SPDX-License-Identifier: MIT */
/*
 * cmd_evolve.c - git accelopt evolve: search for faster kernels.
 *
 * The search itself is evolve/evolve.h; here are its options, what it would
 * do, what it is doing, and what it came to.
 */
#include "util/base.h"

#include <signal.h>

#include "store/author.h"
#include "store/tasks.h"

#include "cli/candidate_json.h"
#include "cli/command.h"
#include "cli/evolve_args.h"
#include "cli/gain_text.h"
#include "cli/hint.h"
#include "cli/run_search.h"
#include "cli/tell.h"

enum { MAX_TEXT_BYTES = 1 << 20 };

static void add_settings(struct ao_buf *out, struct ao_evolve_args *args)
{
	struct ao_option table[AO_SEARCH_OPTIONS];

	ao_search_options(table, &args->search);
	ao_buf_addstr(out, "\nsettings\n");
	for (size_t i = 0; i < AO_SEARCH_OPTIONS; i++) {
		char *value = ao_option_text(&table[i]);

		ao_buf_addf(out, "  %-20s %s\n", table[i].name,
			    value ? value : "-");
		free(value);
	}
}

static void add_refs(struct ao_buf *out, struct ao_repo *repo, const char *task)
{
	const char *writer = ao_repo_config(repo, "accelopt.writer");

	ao_buf_addf(out,
		    "\nit would write these refs and touch no other, nor HEAD, "
		    "index or work tree\n"
		    "  refs/heads/accelopt/%s/<run>/all\n"
		    "  refs/heads/accelopt/%s/<run>/best\n"
		    "  refs/notes/accelopt/%s/profile, plan, insight\n",
		    task, task, writer ? writer : "<writer>");
}

static void say_plan(struct ao_repo *repo, const struct ao_task *task,
		     const char *base, const struct ao_kernel *kernel,
		     struct ao_evolve_args *args)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);
	struct ao_strs cases = { 0 };

	ao_task_case_names(&cases, task, false);
	ao_buf_addf(&text,
		    "would %s task %s\n"
		    "  from commit          %s\n"
		    "  kernel               %s\n"
		    "  cases                %zu\n"
		    "  judges               %" PRIu32 "\n",
		    args->resume ? "go on with the search of" : "search",
		    task->name, base, kernel->id, cases.count, args->jobs);
	ao_strs_release(&cases);
	add_settings(&text, args);
	add_refs(&text, repo, task->name);
	ao_tell(&text);
}

static void say_plan_json(const struct ao_task *task, const char *base,
			  const struct ao_kernel *kernel,
			  struct ao_evolve_args *args)
{
	struct ao_option table[AO_SEARCH_OPTIONS];
	struct ao_json *json = ao_json_new_object();
	struct ao_json *settings = ao_json_new_object();

	ao_search_options(table, &args->search);
	ao_json_set_string(json, "event", "dry-run");
	ao_json_set_string(json, "task", task->name);
	ao_json_set_string(json, "base", base);
	ao_json_set_string(json, "kernel", kernel->id);
	for (size_t i = 0; i < AO_SEARCH_OPTIONS; i++) {
		char *value = ao_option_text(&table[i]);

		ao_json_set_string(settings, table[i].name, value);
		free(value);
	}
	ao_json_set(json, "settings", settings);
	ao_tell_json(json);
}

/* Whether the work tree has the task and kernel as they were committed. */
static bool is_as_committed(struct ao_repo *repo, const struct ao_task *task,
			    const struct ao_kernel *kernel)
{
	struct ao_kernel own_kernel = { 0 };
	struct ao_task *own = NULL;
	struct ao_error *err;
	bool is_same;

	err = ao_tasks_load(&own, repo, NULL, task->name);
	if (!err)
		err = ao_tasks_load_kernel(&own_kernel, repo, NULL, own);
	is_same = !err && !strcmp(own->id, task->id) &&
		  !strcmp(own_kernel.id, kernel->id);
	ao_error_free(err); /* what does not load differs */
	ao_kernel_release(&own_kernel);
	ao_task_free(own);
	return is_same;
}

/* What is only in the work tree plays no part: that is easily forgotten. */
static void warn_of_changes(struct ao_repo *repo, const struct ao_task *task,
			    const struct ao_kernel *kernel, const char *base)
{
	if (ao_repo_work_tree(repo) && !is_as_committed(repo, task, kernel))
		fprintf(stderr,
			"warning: tasks/%s in the work tree differs from "
			"commit %.10s; the search starts from the committed "
			"files\n",
			task->name, base);
}

/*
 * Load what the search would begin with: a misspelled task is answered before
 * the machine is measured.  What a resumed run began with is checked as it is
 * resumed.
 */
static struct ao_error *look_ahead(struct ao_repo *repo, const char *name,
				   struct ao_evolve_args *args)
{
	struct ao_kernel kernel = { 0 };
	struct ao_task *task = NULL;
	char base[AO_ID_SIZE];
	struct ao_error *err;

	err = ao_repo_resolve(base, repo, args->base ? args->base : "HEAD");
	if (!err)
		err = ao_tasks_load(&task, repo, base, name);
	if (!err)
		err = ao_tasks_load_kernel(&kernel, repo, base, task);
	/* Who names another commit knows that it is another. */
	if (!err && !args->base)
		warn_of_changes(repo, task, &kernel, base);
	if (!err && args->is_dry_run && args->as_json)
		say_plan_json(task, base, &kernel, args);
	else if (!err && args->is_dry_run)
		say_plan(repo, task, base, &kernel, args);
	ao_kernel_release(&kernel);
	ao_task_free(task);
	return err;
}

static const char *outcome_name(enum ao_outcome outcome)
{
	switch (outcome) {
	case AO_OUTCOME_DONE:
		return "done";
	case AO_OUTCOME_BUDGET:
		return "budget";
	case AO_OUTCOME_INTERRUPTED:
		break;
	}
	return "interrupted";
}

static void say_summary_json(const char *task,
			     const struct ao_evolve_summary *summary)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "event", "summary");
	ao_json_set_string(json, "task", task);
	ao_json_set_string(json, "run", *summary->run ? summary->run : NULL);
	ao_json_set_string(json, "outcome", outcome_name(summary->outcome));
	ao_json_set_string(json, "best", *summary->best ? summary->best : NULL);
	ao_json_set_string(json, "leader",
			   *summary->leader ? summary->leader : NULL);
	ao_gain_to_json(json, "gain", &summary->gain);
	ao_json_set_number(json, "evals", summary->evals);
	ao_tell_json(json);
}

static void say_summary(const char *task,
			const struct ao_evolve_summary *summary)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);

	ao_buf_addf(&text, "%s: ", task);
	if (*summary->best || *summary->leader) {
		ao_gain_text(&text, &summary->gain);
		ao_buf_addstr(&text, " over the baseline after");
	} else {
		ao_buf_addstr(&text, "nothing beat the baseline in");
	}
	ao_buf_addf(&text, " %" PRIu32 " evaluation%s%s\n  run    %s\n",
		    summary->evals, summary->evals == 1 ? "" : "s",
		    *summary->leader ? ", not confirmed yet" : "",
		    summary->run);
	if (*summary->leader)
		ao_buf_addf(&text, "  ahead  commit %.10s\n", summary->leader);
	if (*summary->best)
		ao_buf_addf(&text,
			    "  branch accelopt/%s/%s/best, commit %.10s\n",
			    task, summary->run, summary->best);
	ao_tell(&text);
}

static void advise(struct ao_repo *repo, const char *task,
		   const struct ao_evolve_summary *summary)
{
	if (summary->outcome == AO_OUTCOME_INTERRUPTED)
		ao_hint(repo, "go on: git accelopt evolve %s --resume=%s", task,
			summary->run);
	else if (*summary->best)
		ao_hint(repo,
			"look:  git accelopt log %s\n"
			"       git accelopt show %.10s\n"
			"       git log -p HEAD..accelopt/%s/%s/best\n"
			"take:  git merge accelopt/%s/%s/best",
			task, summary->best, task, summary->run, task,
			summary->run);
	else
		ao_hint(repo, "look:  git accelopt log %s", task);
}

static enum ao_progress_style style_of(const struct ao_evolve_args *args)
{
	if (args->as_json)
		return AO_PROGRESS_JSON;
	return args->is_quiet ? AO_PROGRESS_QUIET : AO_PROGRESS_AUTO;
}

static struct ao_error *search(int *status, struct ao_repo *repo,
			       const char *task,
			       const struct ao_evolve_args *args)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct ao_evolve_summary summary = { 0 };
	struct ao_error *err;

	/* A reader that goes away is told of by the write that fails. */
	if (args->as_json)
		sigaction(SIGPIPE, &ignore, NULL);
	err = ao_run_search(&summary, repo, task, args, style_of(args));
	if (err)
		return err;
	if (summary.outcome == AO_OUTCOME_INTERRUPTED)
		*status = AO_STATUS_INTERRUPTED;
	if (!*summary.run && !args->as_json) {
		fprintf(stderr,
			"%s: interrupted before the baseline was "
			"judged; no run was begun\n",
			task);
		return NULL;
	}
	if (args->as_json) {
		say_summary_json(task, &summary);
		return NULL;
	}
	say_summary(task, &summary);
	if (!args->is_quiet)
		advise(repo, task, &summary);
	return NULL;
}

struct ao_error *ao_cmd_evolve(int *status, const struct ao_command *self,
			       int argc, char **argv)
{
	struct ao_option table[AO_EVOLVE_OPTIONS];
	struct ao_evolve_args args;
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;
	const char *task;

	ao_evolve_args_init(&args);
	ao_evolve_options(table, &args);
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "<task>");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = ao_options_configure(&options, repo);
	if (!err)
		err = ao_policy_read(&args.policy, args.sandbox);
	if (!err)
		err = ao_author_check(repo);
	if (err)
		goto out;

	task = options.argv[0];
	ao_search_args_settle(&args.search);
	if (args.resume)
		err = ao_evolve_args_resume(&args, &options, repo, task);
	if (!err && (!args.resume || args.is_dry_run))
		err = look_ahead(repo, task, &args);
	if (!err && !args.is_dry_run)
		err = search(status, repo, task, &args);
out:
	ao_evolve_args_release(&args);
	ao_repo_free(repo);
	return err;
}
