/* SPDX-License-Identifier: MIT */
/*
 * objgate.h - what may not be in a kernel's object, before it is loaded.
 *
 * The gate of texts (gate.h) reads what was written; this one, what came of
 * it: the object as it was linked.  Refused are: code that runs while it is
 * loaded or unloaded, also to choose a function (IFUNC); memory that is both
 * written and executed, and stacks that are executed; names of others than
 * mathematics, memory and what compilers call (callable.h), and the libraries
 * of others; names that it exports beside its entry; on x86-64, instructions
 * that call the system, read a clock, ask for the processor, change rounding,
 * or reach the thread's data (x86_ban.h, sweep.h).  On other machines
 * instructions are not looked at.
 */
#ifndef AO_EVAL_OBJGATE_H
#define AO_EVAL_OBJGATE_H

#include "util/base.h"

struct ao_objgate {
	const char *entry;  /* what it exports */
	uint32_t libraries; /* it may be linked with; bits of library.h */
	bool allows_threads;
};

/*
 * Look at the bytes of an object.  Returns NULL, or one line that says what is
 * refused, where, and what to do, which the caller frees.
 */
AO_MUST_CHECK
char *ao_objgate_check(const struct ao_objgate *gate, const char *data,
		       size_t len);

#endif
