/* SPDX-License-Identifier: MIT */
/* callable.h - the names outside of itself that a kernel may use. */
#ifndef AO_EVAL_CALLABLE_H
#define AO_EVAL_CALLABLE_H

#include "util/base.h"

/*
 * Mathematics, in float, double and long double, also for vectors (libmvec);
 * memory; what compilers call for themselves.  All of it works on the
 * process's own memory and answers from its arguments alone.
 */
bool ao_callable_symbol(const char *name);

/* Where these are, as DT_NEEDED names it: "libm.so.6". */
bool ao_callable_library(const char *soname);

/*
 * The same of tasks whose kernels may use threads: POSIX threads but for what
 * sets their CPUs or class, semaphores, and what OpenMP compiles to.
 */
bool ao_callable_thread_symbol(const char *name);
bool ao_callable_thread_library(const char *soname);

#endif
