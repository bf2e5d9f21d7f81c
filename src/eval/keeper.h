/* SPDX-License-Identifier: MIT */
/*
 * keeper.h - the judge's hold on a warden: start it in the best sandbox that
 * is to be had, talk to it, end it with all that it started.
 */
#ifndef AO_EVAL_KEEPER_H
#define AO_EVAL_KEEPER_H

#include <sys/types.h>

#include "eval/order.h"
#include "util/error.h"

/* All zero is none. */
struct ao_keeper {
	pid_t warden;
	int socket;
	enum ao_isolation isolation;
	bool has_seccomp;
};

/*
 * Start a warden and give it its order, in which the isolation is filled in.
 *
 * fds  as ao_launch_warden() has them, but for the socket
 *
 * AO_EIO if there is no way to start one.  The caller ends it with
 * ao_keeper_kill().
 */
AO_MUST_CHECK
struct ao_error *ao_keeper_start(struct ao_keeper *out, struct ao_order *order,
				 const int *fds);

/* As ao_isolation_name() has it. */
const char *ao_keeper_level(const struct ao_keeper *keeper);

/* Why it is not a better one, or NULL.  Borrowed from this module. */
const char *ao_keeper_why(void);

/* Have it fork a worker.  Returns false if the warden has gone. */
bool ao_keeper_spawn(struct ao_keeper *keeper,
		     const struct ao_worker_shift *shift);

enum ao_heard { AO_HEARD_NOTHING, AO_HEARD_REPLY, AO_HEARD_END };

/*
 * Wait at most `timeout_ms` for a reply; END if the warden has gone.
 * *sender_out, unless NULL, is the process that sent it, as we number it.
 */
enum ao_heard ao_keeper_hear(struct ao_reply *out, pid_t *sender_out,
			     struct ao_keeper *keeper, int timeout_ms);

/*
 * Kill the warden and its workers and wait for it.  Returns the CPU time, in
 * nanoseconds, that it and the workers whose end it saw have used.
 */
uint64_t ao_keeper_kill(struct ao_keeper *keeper);

#endif
