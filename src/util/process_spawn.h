/* SPDX-License-Identifier: MIT */
/*
 * process_spawn.h - the start of a child process: what happens between fork
 * and exec.
 */
#ifndef AO_UTIL_PROCESS_SPAWN_H
#define AO_UTIL_PROCESS_SPAWN_H

#include <sys/types.h>

#include "util/process.h"

/* The child's standard descriptors; each 3 or above, or -1 to inherit ours. */
struct ao_spawn_fds {
	int in;
	int out;
	int err;
};

/*
 * Start the child as leader of a new process group.  When this returns without
 * error its program runs.  The caller closes `fds` and waits for *pid_out.
 */
AO_MUST_CHECK
struct ao_error *ao_process_spawn(pid_t *pid_out,
				  const struct ao_process_spec *spec,
				  const struct ao_spawn_fds *fds);

/* A pipe whose ends are 3 or above and not inherited. */
AO_MUST_CHECK
struct ao_error *ao_process_pipe(int ends_out[2]);

/* `fd` moved to 3 or above; -1 with errno on failure.  Takes over `fd`. */
int ao_process_raise_fd(int fd);

#endif
