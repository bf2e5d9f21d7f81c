/* SPDX-License-Identifier: MIT */
/*
 * seccomp.h - the few system calls that a worker may make.
 *
 * A call that is not on the list raises SIGSYS, which ao_seccomp_on_refusal()
 * turns into a number for the judge and the end of the process.  The list
 * holds what allocating memory and waiting for the judge need.
 */
#ifndef AO_EVAL_SECCOMP_H
#define AO_EVAL_SECCOMP_H

#include "util/base.h"

enum ao_seccomp_stage {
	AO_SECCOMP_LOAD, /* and what dlopen() needs to read files */
	AO_SECCOMP_RUN,
};

/* Whether filters exist for this architecture and may be installed here. */
bool ao_seccomp_is_available(void);

/* Who may do more. */
enum {
	AO_SECCOMP_TRUSTED = 1,	 /* what a library for baselines needs */
	AO_SECCOMP_SAMPLED = 2,	 /* return from a handler of a timer, end it */
	AO_SECCOMP_THREADED = 4, /* make threads, and end them */
};

/*
 * From now on, in this process: only the calls of that stage, and what `also`,
 * bits of the above, names besides.  Stages add up.  Returns false if there are
 * no filters here.
 */
bool ao_seccomp_install(enum ao_seccomp_stage stage, unsigned also);

/*
 * At a refusal write 1 + the number of the system call to *word and end the
 * process.
 */
void ao_seccomp_on_refusal(_Atomic uint32_t *word);

/*
 * "system call not allowed: openat (files)"; the caller frees it.
 */
char *ao_seccomp_explain(uint32_t number);

#endif
