/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/probe.h"
#include "evolve/ablate.h"
#include "evolve/baseline.h"
#include "evolve/evolve.h"
#include "evolve/iterate.h"
#include "evolve/learn.h"
#include "evolve/open.h"
#include "evolve/population.h"
#include "evolve/roles.h"
#include "evolve/settle.h"

/* One evaluation in this many is kept for the sweep of the numbers. */
enum { SWEEP_SHARE = 6 };

static void release_search(struct ao_search *search)
{
	ao_search_stop_judges(search);
	ao_roles_release(search);
	if (search->loop)
		ao_loop_remove(search->loop, search->flush_timer);
	ao_loop_free(search->loop);
	ao_journal_free(search->journal);
	ao_reuse_free(search->reuse);
	ao_memory_release(&search->memory);
	ao_history_release(&search->history);
	for (size_t i = 0; i < search->kernel_count; i++) {
		ao_kernel_release(&search->kernels[i]->kernel);
		free(search->kernels[i]);
	}
	free(search->kernels);
	ao_machine_release(&search->machine);
	ao_task_free(search->task);
	ao_error_free(search->failure);
}

/* Evaluations paid in the iterations before this one. */
static uint32_t evals_before(const struct ao_search *search)
{
	uint32_t in_this = 0;

	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		in_this += c->message.attempt.iteration == search->iteration &&
			   ao_candidate_is_paid(c);
	}
	return in_this < search->evals ? search->evals - in_this : 0;
}

/* Whether what is left of the budget is the sweep's share. */
static bool is_time_to_sweep(const struct ao_search *search)
{
	uint32_t most = search->self->run.settings.max_evals;

	return most && search->iteration &&
	       evals_before(search) + most / SWEEP_SHARE + search->evals_kept >=
		       most;
}

AO_MUST_CHECK
static struct ao_error *iterate(bool *is_done_out, struct ao_search *search)
{
	struct ao_event event = { .kind = AO_EVENT_ITERATION };
	bool is_sweep = is_time_to_sweep(search);
	uint32_t planned = 0;
	struct ao_error *err;

	ao_learn_remember(search);
	err = ao_iterate(&planned, search, is_sweep);
	if (!err && !planned && !ao_search_halt(search))
		err = ao_iterate(&planned, search, !is_sweep);
	if (err || ao_search_halt(search))
		return err;
	if (!planned) {
		*is_done_out = true;
		return NULL;
	}
	err = ao_settle_best(search);
	if (!err)
		err = ao_learn_lessons(search);
	if (!err)
		err = ao_search_flush(search);
	if (!err)
		ao_search_emit(search, &event);
	return err;
}

/* The iteration to begin or go on with. */
static uint32_t first_iteration(const struct ao_search *search)
{
	uint32_t last = 0;

	for (size_t i = 0; i < search->self->candidate_count; i++) {
		uint32_t at =
			search->self->candidates[i].message.attempt.iteration;

		if (at > last)
			last = at;
	}
	return last;
}

/* Whether steps were left out in this iteration: then it is over. */
static bool is_ablated(const struct ao_search *search)
{
	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		if (c->message.attempt.iteration == search->iteration &&
		    ao_candidate_drops(NULL, c))
			return true;
	}
	return false;
}

AO_MUST_CHECK
static struct ao_error *iterate_all(struct ao_search *search)
{
	const struct ao_settings *settings = &search->self->run.settings;
	struct ao_error *err = NULL;
	bool is_done = false;

	search->iteration = first_iteration(search);
	if (search->iteration)
		err = ao_settle_best(search);
	search->evals_kept = ao_ablate_share(search);
	while (!err && !is_done && search->iteration < settings->iterations &&
	       ao_search_evals_left(search) && !ao_search_halt(search)) {
		/* With a larger budget, a run goes on behind its end. */
		search->iteration += is_ablated(search);
		err = iterate(&is_done, search);
		search->evals_kept = ao_ablate_share(search);
		if (!is_done && !ao_search_halt(search))
			search->iteration++;
	}
	search->is_budget_spent = !ao_search_evals_left(search);
	search->evals_kept = 0;
	if (!err && !ao_search_halt(search))
		err = ao_ablate_best(search);
	return err;
}

