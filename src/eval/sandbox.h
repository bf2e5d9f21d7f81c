/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - shut a process up with nothing but the object it is to load.
 *
 * The warden enters the sandbox before it forks workers: an empty root in
 * memory, where namespaces are to be had, no identity, no privileges.  Each
 * worker then gives up the rest by itself: limits, and the list of system
 * calls of seccomp.h.
 */
#ifndef AO_EVAL_SANDBOX_H
#define AO_EVAL_SANDBOX_H

#include "eval/isolation.h"

/*
 * Enter, as the process that clone() made.  `object_fd` (-1: none) is copied
 * to where workers find it, under the path *path_out, borrowed from this
 * module.  Returns NULL, or what could not be done, with errno set.
 */
AO_MUST_CHECK
const char *ao_sandbox_enter(const char **path_out, enum ao_isolation isolation,
			     int object_fd);

/*
 * Limit this process for good: no children, no files, no core, and an address
 * space of `memory_bytes`.  As many as `tasks` other processes and threads of
 * the user may be there when a thread is made; 0: none is made.
 */
void ao_sandbox_limit(uint64_t memory_bytes, uint64_t tasks);

/* Close all descriptors but those from `first` to `last`. */
void ao_sandbox_close_all_but(unsigned first, unsigned last);

#endif
