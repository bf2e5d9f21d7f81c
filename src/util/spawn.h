/* SPDX-License-Identifier: MIT */
/*
 * spawn.h - the start of a child process: own group, listed environment,
 * limits.
 *
 * No shell is ever involved.  A child has no descriptor of ours but its three
 * standard ones.
 */
#ifndef AO_UTIL_SPAWN_H
#define AO_UTIL_SPAWN_H

#include <sys/types.h>

#include "util/error.h"

struct ao_process_spec {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in
				    PATH, or with a slash taken from `folder` */
	const char *const *env;	 /* "NAME=value", NULL-terminated; NULL: ours */
	const char *folder;	 /* to run in; NULL: ours */
	const void *input;	 /* for its standard input; NULL: /dev/null */
	size_t input_len;
	uint32_t timeout_ms; /* then the group is killed; 0: no limit */
	size_t max_output;   /* bytes kept of stdout; 0: inherit ours */
	size_t max_errors;   /* bytes kept of stderr; 0: inherit ours */
	bool merge;	     /* stderr goes into stdout's buffer, in order */
	uint64_t max_memory; /* bytes of address space; 0: no limit */
	uint64_t max_file;   /* bytes of any file it writes; 0: no limit */
	/*
	 * CPU time of each process, its children too, which no deadline
	 * reaches once we are killed; 0: no limit.
	 */
	uint32_t max_cpu_s;
	/*
	 * For a child that is shut up: namespaces that it is started in, as
	 * flags of clone(2), and what it does there before its limits hold and
	 * its program runs.  `enter` shares our memory, see clone.h, and
	 * returns NULL, or what it could not do, as a constant, with errno set.
	 */
	unsigned long namespaces;
	const char *(*enter)(void *data); /* NULL: nothing */
	void *enter_data;
};

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
struct ao_error *ao_spawn(pid_t *pid_out, const struct ao_process_spec *spec,
			  const struct ao_spawn_fds *fds);

/*
 * The absolute path of the program `name` in PATH, or NULL; the caller frees
 * it.  Unlike execvp(3) this takes no entry of PATH that depends on where we
 * are.
 */
char *ao_spawn_find(const char *name);

/* A pipe whose ends are 3 or above and not inherited. */
AO_MUST_CHECK
struct ao_error *ao_spawn_pipe(int ends_out[2]);

/* `fd` moved to 3 or above; -1 with errno on failure.  Takes over `fd`. */
int ao_spawn_raise_fd(int fd);

#endif
