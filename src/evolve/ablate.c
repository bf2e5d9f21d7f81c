/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "agents/catalog.h"
#include "evolve/ablate.h"
#include "evolve/attempt.h"
#include "evolve/settle.h"
#include "store/tasks.h"

/* One evaluation in so many is kept for it, up to a few. */
enum { ABLATION_SHARE = 12, MAX_SHARE = 5 };

static const char agent_name[] = "ablation";

/* A step of the best kernel's lineage, and what it gained over its parent. */
struct step {
	size_t index; /* of the run's candidates */
	double log_gain;
};

static int by_gain(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->log_gain != y->log_gain)
		return x->log_gain < y->log_gain ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* The steps that may be left out, the least gainful first. */
static struct step *find_steps(size_t *count_out,
			       const struct ao_search *search)
{
	const struct ao_history_run *self = search->self;
	size_t count, n = 0;
	size_t *lineage = ao_history_lineage(&count, self, search->best);
	struct step *steps = ao_xcalloc(count + 1, sizeof(*steps));

	for (size_t i = 0; i < count; i++) {
		const struct ao_candidate *c = &self->candidates[lineage[i]];
		struct ao_gain gain;

		if (ao_history_keeps(self, lineage, i) &&
		    ao_candidate_gain_parent(&gain, c))
			steps[n++] = (struct step){ lineage[i], gain.log_gain };
	}
	free(lineage);
	if (n)
		qsort(steps, n, sizeof(*steps), by_gain);
	*count_out = n;
	return steps;
}

uint32_t ao_ablate_share(const struct ao_search *search)
{
	uint32_t share = search->self->run.settings.max_evals / ABLATION_SHARE;
	size_t count;

	free(find_steps(&count, search));
	/* Without its only step it would be the baseline. */
	if (count < 2)
		return 0;
	if (share > MAX_SHARE)
		share = MAX_SHARE;
	return share < count ? share : (uint32_t)count;
}

static void make_plan(struct ao_plan *out, const struct ao_candidate *step,
		      const char *kernel)
{
	const struct ao_attempt *id = &step->message.attempt;

	*out = (struct ao_plan){
		.title = ao_xstrf("drop: %s", step->message.title),
		.text = ao_xstrf("Leave out what attempt %" PRIu32 ".%" PRIu32
				 " changed, \"%s\", and keep all else: what is "
				 "as fast without it does not need it.",
				 id->iteration, id->number,
				 step->message.title),
		.agent = ao_xstrdup(agent_name),
		.move = ao_xstrf(AO_MOVE_DROP " %" PRIu32 ".%" PRIu32,
				 id->iteration, id->number),
	};
	ao_plan_identify(out, kernel);
}

/* A kernel being written again, plan after plan. */
struct replay {
	struct ao_kernel kernel;
	bool applies; /* each plan so far */
};

static void on_written(void *data, const struct ao_kernel *kernel,
		       enum ao_verdict verdict, const char *detail,
		       struct ao_error *err)
{
	struct replay *replay = data;

	(void)verdict;
	(void)detail;
	ao_error_free(err);
	replay->applies = kernel != NULL;
	if (!kernel)
		return;
	ao_kernel_release(&replay->kernel);
	ao_kernel_copy(&replay->kernel, kernel);
}

/* Carry out the plan of a step once more, if it is one of the catalogue's. */
static void repeat(struct replay *replay, const struct ao_search *search,
		   struct ao_agent *catalog, const struct ao_candidate *step)
{
	struct ao_kernel kernel = { 0 };
	struct ao_write_request request = {
		.task = search->task,
		.kernel = &kernel,
		.machine = &search->machine,
		.plan = step->plan,
	};

	if (!step->plan || !step->plan->agent ||
	    strcmp(step->plan->agent, catalog->name) != 0) {
		replay->applies = false;
		return;
	}
	ao_kernel_copy(&kernel, &replay->kernel);
	ao_tasks_kernel_id(&kernel);
	catalog->ops->write(catalog, &request, on_written, replay);
	ao_kernel_release(&kernel);
}

/* Write the best kernel again, from what the step began with, without it. */
AO_MUST_CHECK
static struct ao_error *leave_out(struct replay *out, struct ao_search *search,
				  size_t step)
{
	const struct ao_history_run *self = search->self;
	struct ao_agent *catalog = ao_catalog_new();
	const struct ao_kernel *before;
	struct ao_error *err;
	size_t count, at = 0;
	size_t *lineage = ao_history_lineage(&count, self, search->best);

	*out = (struct replay){ .applies = true };
	err = ao_population_kernel(&before, search,
				   self->candidates[step].parent);
	if (!err)
		ao_kernel_copy(&out->kernel, before);
	while (at < count && lineage[at] != step)
		at++;
	while (!err && at-- > 0 && out->applies)
		if (ao_history_keeps(self, lineage, at))
			repeat(out, search, catalog,
			       &self->candidates[lineage[at]]);
	if (!err)
		ao_tasks_kernel_id(&out->kernel);
	catalog->ops->free(catalog);
	free(lineage);
	return err;
}

/* Whether a kernel is one that was judged already. */
static bool is_known(const struct ao_search *search, const char *kernel)
{
	return !strcmp(kernel, search->self->run.base_kernel) ||
	       ao_population_twin(search, kernel);
}

/* Make the attempt and wait until it is in history. */
AO_MUST_CHECK
static struct ao_error *attempt(struct ao_search *search,
				const struct ao_candidate *step,
				const struct ao_kernel *kernel)
{
	struct ao_member best;
	struct ao_plan plan;

	if (!ao_population_member(&best, search, search->best))
		return NULL;
	make_plan(&plan, step, best.kernel);
	search->next_number = ao_population_last_number(search,
							search->iteration) +
			      1;
	ao_attempt_start_written(search, &best, &plan, kernel);
	ao_plan_release(&plan);
	return ao_attempt_await_all(search);
}

/* Whether screening leaves open that it is as fast as its parent. */
static bool may_replace(const struct ao_candidate *candidate)
{
	const struct ao_pair *pair;

	if (!candidate || ao_candidate_verdict(candidate) != AO_VERDICT_PASSED)
		return false;
	pair = ao_result_main_pair(&candidate->profile->result);
	return pair && pair->decision != AO_DECISION_SLOWER &&
	       pair->decision != AO_DECISION_VOID && pair->log_high >= 0;
}

/* Leave one step out; if that is as fast, it is the new best. */
AO_MUST_CHECK
static struct ao_error *try_without(struct ao_search *search, size_t index)
{
	const struct ao_candidate *without = NULL;
	struct replay replay;
	struct ao_error *err = leave_out(&replay, search, index);

	if (!err && replay.applies && !is_known(search, replay.kernel.id)) {
		err = attempt(search, &search->self->candidates[index],
			      &replay.kernel);
		if (!err)
			without = ao_population_twin(search, replay.kernel.id);
		if (may_replace(without))
			err = ao_settle_challenge(search, without->commit);
	}
	ao_kernel_release(&replay.kernel);
	return err;
}

struct ao_error *ao_ablate_best(struct ao_search *search)
{
	struct ao_error *err = NULL;
	size_t count;
	struct step *steps = find_steps(&count, search);

	for (size_t i = 0; i < count && !err && ao_search_evals_left(search) &&
			   !ao_search_halt(search);
	     i++)
		err = try_without(search, steps[i].index);
	free(steps);
	return err;
}
