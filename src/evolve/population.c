/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "evolve/population.h"
#include "evolve/select.h"
#include "store/tasks.h"

const struct ao_candidate *ao_population_add(struct ao_search *search,
					     struct ao_candidate *candidate)
{
	struct ao_history_run *self = search->self;

	self->candidates = ao_grow(self->candidates, &search->candidate_alloc,
				   self->candidate_count + 1,
				   sizeof(*self->candidates));
	self->candidates[self->candidate_count] = *candidate;
	*candidate = (struct ao_candidate){ 0 };
	return &self->candidates[self->candidate_count++];
}

static struct ao_candidate *find(const struct ao_search *search,
				 const char *commit)
{
	for (size_t i = 0; i < search->self->candidate_count; i++)
		if (!strcmp(search->self->candidates[i].commit, commit))
			return &search->self->candidates[i];
	return NULL;
}

void ao_population_replace_profile(struct ao_search *search, const char *commit,
				   struct ao_profile *profile)
{
	struct ao_candidate *candidate = find(search, commit);
	struct ao_profile **at = candidate ? &candidate->profile
					   : &search->self->baseline;

	if (*at) {
		ao_profile_release(*at);
		free(*at);
	}
	*at = profile;
}

const struct ao_candidate *ao_population_twin(const struct ao_search *search,
					      const char *kernel)
{
	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		if (!strcmp(c->kernel, kernel) &&
		    ao_verdict_is_judged(ao_candidate_verdict(c)))
			return c;
	}
	return NULL;
}

static void member_of_base(struct ao_member *out,
			   const struct ao_search *search)
{
	const struct ao_run *run = &search->self->run;

	*out = (struct ao_member){ .score = 0.0 };
	memcpy(out->commit, run->base, AO_ID_SIZE);
	memcpy(out->kernel, run->base_kernel, AO_ID_SIZE);
	if (search->self->baseline)
		out->result = &search->self->baseline->result;
}

static bool member_of(struct ao_member *out, const struct ao_candidate *c)
{
	if (ao_candidate_verdict(c) != AO_VERDICT_PASSED ||
	    isnan(c->profile->score))
		return false;
	*out = (struct ao_member){
		.score = c->profile->score,
		.variance = c->profile->score_variance,
		.result = &c->profile->result,
	};
	memcpy(out->commit, c->commit, AO_ID_SIZE);
	memcpy(out->kernel, c->kernel, AO_ID_SIZE);
	return true;
}

bool ao_population_member(struct ao_member *out, const struct ao_search *search,
			  const char *commit)
{
	const struct ao_candidate *c;

	if (!strcmp(commit, search->self->run.base)) {
		member_of_base(out, search);
		return true;
	}
	c = find(search, commit);
	return c && member_of(out, c);
}

size_t ao_population_rank(struct ao_member **out,
			  const struct ao_search *search, uint32_t before)
{
	const struct ao_history_run *self = search->self;
	size_t most = self->candidate_count + 1, n = 0, count;
	struct ao_member *all = ao_xcalloc(most, sizeof(*all));
	struct ao_member *best = ao_xcalloc(most, sizeof(*best));
	struct ao_scored *scored = ao_xcalloc(most, sizeof(*scored));
	size_t *ranked = ao_xcalloc(most, sizeof(*ranked));

	member_of_base(&all[0], search);
	scored[n++] = (struct ao_scored){ "", "", all[0].kernel, 0.0 };
	for (size_t i = 0; i < self->candidate_count; i++) {
		const struct ao_candidate *c = &self->candidates[i];

		if (c->message.attempt.iteration >= before ||
		    !member_of(&all[n], c))
			continue;
		scored[n] = (struct ao_scored){ c->parent, c->message.plan_id,
						all[n].kernel, all[n].score };
		n++;
	}
	count = ao_select_rank(ranked, scored, n);
	for (size_t i = 0; i < count; i++)
		best[i] = all[ranked[i]];
	free(all);
	free(scored);
	free(ranked);
	*out = best;
	return count;
}

void ao_population_tried(struct ao_strs *out, const struct ao_search *search,
			 const char *commit, uint32_t before)
{
	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		if (c->plan && c->plan->move && !strcmp(c->parent, commit) &&
		    c->message.attempt.iteration < before)
			ao_strs_push(out, c->plan->move);
	}
}

static const struct ao_kernel *known_kernel(const struct ao_search *search,
					    const char *commit)
{
	for (size_t i = 0; i < search->kernel_count; i++)
		if (!strcmp(search->kernels[i]->commit, commit))
			return &search->kernels[i]->kernel;
	return NULL;
}

void ao_population_keep_kernel(struct ao_search *search, const char *commit,
			       const struct ao_kernel *kernel)
{
	struct ao_known_kernel *known;

	if (known_kernel(search, commit))
		return;
	search->kernels = ao_grow(search->kernels, &search->kernel_alloc,
				  search->kernel_count + 1,
				  sizeof(*search->kernels));
	known = ao_xcalloc(1, sizeof(*known));
	search->kernels[search->kernel_count++] = known;
	memcpy(known->commit, commit, AO_ID_SIZE);
	ao_kernel_copy(&known->kernel, kernel);
}

struct ao_error *ao_population_kernel(const struct ao_kernel **out,
				      struct ao_search *search,
				      const char *commit)
{
	struct ao_kernel kernel = { 0 };
	struct ao_error *err;

	*out = known_kernel(search, commit);
	if (*out)
		return NULL;
	err = ao_tasks_load_kernel(&kernel, search->repo, commit, search->task);
	if (err)
		return ao_error_wrap(err, "cannot read the kernel of '%s'",
				     commit);
	ao_population_keep_kernel(search, commit, &kernel);
	ao_kernel_release(&kernel);
	*out = known_kernel(search, commit);
	return NULL;
}

uint32_t ao_population_last_number(const struct ao_search *search,
				   uint32_t iteration)
{
	uint32_t last = 0;

	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_attempt *a =
			&search->self->candidates[i].message.attempt;

		if (a->iteration == iteration && a->number > last)
			last = a->number;
	}
	return last;
}
