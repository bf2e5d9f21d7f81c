/* SPDX-License-Identifier: MIT */
/*
 * feedback.h - what helps to write a faster kernel than one that is right: the
 * compiler's remarks, and the loop where the time goes.
 *
 * The kernel is built once more, with line numbers, and run in a worker that is
 * looked at while it works.  What it is made of, objdump tells; how its hottest
 * loop behaves, llvm-mca.  A tool that is missing is left out.
 */
#ifndef AO_EVAL_FEEDBACK_H
#define AO_EVAL_FEEDBACK_H

#include "eval/request.h"

struct ao_session;

struct ao_feedback_request {
	struct ao_session *session;
	const struct ao_bundle *bundle; /* its candidate is meant */
	const struct ao_case *c;
	double call_ns; /* that a call takes, roughly; 0: unknown */
};

/*
 * Add it to the result of a kernel that is right, with the CPU time that it
 * took.  Takes part of a second.  The machine's lock is to be held, shared.
 */
AO_MUST_CHECK
struct ao_error *ao_feedback_add(struct ao_result *result,
				 const struct ao_feedback_request *request);

#endif
