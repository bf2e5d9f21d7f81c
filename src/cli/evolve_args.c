/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <unistd.h>

#include "cli/evolve_args.h"
#include "cli/which.h"

enum { MAX_JOBS = 64, USUAL_JOBS = 4 };

/*
 * Builds share the machine, timing has it alone: more judges than a few do not
 * make a search any quicker.
 */
static uint32_t usual_jobs(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	return cores < 1	    ? 1
	       : cores > USUAL_JOBS ? USUAL_JOBS
				    : (uint32_t)cores;
}

void ao_evolve_args_init(struct ao_evolve_args *args)
{
	*args = (struct ao_evolve_args){ .jobs = usual_jobs() };
	ao_search_args_init(&args->search);
}

void ao_evolve_args_release(struct ao_evolve_args *args)
{
	ao_search_args_release(&args->search);
	free(args->run);
}

void ao_evolve_options(struct ao_option table[AO_EVOLVE_OPTIONS],
		       struct ao_evolve_args *args)
{
	const struct ao_option rows[] = {
		AO_STRING(0, "base", &args->base, NULL, "commit",
			  "start from this commit's kernel, not HEAD's"),
		AO_MAYBE(0, "resume", &args->resume, "run",
			 "go on with a run, the newest unless named"),
		AO_COUNT('j', "jobs", &args->jobs, 1, MAX_JOBS, "accelopt.jobs",
			 "n", "keep <n> judges busy"),
		AO_STRING(0, "runner", &args->runner, "accelopt.runner",
			  "command", "run the judges behind <command>"),
		AO_STRING(0, "sandbox", &args->sandbox, "accelopt.sandbox",
			  "how", "require the sandbox, prefer it, or take any"),
		AO_FLAG(0, "dry-run", &args->is_dry_run,
			"say what would be done, do nothing"),
		AO_FLAG(0, "json", &args->as_json,
			"print JSON, an object for each event"),
		AO_FLAG('q', "quiet", &args->is_quiet, "show no progress"),
		AO_END,
	};

	_Static_assert(AO_ARRAY_SIZE(rows) + AO_SEARCH_OPTIONS ==
			       AO_EVOLVE_OPTIONS,
		       "a row is missing");
	ao_search_options(table, &args->search);
	memcpy(table + AO_SEARCH_OPTIONS, rows, sizeof(rows));
}

/* These make no difference to the candidates a run arrives at. */
static bool may_change(const char *name)
{
	static const char *const names[] = {
		"iterations", "max-evals", "max-time", "resume", "jobs",
		"runner",     "sandbox",   "dry-run",  "json",	 "quiet",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* The run that is meant, the newest if none is named; *out may be NULL. */
static struct ao_error *find_run(const struct ao_history_run **out,
				 const struct ao_history *history,
				 const char *name)
{
	*out = NULL;
	if (*name)
		return ao_which_run(out, history, name, true);
	for (size_t i = 0; i < history->run_count; i++)
		if (!history->runs[i].is_remote)
			*out = &history->runs[i];
	return NULL;
}

static void take_limits(struct ao_settings *settings,
			const struct ao_settings *of_run,
			const struct ao_options *options)
{
	if (!ao_options_given(options, "iterations"))
		settings->iterations = of_run->iterations;
	if (!ao_options_given(options, "max-evals"))
		settings->max_evals = of_run->max_evals;
	if (!ao_options_given(options, "max-time"))
		settings->max_time_s = of_run->max_time_s;
}

struct ao_error *ao_evolve_args_resume(struct ao_evolve_args *args,
				       const struct ao_options *options,
				       struct ao_repo *repo, const char *task)
{
	const struct ao_history_options wanted = { .task = task,
						   .is_brief = true,
						   .no_insights = true };
	struct ao_history history = { 0 };
	const struct ao_history_run *run = NULL;
	struct ao_error *err;

	for (const struct ao_option *o = options->table;
	     o->type != AO_OPTION_END; o++)
		if (ao_options_given(options, o->name) && !may_change(o->name))
			return ao_error_new(AO_EUSAGE,
					    "--%s cannot change with --resume: "
					    "a run keeps its settings",
					    o->name);
	err = ao_history_load(&history, repo, &wanted);
	if (err)
		return err;
	err = find_run(&run, &history, args->resume);
	if (run) {
		args->run = ao_xstrdup(run->run.id);
		take_limits(&args->search.settings, &run->run.settings,
			    options);
	} else if (!err) {
		err = ao_error_new(AO_ENOTFOUND,
				   "no run%s%s of task '%s' was started in "
				   "this clone",
				   *args->resume ? " " : "", args->resume,
				   task);
	}
	ao_history_release(&history);
	return err;
}
