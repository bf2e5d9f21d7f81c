/* SPDX-License-Identifier: MIT */
/*
 * court.h - judges for the cases of one bundle, listed and hidden ones alike:
 * their datasets, floors and time limits, and an account of what they used.
 */
#ifndef AO_EVAL_COURT_H
#define AO_EVAL_COURT_H

#include "eval/judge.h"
#include "eval/request.h"
#include "eval/session.h"

struct ao_court {
	struct ao_session *session; /* borrowed, like the others */
	const struct ao_bundle *bundle;
	const struct ao_machine *machine; /* with ceilings */
};

/*
 * Open a judge for a case; the caller closes it with ao_court_close().
 * AO_EINVALID if the task's reference fails there.
 */
AO_MUST_CHECK
struct ao_error *ao_court_open(struct ao_judge **out,
			       const struct ao_court *court,
			       const struct ao_case *c);

/* Free a judge, or NULL, and add the CPU time that it used to a result's. */
void ao_court_close(struct ao_judge *judge, struct ao_result *result);

#endif
