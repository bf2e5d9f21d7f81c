/* SPDX-License-Identifier: MIT */
/* ask.h - one evaluation at a time, waited for. */
#ifndef AO_EVAL_ASK_H
#define AO_EVAL_ASK_H

#include "eval/evaluator.h"

/* An evaluator with the loop that it lives in. */
struct ao_asker;

/*
 * `runner` as in ao_evaluator_new(), and ao_evaluator_require_sandbox(). Ctrl-C
 * is caught from now on.
 */
AO_MUST_CHECK
struct ao_error *ao_asker_new(struct ao_asker **out, const char *runner,
			      bool requires_sandbox);
void ao_asker_free(struct ao_asker *asker);

/* Called about each second while an answer is waited for. */
typedef void ao_wait_cb(void *data);
void ao_asker_on_wait(struct ao_asker *asker, ao_wait_cb *cb, void *data);

/*
 * Have a bundle judged and wait for the answer, which the caller releases.
 * AO_ECANCELED if the user interrupts.
 */
AO_MUST_CHECK
struct ao_error *ao_ask(struct ao_result *out, struct ao_asker *asker,
			const struct ao_bundle *bundle);

#endif