/* Who is ahead while nobody was confirmed as best. */
static void name_leader(struct ao_evolve_summary *out,
			const struct ao_search *search)
{
	struct ao_member *members;
	size_t count = ao_population_rank(&members, search, UINT32_MAX);

	if (count && members[0].score > 0) {
		memcpy(out->leader, members[0].commit, AO_ID_SIZE);
		ao_gain_of_score(&out->gain, members[0].score,
				 members[0].variance);
	}
	free(members);
}

static void sum_up(struct ao_evolve_summary *out,
		   const struct ao_search *search)
{
	const struct ao_run *run = &search->self->run;

	*out = (struct ao_evolve_summary){
		.outcome = AO_OUTCOME_DONE,
		.gain = search->best_gain,
		.evals = search->evals,
	};
	if (ao_loop_interrupted(search->loop))
		out->outcome = AO_OUTCOME_INTERRUPTED;
	else if (search->is_out_of_time || search->is_budget_spent)
		out->outcome = AO_OUTCOME_BUDGET;
	if (run->id)
		snprintf(out->run, sizeof(out->run), "%s", run->id);
	if (strcmp(search->best, run->base) != 0)
		memcpy(out->best, search->best, AO_ID_SIZE);
	else
		name_leader(out, search);
}

static void emit_stopped(struct ao_search *search,
			 const struct ao_evolve_summary *summary)
{
	struct ao_event event = { .kind = AO_EVENT_STOPPED };

	switch (summary->outcome) {
	case AO_OUTCOME_INTERRUPTED:
		event.text = "interrupted";
		break;
	case AO_OUTCOME_BUDGET:
		event.text = search->is_out_of_time
				     ? "the time is spent"
				     : "the evaluations are spent";
		break;
	case AO_OUTCOME_DONE:
		event.text =
			search->iteration <
					search->self->run.settings.iterations
				? "nothing is left to try"
				: "all iterations are done";
		break;
	}
	ao_search_emit(search, &event);
}

/*
 * Those who scored over the best still challenge it, and the winner meets the
 * baseline, also when the time for attempts is over.
 */
AO_MUST_CHECK
static struct ao_error *end_run(struct ao_search *search)
{
	struct ao_error *err = NULL;

	search->is_out_of_time = ao_search_halt(search) == AO_HALT_TIME;
	search->deadline_ns = 0;
	if (!ao_search_halt(search)) {
		err = ao_search_start_judges(search);
		if (!err)
			err = ao_settle_best(search);
	}
	if (!err)
		err = ao_settle_final(search);
	return err;
}

AO_MUST_CHECK
static struct ao_error *run_search(struct ao_search *search)
{
	struct ao_error *err;

	search->loop = ao_loop_new();
	err = ao_probe_peaks(&search->machine);
	if (!err)
		err = ao_open_run(search);
	if (!err)
		err = ao_roles_fill(search);
	if (!err)
		err = ao_loop_catch_interrupt(search->loop);
	if (!err)
		err = ao_search_start_judges(search);
	if (!err && !search->self->baseline)
		err = ao_baseline_judge(search);
	if (!err && search->self->baseline)
		err = iterate_all(search);
	if (!err && search->journal)
		err = end_run(search);
	return err;
}

struct ao_error *ao_evolve(struct ao_evolve_summary *out, struct ao_repo *repo,
			   const struct ao_evolve_options *options)
{
	struct ao_search search = { .options = options, .repo = repo };
	struct ao_error *err = run_search(&search), *flush;

	if (err && search.journal) {
		/* What was finished before the failure is kept all the same. */
		flush = ao_journal_flush(search.journal);
		/* A failure to write says so already. */
		if (flush &&
		    strcmp(ao_error_message(flush), ao_error_message(err)) != 0)
			err = ao_error_wrap(err, "%s", ao_error_message(flush));
		ao_error_free(flush);
	}
	if (!err) {
		sum_up(out, &search);
		if (search.journal)
			emit_stopped(&search, out);
	}
	release_search(&search);
	/* A flush a second leaves many small packs. */
	ao_repo_maintain(repo);
	return err;
}
