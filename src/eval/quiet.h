/* SPDX-License-Identifier: MIT */
/*
 * quiet.h - get a CPU to oneself while timing, and see whether one has it.
 *
 * The judge takes one CPU and workers another, before everybody else where that
 * is permitted: in a real-time class, as a nice value does not reach beyond the
 * session.  Linux lets others have 50 ms of each second even so; that is an
 * outlier among the calls of a sample, and keeps the machine alive while a
 * kernel that never ends runs into its deadline.
 *
 * A worker with threads has as many CPUs, the judge's among them if there are
 * no more: then the judge sleeps while it works.
 *
 * What a hypervisor gives to others shows in no statistic of the guest, but as
 * gaps between two looks at the clock.
 */
#ifndef AO_EVAL_QUIET_H
#define AO_EVAL_QUIET_H

#include <sched.h>
#include <sys/types.h>

#include "util/base.h"

struct ao_quiet {
	bool has_spare; /* a CPU for the judge alone */
	bool has_threads;
	int judge_cpu;
	int worker_cpu;
	cpu_set_t before; /* what this process may use */
	int policy_before;
	struct sched_param priority_before;
	int nice_before;
	uint64_t patience_ns; /* how much longer to wait for quiet, in all */
};

/* CPUs that this process may use. */
uint32_t ao_quiet_count(void);

/* Whether the judge can run while `threads` threads of a worker do. */
bool ao_quiet_has_spare(uint32_t threads);

/* The CPUs for `threads` threads of a worker, as far as there are as many. */
void ao_quiet_cpus(cpu_set_t *out, uint32_t threads);

/*
 * threads  that a worker may have; 0: it makes none
 */
void ao_quiet_init(struct ao_quiet *out, uint32_t threads);

/*
 * Take the judge's CPU, until ao_quiet_end(); may be done many times.  Not
 * before wardens are started: they would be bound to it, too.
 */
void ao_quiet_begin(const struct ao_quiet *quiet);
void ao_quiet_end(const struct ao_quiet *quiet);

/*
 * Give a worker its CPU.  One with threads has CPUs already; they inherit its
 * class, and take turns, so that those that wait awake let others work.
 */
void ao_quiet_place(const struct ao_quiet *quiet, pid_t worker);

/*
 * The share of a few milliseconds of this CPU that is taken by others, and
 * whether that is too much to time well.
 */
double ao_quiet_look(bool *is_loud_out);

/*
 * Wait until the worker's CPU is quiet, or patience ends.  Returns the share
 * of it that is taken by others, 0 to 1.
 */
double ao_quiet_await(struct ao_quiet *quiet);

#endif
