/* SPDX-License-Identifier: MIT */
/*
 * session.h - what a judge process keeps from one bundle to the next: objects
 * (an opponent is built once, not for every candidate), references, inputs
 * with their answers, what this machine is, and whether it times well.
 *
 * What is handed out stays until ao_session_trim().
 */
#ifndef AO_EVAL_SESSION_H
#define AO_EVAL_SESSION_H

#include "eval/build.h"
#include "eval/dataset.h"

struct ao_session;

/* CPU time that was really spent; what is there already costs none. */
struct ao_session_cpu {
	uint64_t compile_ns;
	uint64_t reference_ns;
	uint64_t inputs_ns;  /* of this process; the others are children's */
	uint64_t machine_ns; /* finding out what this machine is, the same */
};

/* Makes a temporary folder.  The caller frees *out with ao_session_free(). */
AO_MUST_CHECK
struct ao_error *ao_session_new(struct ao_session **out);
void ao_session_free(struct ao_session *session);

/* Everything so far.  Borrowed from the session. */
const struct ao_session_cpu *ao_session_cpu(const struct ao_session *session);

/*
 * This machine with its ceilings: those of `offered` (may be NULL) if that is
 * this machine, else from the cache, else measured, for which the machine's
 * lock may not be held.  Borrowed until the next such call.
 */
AO_MUST_CHECK
struct ao_error *ao_session_machine(const struct ao_machine **out,
				    struct ao_session *session,
				    const struct ao_machine *offered);

/*
 * Measure the ceilings again and keep the best, once a session: *is_new_out
 * tells whether it was done.  As above.
 */
AO_MUST_CHECK
struct ao_error *ao_session_measure_again(const struct ao_machine **out,
					  bool *is_new_out,
					  struct ao_session *session);

/*
 * A kernel timed against itself, see selfpair.h, which keeps it here; empty
 * until then.
 */
struct ao_pair *ao_session_control(struct ao_session *session);

/* A folder for what is built once.  Borrowed from the session. */
const char *ao_session_folder(const struct ao_session *session);

/* ao_build_kernel(), unless the same was built before.  Borrowed. */
AO_MUST_CHECK
struct ao_error *ao_session_build(const struct ao_build **out,
				  struct ao_session *session,
				  const struct ao_task *task,
				  const struct ao_case *c,
				  const struct ao_kernel *kernel,
				  uint32_t timeout_ms);

/*
 * A dataset of a few sets, as many as its size allows, unless there is one
 * already.  Borrowed; its task and case are equal to those given, not the
 * same.
 */
AO_MUST_CHECK
struct ao_error *ao_session_dataset(const struct ao_dataset **out,
				    struct ao_session *session,
				    const struct ao_task *task,
				    const struct ao_case *c, uint64_t seed);

/* Drop what was not used lately, as far as it is too much.  Between bundles. */
void ao_session_trim(struct ao_session *session);

#endif
