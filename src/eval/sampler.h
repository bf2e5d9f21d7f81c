/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - where a kernel is at each tick of a clock, seen from inside of
 * its worker.
 *
 * A kernel could write what it likes over what is seen, so nothing rests on it
 * but what people and planners are told; a worker that is sampled is not timed.
 */
#ifndef AO_EVAL_SAMPLER_H
#define AO_EVAL_SAMPLER_H

#include "util/base.h"

/* How many ticks are waited for, and kept: a share is known to 5 % or so. */
enum { AO_SAMPLES_MAX = 256 };

/* Instead of an offset: not near the kernel's code. */
#define AO_SAMPLE_OUTSIDE INT32_MIN

struct ao_samples {
	uint32_t count;
	int32_t at[AO_SAMPLES_MAX]; /* bytes from the entry of the kernel */
};

/*
 * Begin to tick.  Does nothing, and there is never any sample, where the
 * processor is not known.
 */
void ao_sampler_start(struct ao_samples *to, uint32_t period_us);

/* Around each call of the kernel; what ticks outside of calls is not kept. */
void ao_sampler_enter(const void *entry);
void ao_sampler_leave(void);

/* Whether another call would tell more. */
bool ao_sampler_wants_more(void);

/* No more ticks, which would go on to take time. */
void ao_sampler_stop(void);

#endif
