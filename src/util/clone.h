/* SPDX-License-Identifier: MIT */
/*
 * clone.h - start a process that has our memory until it runs a program, as
 * vfork(2) does, in namespaces of its own where that is asked for.
 */
#ifndef AO_UTIL_CLONE_H
#define AO_UTIL_CLONE_H

#include <sys/types.h>

#include "util/base.h"

/*
 * Run `run` in a new process, and go on when that has executed a program or
 * ended.  It shares our memory but not our descriptors: it allocates nothing,
 * takes no locks and changes no globals, and must not return.
 *
 * namespaces  flags of clone(2) besides; 0: none
 *
 * Returns the process, or -1 with errno.
 */
pid_t ao_clone_and_wait(int (*run)(void *data), void *data,
			unsigned long namespaces);

#endif
