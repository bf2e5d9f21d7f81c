/* SPDX-License-Identifier: MIT */
/*
 * watched.h - a worker as the judge sees it from outside: its CPU clock, its
 * state and threads in /proc, signals to it and nobody else.
 */
#ifndef AO_EVAL_WATCHED_H
#define AO_EVAL_WATCHED_H

#include <sys/types.h>
#include <time.h>

#include "util/base.h"

struct ao_watched {
	clockid_t clock;
	bool has_clock;	      /* it was there to be seen */
	int stat;	      /* its /proc/PID/stat; -1: not to be seen */
	int fd;		      /* a descriptor of that process; -1: none */
	uint64_t seen_cpu_ns; /* when its clock was last looked at */
};

/* Nobody. */
#define AO_WATCHED_NONE ((struct ao_watched){ .stat = -1, .fd = -1 })

/* Watch a process that may have ended already; the caller closes it. */
void ao_watched_open(struct ao_watched *out, pid_t pid);
void ao_watched_close(struct ao_watched *watched);

/* The CPU time of all its threads; once it has ended, that seen last. */
uint64_t ao_watched_cpu_ns(struct ao_watched *watched);

/* Whether it runs or would if it had a CPU. */
bool ao_watched_is_awake(const struct ao_watched *watched);

/* The threads that it has; 0: not to be seen. */
uint32_t ao_watched_threads(const struct ao_watched *watched);

/* Not by its number, which another process could have by now. */
bool ao_watched_signal(const struct ao_watched *watched, int number);

#endif
