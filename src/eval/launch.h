/* SPDX-License-Identifier: MIT */
/* launch.h - start this program anew as a warden in namespaces of its own. */
#ifndef AO_EVAL_LAUNCH_H
#define AO_EVAL_LAUNCH_H

#include <sys/types.h>

#include "eval/order.h"
#include "util/error.h"

/*
 * Start a warden, in a process group of its own.
 *
 * fds  [AO_ORDER_END_FD - AO_ORDER_FIRST_FD] ours that become its descriptors
 *      from AO_ORDER_FIRST_FD on; -1: none
 *
 * The caller waits for the process.  AO_EIO if such namespaces are not to be
 * had.
 */
AO_MUST_CHECK
struct ao_error *ao_launch_warden(pid_t *out, enum ao_isolation isolation,
				  const int *fds);

#endif
