/* SPDX-License-Identifier: MIT */
/*
 * selfpair.h - the control of a session: a kernel timed against itself.
 *
 * Whoever tells a kernel apart from itself twice in a row, by the rules by
 * which others are told apart, sees something else than kernels: a machine that
 * treats the two sides differently, or a fault of ours.  What such a session
 * would find is void, so nothing is timed, and it is tried again with the next
 * evaluation.
 */
#ifndef AO_EVAL_SELFPAIR_H
#define AO_EVAL_SELFPAIR_H

#include "eval/judge.h"
#include "eval/request.h"
#include "eval/session.h"

/*
 * Time `object`, which is kernel `id`, against itself, unless the session's
 * control was good before.  One that fails leaves it open: who times it next
 * says so.  The caller holds the machine's lock.
 */
AO_MUST_CHECK
struct ao_error *ao_selfpair_ensure(struct ao_session *session,
				    struct ao_judge *judge, const char *object,
				    const char *id);

/*
 * State the control in a result; if it tells a kernel apart from itself, the
 * pair of the main case with each opponent is there and VOID, and the detail
 * says why.
 */
void ao_selfpair_apply(struct ao_result *result, const struct ao_bundle *bundle,
		       const struct ao_pair *control);

#endif
