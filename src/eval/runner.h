/* SPDX-License-Identifier: MIT */
/*
 * runner.h - the judge's hold on the warden and workers of one object.
 *
 * A runner has one worker at a time.  What the worker does wrong is an outcome;
 * an error means that we could not run one.  After a bad outcome the runner is
 * good for nothing but ao_runner_free().
 */
#ifndef AO_EVAL_RUNNER_H
#define AO_EVAL_RUNNER_H

#include <sys/types.h>

#include "eval/order.h"
#include "eval/outcome.h"
#include "eval/sampler.h"
#include "util/error.h"

struct ao_runner;

/* CPU time in nanoseconds. */
struct ao_runner_cpu {
	uint64_t worker; /* running kernels, and our waiting for them */
	uint64_t isolation;
};

struct ao_runner_options {
	const struct ao_order *order; /* but for isolation and has_object */
	const char *object;	      /* path */
	uint32_t libraries;	      /* that it is linked with */
	int input_fd;		      /* the arena's */
	int output_fd;
	uint32_t call_timeout_ms;
	struct ao_samples *samples; /* of the last worker, at free; or NULL */
	struct ao_runner_cpu *cpu;  /* added to, the last at free */
};

/*
 * Start a warden in the best sandbox that is to be had here.  The caller frees
 * *out with ao_runner_free(), which kills what still runs.
 */
AO_MUST_CHECK
struct ao_error *ao_runner_start(struct ao_runner **out,
				 const struct ao_runner_options *options);
void ao_runner_free(struct ao_runner *runner);

/*
 * Have a fresh worker load the object.  *pid_out is its process id while it
 * lives.
 */
AO_MUST_CHECK
struct ao_error *ao_runner_spawn(struct ao_outcome *out, pid_t *pid_out,
				 struct ao_runner *runner,
				 const struct ao_worker_shift *shift);

/*
 * Call the kernel once on a slot's operands.
 *
 * spin_ns      look for the end so long before sleeping on it; 0 where judge
 *              and worker share a CPU
 * wall_ns_out  from just before the call to its end; where there may be
 *              threads, until none of them works any more
 */
void ao_runner_call(struct ao_outcome *out, uint64_t *wall_ns_out,
		    struct ao_runner *runner, uint32_t slot, uint64_t spin_ns);

/*
 * CPU time in nanoseconds that the worker used for a call beside the time that
 * the call took.  Of the last call it is known once the worker was stopped,
 * until then it is that of the call before.
 */
uint64_t ao_runner_untimed_ns(const struct ao_runner *runner);

/* End the worker, and look whether it worked beyond its last call. */
AO_MUST_CHECK
struct ao_error *ao_runner_stop(struct ao_outcome *out,
				struct ao_runner *runner);

#endif
