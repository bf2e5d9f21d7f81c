/* SPDX-License-Identifier: MIT */
/*
 * control.h - the page through which the judge tells a worker when to run.
 *
 * For call number n the judge sets `arm` to n; the worker, woken, reads the
 * operands once and sets `armed`; the judge looks at its clock and sets `go`;
 * the worker, which spins by now, calls the kernel and sets `done`.
 *
 * The kernel runs in a process that can write to all of it, so nothing that it
 * holds is believed: a worker that says it is done before it is will be caught
 * by its CPU clock, and by the output.
 */
#ifndef AO_EVAL_CONTROL_H
#define AO_EVAL_CONTROL_H

#include "util/base.h"

#include <stdalign.h>
#include <stdatomic.h>

#include "eval/sampler.h"

enum { AO_CONTROL_MESSAGE_SIZE = 256 };

/* Instead of a call number in `arm`: leave. */
#define AO_CONTROL_QUIT UINT32_MAX

enum ao_control_state {
	AO_CONTROL_LOADING,
	AO_CONTROL_LOADED,
	AO_CONTROL_NOT_LOADED, /* see message */
};

/* A cache line for each that writes at another time. */
struct ao_control {
	alignas(64) _Atomic uint32_t arm;
	uint32_t slot; /* that the call uses */
	alignas(64) _Atomic uint32_t go;
	alignas(64) _Atomic uint32_t state;
	_Atomic uint32_t armed;
	alignas(64) _Atomic uint32_t done;
	alignas(64) _Atomic uint32_t refused;  /* 1 + number of a system call */
	char message[AO_CONTROL_MESSAGE_SIZE]; /* why it could not be loaded */
	struct ao_samples samples;	       /* if the order asks for some */
};

/* Set a word and wake who sleeps on it. */
void ao_control_set(_Atomic uint32_t *word, uint32_t value);

/* Sleep until the word is not `seen`, or `timeout_ns` have passed, or so. */
void ao_control_sleep(_Atomic uint32_t *word, uint32_t seen,
		      uint64_t timeout_ns);

/* Tell the CPU that this is a loop that waits. */
static inline void ao_control_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#endif
