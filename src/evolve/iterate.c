/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "evolve/attempt.h"
#include "evolve/iterate.h"

/* Who is planned for, and how. */
struct beam {
	struct ao_search *search;
	uint32_t width; /* members */
	uint32_t plans; /* for each */
	bool is_sweep;
};

/* What the planner said about one member of the beam. */
struct answer {
	struct ao_search *search;
	struct ao_member member;
	struct ao_plan *plans; /* [count] */
	size_t count;
	uint32_t *waiting; /* shared: answers still to come */
};

static void on_plans(void *data, const struct ao_plan *plans, size_t count,
		     struct ao_error *err)
{
	struct answer *answer = data;

	--*answer->waiting;
	if (err) {
		ao_search_fail(answer->search,
			       ao_error_wrap(err, "cannot plan"));
		return;
	}
	answer->plans = ao_xcalloc(count, sizeof(*answer->plans));
	for (size_t i = 0; i < count; i++)
		ao_plan_copy(&answer->plans[i], &plans[i]);
	answer->count = count;
}

static void release_answer(struct answer *answer)
{
	for (size_t i = 0; i < answer->count; i++)
		ao_plan_release(&answer->plans[i]);
	free(answer->plans);
}

AO_MUST_CHECK
static struct ao_error *ask(struct answer *answer, const struct beam *beam)
{
	struct ao_search *search = answer->search;
	struct ao_strs tried = { 0 };
	struct ao_rng rng;
	struct ao_plan_request request = {
		.task = search->task,
		.profile = answer->member.result,
		.machine = &search->machine,
		.memory = &search->memory,
		.tried = &tried,
		.count = beam->plans,
		.is_sweep = beam->is_sweep,
		.rng = &rng,
	};
	struct ao_error *err;

	err = ao_population_kernel(&request.kernel, search,
				   answer->member.commit);
	if (err)
		return err;
	ao_rng_seed_stream(&rng, search->self->run.settings.seed,
			   search->iteration);
	ao_population_tried(&tried, search, answer->member.commit,
			    search->iteration);
	++*answer->waiting;
	search->planner->ops->plan(search->planner, &request, on_plans, answer);
	ao_strs_release(&tried);
	return NULL;
}

static size_t count_fruitful(const struct answer *answers, size_t asked)
{
	size_t fruitful = 0;

	for (size_t i = 0; i < asked; i++)
		fruitful += answers[i].count > 0;
	return fruitful;
}

/*
 * Ask about the best members, and about the next best in place of those for
 * whom there is no idea left, until `width` have plans.
 */
AO_MUST_CHECK
static struct ao_error *plan(struct answer *answers, size_t *asked_out,
			     const struct ao_member *members, size_t count,
			     const struct beam *beam)
{
	struct ao_search *search = beam->search;
	uint32_t waiting = 0;
	struct ao_error *err;
	size_t fruitful = 0;

	*asked_out = 0;
	while (*asked_out < count && fruitful < beam->width) {
		size_t until = *asked_out + (beam->width - fruitful);

		for (; *asked_out < until && *asked_out < count; ++*asked_out) {
			struct answer *answer = &answers[*asked_out];

			answer->search = search;
			answer->member = members[*asked_out];
			answer->waiting = &waiting;
			err = ask(answer, beam);
			if (err)
				return err;
		}
		err = ao_search_wait(search, &waiting);
		if (err)
			return err;
		fruitful = count_fruitful(answers, *asked_out);
	}
	return NULL;
}

/* How many samples of a plan for a parent this iteration has in history. */
static uint32_t samples_done(const struct ao_search *search, const char *parent,
			     const char *plan_id)
{
	uint32_t done = 0;

	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		if (c->message.attempt.iteration == search->iteration &&
		    !strcmp(c->parent, parent) &&
		    !strcmp(c->message.plan_id, plan_id) &&
		    ao_candidate_verdict(c) != AO_VERDICT_INTERRUPTED)
			done++;
	}
	return done;
}

/*
 * Start what is not done yet: every member's first plan before anyone's
 * second, so that a budget that ends early was spent on the best ideas.
 */
static uint32_t start(struct ao_search *search, const struct answer *answers,
		      size_t asked)
{
	uint32_t samples = search->self->run.settings.samples;
	size_t most_plans = 0;
	uint32_t planned = 0;

	for (size_t a = 0; a < asked; a++)
		if (answers[a].count > most_plans)
			most_plans = answers[a].count;
	for (size_t p = 0; p < most_plans; p++) {
		for (size_t a = 0; a < asked; a++) {
			uint32_t done;

			if (p >= answers[a].count)
				continue;
			planned += samples;
			done = samples_done(search, answers[a].member.commit,
					    answers[a].plans[p].id);
			for (uint32_t k = done; k < samples; k++) {
				if (search->failure ||
				    !ao_search_evals_left(search))
					return planned;
				ao_attempt_start(search, &answers[a].member,
						 &answers[a].plans[p], k);
			}
		}
	}
	return planned;
}

AO_MUST_CHECK
static struct ao_error *carry_out(uint32_t *planned_out,
				  struct ao_search *search,
				  const struct answer *answers, size_t asked)
{
	struct ao_error *err;
	uint32_t planned;

	search->next_number = ao_population_last_number(search,
							search->iteration) +
			      1;
	planned = start(search, answers, asked);
	err = ao_attempt_await_all(search);
	if (!err)
		*planned_out = planned;
	return err;
}

struct ao_error *ao_iterate(uint32_t *planned_out, struct ao_search *search,
			    bool is_sweep)
{
	const struct ao_settings *settings = &search->self->run.settings;
	struct beam beam = {
		.search = search,
		.width = is_sweep ? 1 : settings->beam,
		.plans = settings->plans,
		.is_sweep = is_sweep,
	};
	struct ao_member *members;
	size_t count = ao_population_rank(&members, search, search->iteration);
	struct answer *answers = ao_xcalloc(count, sizeof(*answers));
	struct ao_error *err;
	size_t asked;

	/* What turns out to be known already costs nothing: ask for more. */
	if (is_sweep && ao_search_evals_left(search) < UINT32_MAX)
		beam.plans += ao_search_evals_left(search);
	err = plan(answers, &asked, members, count, &beam);
	if (!err)
		err = carry_out(planned_out, search, answers, asked);
	if (!err)
		err = ao_search_flush(search);

	for (size_t i = 0; i < asked; i++)
		release_answer(&answers[i]);
	free(answers);
	free(members);
	return err;
}
