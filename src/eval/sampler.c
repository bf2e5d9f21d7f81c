/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include "eval/sampler.h"

/* Of this process; the handler has no other way to know. */
static struct {
	struct ao_samples *to;	  /* NULL: does not tick */
	volatile uintptr_t entry; /* 0: not in a call */
} sampler;

#if defined(__x86_64__)
static uintptr_t interrupted_at(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}
#else
static uintptr_t interrupted_at(const ucontext_t *context)
{
	(void)context;
	return 0;
}
#endif

static void on_tick(int signal, siginfo_t *info, void *context)
{
	struct ao_samples *to = sampler.to;
	uint32_t count = to ? to->count : 0;
	uintptr_t offset;

	(void)signal;
	(void)info;
	if (!to || !sampler.entry || count >= AO_SAMPLES_MAX)
		return;
	offset = interrupted_at(context) - sampler.entry;
	/* Sign and size at once: both ends of the range come to lie above 0. */
	if (offset + INT32_MAX <= (uintptr_t)INT32_MAX * 2)
		to->at[count] = (int32_t)(intptr_t)offset;
	else
		to->at[count] = AO_SAMPLE_OUTSIDE;
	to->count = count + 1;
}

void ao_sampler_start(struct ao_samples *to, uint32_t period_us)
{
#ifdef __x86_64__
	/* A kernel may use its own stack to the end, or for something else. */
	static char stack[64 << 10];
	const stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = {
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};
	struct itimerval timer = {
		.it_interval = { .tv_sec = period_us / 1000000,
				 .tv_usec = period_us % 1000000 },
	};

	timer.it_value = timer.it_interval;
	action.sa_sigaction = on_tick;
	sigemptyset(&action.sa_mask);
	sampler.to = to;
	if (sigaltstack(&own, NULL) || sigaction(SIGALRM, &action, NULL) ||
	    setitimer(ITIMER_REAL, &timer, NULL))
		sampler.to = NULL;
#else
	(void)to;
	(void)period_us;
	(void)on_tick;
#endif
}

void ao_sampler_enter(const void *entry)
{
	sampler.entry = (uintptr_t)entry;
}

void ao_sampler_leave(void)
{
	sampler.entry = 0;
}

bool ao_sampler_wants_more(void)
{
	return sampler.to && sampler.to->count < AO_SAMPLES_MAX;
}

void ao_sampler_stop(void)
{
	const struct itimerval never = { .it_interval = { 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
	sampler.to = NULL;
}
