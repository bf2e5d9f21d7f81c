/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/eval.h"
#include "evolve/open.h"
#include "evolve/population.h"
#include "evolve/settle.h"
#include "store/tasks.h"
#include "util/clock.h"
#include "util/crypto.h"
#include "util/version.h"

/* Put a new run into the history; takes over `run`. */
static void add_run(struct ao_search *search, struct ao_run *run)
{
	struct ao_history *history = &search->history;

	history->runs = ao_xrealloc(history->runs,
				    (history->run_count + 1) *
					    sizeof(*history->runs));
	search->self = &history->runs[history->run_count++];
	*search->self = (struct ao_history_run){ .run = *run };
	*run = (struct ao_run){ 0 };
}

static void copy_settings(struct ao_settings *out,
			  const struct ao_settings *from)
{
	*out = *from;
	out->planner = ao_xstrdup(from->planner);
	out->executor = ao_xstrdup(from->executor);
	out->summarizer = ao_xstrdup(from->summarizer);
}

AO_MUST_CHECK
static struct ao_error *load_history(struct ao_search *search)
{
	const struct ao_history_options all = { .task = NULL };
	struct ao_error *err = ao_history_load(&search->history, search->repo,
					       &all);

	return err ? ao_error_wrap(err, "cannot read the history") : NULL;
}

/* All but the journal: a run whose baseline does not pass is none. */
AO_MUST_CHECK
static struct ao_error *prepare_run(struct ao_search *search)
{
	const struct ao_evolve_options *options = search->options;
	const char *base = options->base ? options->base : "HEAD";
	struct ao_kernel kernel = { 0 };
	struct ao_run run = { .started_unix_ms = ao_clock_unix_ms() };
	const char *writer;
	struct ao_error *err;

	err = load_history(search);
	if (!err)
		err = ao_repo_writer(&writer, search->repo);
	if (!err)
		err = ao_repo_resolve(run.base, search->repo, base);
	if (!err)
		err = ao_tasks_load(&search->task, search->repo, run.base,
				    options->task);
	if (!err)
		err = ao_tasks_load_kernel(&kernel, search->repo, run.base,
					   search->task);
	if (err)
		goto out;

	run.task = ao_xstrdup(search->task->name);
	run.tool_version = ao_xstrdup(ao_version());
	memcpy(run.task_id, search->task->id, AO_ID_SIZE);
	memcpy(run.base_kernel, kernel.id, AO_ID_SIZE);
	ao_eval_id(run.evaluator);
	copy_settings(&run.settings, &options->settings);
	if (!run.settings.seed)
		run.settings.seed = ao_random_u64();
	ao_machine_copy(&run.machine, &search->machine);
	run.writer = ao_xstrdup(writer);
	ao_population_keep_kernel(search, run.base, &kernel);
	add_run(search, &run);
out:
	ao_kernel_release(&kernel);
	ao_run_release(&run);
	return err;
}

/* The limits that are given anew hold; all else is as the run began. */
static void take_limits(struct ao_settings *settings,
			const struct ao_settings *given)
{
	settings->max_evals = given->max_evals;
	settings->max_time_s = given->max_time_s;
	settings->iterations = given->iterations;
}

static void count_what_was_paid(struct ao_search *search)
{
	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		if (ao_candidate_is_paid(c))
			search->evals++;
		else if (ao_verdict_is_judged(ao_candidate_verdict(c)))
			search->reused++;
	}
}

static struct ao_history_run *find_run(struct ao_search *search, const char *id)
{
	for (size_t i = 0; i < search->history.run_count; i++) {
		struct ao_history_run *run = &search->history.runs[i];

		if (!run->is_remote && !strcmp(run->run.id, id))
			return run;
	}
	return NULL;
}

AO_MUST_CHECK
static struct ao_error *resume_run(struct ao_search *search)
{
	const char *id = search->options->resume;
	struct ao_run run = { 0 };
	struct ao_error *err;

	err = ao_journal_resume(&search->journal, &run, search->repo,
				search->options->task, id);
	/* Only now that the run is ours does nobody else add to it. */
	if (!err)
		err = load_history(search);
	if (err)
		goto out;
	search->self = find_run(search, id);
	if (!search->self) {
		err = ao_error_new(AO_ENOTFOUND, "run '%s' has just gone", id);
		goto out;
	}
	search->candidate_alloc = search->self->candidate_count;
	err = ao_tasks_load(&search->task, search->repo, run.base, run.task);
	if (err)
		goto out;
	take_limits(&search->self->run.settings, &search->options->settings);
	count_what_was_paid(search);
out:
	ao_run_release(&run);
	return err;
}

static void tell_opened(struct ao_search *search, enum ao_event_kind kind)
{
	struct ao_event event = { .kind = kind };

	ao_search_emit(search, &event);
	if (search->history.is_incomplete)
		ao_search_warn(search, "history is not complete here: %s",
			       search->history.incomplete_why);
	for (size_t i = 0; i < search->history.bad_notes.count; i++)
		ao_search_warn(search, "%s", search->history.bad_notes.v[i]);
}

struct ao_error *ao_open_run(struct ao_search *search)
{
	const struct ao_run *run;
	struct ao_error *err;

	err = search->options->resume ? resume_run(search)
				      : prepare_run(search);
	if (err)
		return err;

	run = &search->self->run;
	search->reuse = ao_reuse_new(&search->history, search->self,
				     &search->machine);
	ao_settle_recall(search);
	if (run->settings.max_time_s)
		search->deadline_ns = ao_clock_now_ns() +
				      run->settings.max_time_s * 1000000000ull;
	if (search->journal)
		tell_opened(search, AO_EVENT_RESUMED);
	return NULL;
}

struct ao_error *ao_open_journal(struct ao_search *search)
{
	struct ao_error *err = ao_journal_start(&search->journal, search->repo,
						&search->self->run,
						search->task);

	if (!err)
		tell_opened(search, AO_EVENT_STARTED);
	return err;
}
