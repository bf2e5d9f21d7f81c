/* SPDX-License-Identifier: MIT */
/* x86_ban.h - instructions of x86-64 that a kernel may not have. */
#ifndef AO_EVAL_X86_BAN_H
#define AO_EVAL_X86_BAN_H

#include "eval/x86.h"

struct ao_x86_ban {
	const char *name; /* "rdtsc" */
	const char *why;  /* "...; what to do", to go on from the name */
};

/*
 * Why a kernel may not have this instruction, or NULL.  One that has variables
 * of threads of its own (`has_tls`) may read at fs where its thread is.
 */
const struct ao_x86_ban *ao_x86_banned(const struct ao_x86 *x86, bool has_tls);

#endif
