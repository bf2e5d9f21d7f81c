/* SPDX-License-Identifier: MIT */
/*
 * worker.h - the process that runs a kernel.
 */
#ifndef AO_EVAL_WORKER_H
#define AO_EVAL_WORKER_H

#include "eval/order.h"

/* The most arguments that a kernel may take: axes and tensors. */
enum { AO_WORKER_MAX_ARGUMENTS = 24 };

/* A worker ended for a reason of ours, before any candidate code ran. */
enum { AO_WORKER_EXIT_UNFIT = 90 };

/*
 * Be a worker, in a process just forked by the warden.
 *
 * object_path  where the object is within the sandbox
 * base_bytes   address space that the warden has
 */
AO_NORETURN
void ao_worker_run(const struct ao_order *order,
		   const struct ao_worker_shift *shift, const char *object_path,
		   uint64_t base_bytes);

#endif
