/* SPDX-License-Identifier: MIT */
/*
 * eval.h - judge a kernel: a bundle in, one result out.
 *
 * A pure function of the bundle and the machine: build, check every case,
 * time against the opponents.  It runs in a process of its own, see
 * evaluator.h; ao_eval_serve() is that process's main.
 *
 * The judge holds clock, inputs, reference and verdict and never loads a
 * candidate; kernels run in workers, one fresh process a sample.
 */
#ifndef AO_EVAL_EVAL_H
#define AO_EVAL_EVAL_H

#include "eval/request.h"

/*
 * Judge.  An error means that *we* could not find out (no compiler, the
 * reference does not build, an opponent does not work, full disk); whatever
 * the candidate did is a verdict.  The caller releases *out.
 *
 * A gain on the main case that costs a protected case time is no gain: the
 * main pair's decision is then TIE, and *out's detail says so.
 */
AO_MUST_CHECK
struct ao_error *ao_eval(struct ao_result *out, const struct ao_bundle *bundle);

/* What a judge keeps from one bundle to the next, see session.h. */
struct ao_session;

/* ao_eval() in a session. */
AO_MUST_CHECK
struct ao_error *ao_eval_in(struct ao_result *out, struct ao_session *session,
			    const struct ao_bundle *bundle);

/* The hash of the judge's version and rules, for records. */
void ao_eval_id(char out[AO_ID_SIZE]);

/*
 * The judge process: read bundles, a line each, from `in`; answer each with a
 * line on `out`, {"result": ...} or {"error": ..., "code": ...}; until the end
 * of input.  References and inputs are kept from one bundle to the next.  It
 * is killed when its parent goes.  With `requires_sandbox` each answer is an
 * error where that is not to be had in full.
 */
AO_MUST_CHECK
struct ao_error *ao_eval_serve(int in, int out, bool requires_sandbox);

#endif
