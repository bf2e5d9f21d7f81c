/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "evolve/search.h"
#include "util/clock.h"

/* What is finished is on disk at most this much later. */
enum { FLUSH_AFTER_MS = 800 };

/* How often waiting looks at the time limit. */
enum { STEP_MS = 250 };

void ao_search_emit(struct ao_search *search, struct ao_event *event)
{
	event->run = &search->self->run;
	event->iteration = search->iteration;
	event->evals = search->evals;
	event->reused = search->reused;
	event->in_flight = search->in_flight;
	event->baseline = search->self->baseline;
	event->gain = search->best_gain;
	if (search->options->on_event)
		search->options->on_event(search->options->data, event);
}

void ao_search_warn(struct ao_search *search, const char *fmt, ...)
{
	struct ao_event event = { .kind = AO_EVENT_WARNING };
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = ao_xvstrf(fmt, ap);
	va_end(ap);
	event.text = text;
	ao_search_emit(search, &event);
	free(text);
}

void ao_search_fail(struct ao_search *search, struct ao_error *err)
{
	if (search->failure)
		ao_error_free(err);
	else
		search->failure = err;
}

enum ao_halt ao_search_halt(const struct ao_search *search)
{
	if (ao_loop_interrupted(search->loop))
		return AO_HALT_INTERRUPTED;
	if (search->deadline_ns && ao_clock_now_ns() >= search->deadline_ns)
		return AO_HALT_TIME;
	return AO_HALT_NONE;
}

uint32_t ao_search_evals_left(const struct ao_search *search)
{
	uint32_t most = search->self->run.settings.max_evals;
	uint32_t spoken_for = search->evals + search->in_judgement +
			      search->evals_kept;

	if (!most)
		return UINT32_MAX;
	return spoken_for < most ? most - spoken_for : 0;
}

struct ao_error *ao_search_wait(struct ao_search *search, const uint32_t *count)
{
	while (*count && !search->failure && !ao_search_halt(search)) {
		struct ao_error *err = ao_loop_step(search->loop, STEP_MS);

		if (err)
			return err;
	}
	if (search->failure) {
		struct ao_error *err = search->failure;

		search->failure = NULL;
		return err;
	}
	return NULL;
}

/* Where the answer to ao_search_evaluate() goes. */
struct answer {
	struct ao_search *search;
	struct ao_result result;
	uint32_t waiting;
};

static void on_answer(void *data, const struct ao_result *result,
		      struct ao_error *err)
{
	struct answer *answer = data;

	answer->waiting = 0;
	if (err)
		ao_search_fail(answer->search, err);
	else
		ao_result_copy(&answer->result, result);
}

static struct ao_error *evaluate_once(struct ao_result *out,
				      struct ao_search *search,
				      const struct ao_bundle *bundle)
{
	struct answer answer = { .search = search, .waiting = 1 };
	struct ao_error *err;

	ao_evaluator_submit(search->evaluator, bundle, on_answer, &answer);
	err = ao_search_wait(search, &answer.waiting);
	/* A late answer would go to a stack frame that is gone. */
	if (answer.waiting)
		ao_search_stop_judges(search);
	if (err) {
		ao_result_release(&answer.result);
		return err;
	}
	*out = answer.result;
	return NULL;
}

struct ao_error *ao_search_evaluate(struct ao_result *out,
				    struct ao_search *search,
				    const struct ao_bundle *bundle)
{
	struct ao_error *err = evaluate_once(out, search, bundle);

	/* Only a judge that was lost is worth another try. */
	for (int i = 1; i < AO_MAX_LOST_JUDGES &&
			ao_error_code(err) == AO_EIO && search->evaluator;
	     i++) {
		ao_search_warn(search, "%s; once more", ao_error_message(err));
		ao_error_free(err);
		err = evaluate_once(out, search, bundle);
	}
	return err;
}

struct ao_error *ao_search_start_judges(struct ao_search *search)
{
	struct ao_error *err;

	if (search->evaluator)
		return NULL;
	err = ao_evaluator_new(&search->evaluator, search->loop,
			       search->options->runner, search->options->jobs);
	if (!err && search->options->policy == AO_POLICY_REQUIRE)
		ao_evaluator_require_sandbox(search->evaluator);
	return err;
}

bool ao_search_may_promote(struct ao_search *search,
			   const struct ao_result *result)
{
	if (search->options->policy == AO_POLICY_ANY ||
	    !ao_policy_is_unsandboxed(&result->machine))
		return true;
	if (!search->has_told_of_sandbox)
		ao_search_warn(search,
			       "no kernel becomes the best of this search: "
			       "compilers or kernels are in no sandbox, but "
			       "have limits alone; 'git accelopt doctor' says "
			       "what to do, accelopt.sandbox=any does without");
	search->has_told_of_sandbox = true;
	return false;
}

void ao_search_stop_judges(struct ao_search *search)
{
	ao_evaluator_free(search->evaluator);
	search->evaluator = NULL;
}

static void on_flush_timer(void *data, short revents)
{
	struct ao_search *search = data;

	(void)revents;
	search->flush_timer = NULL;
	ao_search_fail(search, ao_journal_flush(search->journal));
}

void ao_search_touch(struct ao_search *search)
{
	if (!search->flush_timer)
		search->flush_timer = ao_loop_timer(
			search->loop, FLUSH_AFTER_MS, on_flush_timer, search);
}

struct ao_error *ao_search_flush(struct ao_search *search)
{
	ao_loop_remove(search->loop, search->flush_timer);
	search->flush_timer = NULL;
	return ao_journal_flush(search->journal);
}
