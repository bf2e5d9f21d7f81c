/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "evolve/learn.h"
#include "evolve/population.h"
#include "evolve/select.h"
#include "store/memory.h"

/* A lesson that the summarizer is asked about. */
struct lesson {
	struct ao_search *search;
	const struct ao_candidate *child; /* borrowed from the history */
	bool is_positive;
	uint32_t rank;
	uint32_t *waiting;
};

void ao_learn_remember(struct ao_search *search)
{
	struct ao_history_run *self = search->self;
	const struct ao_memory_options options = {
		.task = search->self->run.task,
		.capacity = search->self->run.settings.memory,
	};
	size_t all = self->candidate_count, before = 0;

	/*
	 * Attempts are in the order of iterations: hide those of this one, so
	 * that a run that is resumed in its middle plans as it did at first.
	 */
	while (before < all &&
	       self->candidates[before].message.attempt.iteration <
		       search->iteration)
		before++;
	self->candidate_count = before;
	ao_memory_release(&search->memory);
	ao_memory_rebuild(&search->memory, &search->history, &options);
	self->candidate_count = all;
}

static bool is_learned(const struct ao_search *search)
{
	for (size_t i = 0; i < search->history.insight_count; i++) {
		const struct ao_insight *insight = &search->history.insights[i];

		if (insight->run && insight->iteration == search->iteration &&
		    !strcmp(insight->run, search->self->run.id))
			return true;
	}
	return false;
}

/* NAN where none was measured, or it may as well be nothing. */
static double gain_over_parent(const struct ao_candidate *c)
{
	struct ao_gain gain;

	if (ao_candidate_verdict(c) != AO_VERDICT_PASSED ||
	    !ao_candidate_gain_parent(&gain, c) ||
	    (gain.log_low <= 0 && gain.log_high >= 0))
		return NAN;
	return gain.log_gain;
}

/* Complete what the summarizer wrote, and store it. */
AO_MUST_CHECK
static struct ao_error *keep(struct lesson *lesson,
			     const struct ao_insight *said)
{
	struct ao_search *search = lesson->search;
	struct ao_history *history = &search->history;
	const struct ao_candidate *child = lesson->child;
	struct ao_event event = { .kind = AO_EVENT_INSIGHT };
	struct ao_gain gain = { .log_gain = 0.0 };
	struct ao_insight insight;
	struct ao_error *err;

	ao_insight_copy(&insight, said);
	ao_record_head_init(&insight.head);
	free(insight.task);
	insight.task = ao_xstrdup(search->self->run.task);
	free(insight.run);
	insight.run = ao_xstrdup(search->self->run.id);
	free(insight.agent);
	insight.agent = ao_xstrdup(search->summarizer->name);
	insight.iteration = search->iteration;
	insight.rank = lesson->rank;
	ao_candidate_gain_parent(&gain, child);
	if (lesson->is_positive) {
		memcpy(insight.slow, child->parent, AO_ID_SIZE);
		memcpy(insight.fast, child->commit, AO_ID_SIZE);
		insight.log_gain = gain.log_gain;
		insight.log_low = gain.log_low;
		insight.log_high = gain.log_high;
	} else {
		memcpy(insight.slow, child->commit, AO_ID_SIZE);
		memcpy(insight.fast, child->parent, AO_ID_SIZE);
		insight.log_gain = -gain.log_gain;
		insight.log_low = -gain.log_high;
		insight.log_high = -gain.log_low;
	}

	err = ao_journal_add_insight(search->journal, &insight);
	if (err) {
		ao_insight_release(&insight);
		return ao_error_wrap(err, "cannot store an insight");
	}
	history->insights = ao_xrealloc(history->insights,
					(history->insight_count + 1) *
						sizeof(insight));
	history->insights[history->insight_count++] = insight;
	event.insight = &history->insights[history->insight_count - 1];
	ao_search_touch(search);
	ao_search_emit(search, &event);
	return NULL;
}

static void on_insight(void *data, const struct ao_insight *insight,
		       struct ao_error *err)
{
	struct lesson *lesson = data;

	--*lesson->waiting;
	if (!err && insight)
		err = keep(lesson, insight);
	ao_search_fail(lesson->search, err);
}

AO_MUST_CHECK
static struct ao_error *ask(struct lesson *lesson)
{
	struct ao_search *search = lesson->search;
	const struct ao_candidate *child = lesson->child;
	const struct ao_kernel *before, *after;
	struct ao_error *err;

	err = ao_population_kernel(&before, search, child->parent);
	if (!err)
		err = ao_population_kernel(&after, search, child->commit);
	if (err)
		return err;
	{
		const struct ao_summary_request request = {
			.task = search->task,
			.slow = lesson->is_positive ? before : after,
			.fast = lesson->is_positive ? after : before,
			.log_gain = fabs(gain_over_parent(child)),
			.plan = child->plan,
			.plan_made_slow = !lesson->is_positive,
		};

		++*lesson->waiting;
		search->summarizer->ops->summarize(search->summarizer, &request,
						   on_insight, lesson);
	}
	return NULL;
}

/* The attempts of this iteration; the caller frees *out. */
static size_t attempts_of_iteration(const struct ao_candidate ***out,
				    const struct ao_search *search)
{
	const struct ao_history_run *self = search->self;
	size_t n = 0;

	*out = ao_xcalloc(self->candidate_count, sizeof(**out));
	for (size_t i = 0; i < self->candidate_count; i++)
		if (self->candidates[i].message.attempt.iteration ==
		    search->iteration)
			(*out)[n++] = &self->candidates[i];
	return n;
}

AO_MUST_CHECK
static struct ao_error *ask_all(struct ao_search *search,
				const struct ao_candidate *const *attempts,
				const struct ao_lesson *chosen, size_t count)
{
	struct lesson *lessons = ao_xcalloc(count, sizeof(*lessons));
	struct ao_error *err = NULL;
	uint32_t waiting = 0;

	for (size_t i = 0; i < count && !err; i++) {
		lessons[i] = (struct lesson){
			.search = search,
			.child = attempts[chosen[i].index],
			.is_positive = chosen[i].is_positive,
			.rank = (uint32_t)i,
			.waiting = &waiting,
		};
		err = ask(&lessons[i]);
	}
	if (!err)
		err = ao_search_wait(search, &waiting);
	free(lessons);
	return err;
}

struct ao_error *ao_learn_lessons(struct ao_search *search)
{
	const struct ao_settings *settings = &search->self->run.settings;
	const struct ao_candidate **attempts;
	struct ao_lesson *chosen;
	struct ao_timed *timed;
	struct ao_error *err;
	size_t n, count;

	if (is_learned(search))
		return NULL;
	n = attempts_of_iteration(&attempts, search);
	timed = ao_xcalloc(n, sizeof(*timed));
	for (size_t i = 0; i < n; i++)
		timed[i] = (struct ao_timed){
			.parent = attempts[i]->parent,
			.plan = attempts[i]->message.plan_id,
			.log_gain = gain_over_parent(attempts[i]),
		};
	chosen = ao_xcalloc(settings->insights, sizeof(*chosen));
	count = ao_select_lessons(chosen, settings->insights, timed, n,
				  settings->positive_threshold,
				  settings->negative_threshold);
	err = ask_all(search, attempts, chosen, count);
	free(chosen);
	free(timed);
	free(attempts);
	return err;
}
