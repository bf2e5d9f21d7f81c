/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/ask.h"

enum { WAIT_MS = 1000 };

struct ao_asker {
	struct ao_loop *loop;
	struct ao_evaluator *evaluator;
	ao_wait_cb *on_wait; /* or NULL */
	void *wait_data;

	/* Of the question that is open. */
	struct ao_result result;
	struct ao_error *err;
	bool is_answered;
};

struct ao_error *ao_asker_new(struct ao_asker **out, const char *runner,
			      bool requires_sandbox)
{
	struct ao_asker *asker = ao_xcalloc(1, sizeof(*asker));
	struct ao_error *err;

	asker->loop = ao_loop_new();
	err = ao_loop_catch_interrupt(asker->loop);
	if (!err)
		err = ao_evaluator_new(&asker->evaluator, asker->loop, runner,
				       1);
	if (err) {
		ao_asker_free(asker);
		return err;
	}
	if (requires_sandbox)
		ao_evaluator_require_sandbox(asker->evaluator);
	*out = asker;
	return NULL;
}

void ao_asker_free(struct ao_asker *asker)
{
	if (!asker)
		return;
	ao_evaluator_free(asker->evaluator);
	ao_loop_free(asker->loop);
	ao_error_free(asker->err);
	ao_result_release(&asker->result);
	free(asker);
}

void ao_asker_on_wait(struct ao_asker *asker, ao_wait_cb *cb, void *data)
{
	asker->on_wait = cb;
	asker->wait_data = data;
}

static void on_answer(void *data, const struct ao_result *result,
		      struct ao_error *err)
{
	struct ao_asker *asker = data;

	asker->is_answered = true;
	asker->err = err;
	if (!err)
		ao_result_copy(&asker->result, result);
}

struct ao_error *ao_ask(struct ao_result *out, struct ao_asker *asker,
			const struct ao_bundle *bundle)
{
	struct ao_error *err = NULL;

	asker->is_answered = false;
	ao_evaluator_submit(asker->evaluator, bundle, on_answer, asker);
	while (!err && !asker->is_answered) {
		err = ao_loop_step(asker->loop,
				   asker->on_wait ? WAIT_MS : UINT32_MAX);
		if (!err && asker->on_wait && !asker->is_answered)
			asker->on_wait(asker->wait_data);
		if (!err && ao_loop_interrupted(asker->loop))
			err = ao_error_new(AO_ECANCELED, "interrupted");
	}
	if (err)
		return err;
	if (asker->err) {
		err = asker->err;
		asker->err = NULL;
		return err;
	}
	*out = asker->result;
	asker->result = (struct ao_result){ 0 };
	return NULL;
}
