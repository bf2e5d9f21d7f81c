/* SPDX-License-Identifier: MIT */
/*
 * deny.h - the system calls that no compiler needs: networks, other processes,
 * mounts, and what attackers of kernels are fond of.  They fail, so that a
 * compiler that only tries, as name services do, goes on.
 */
#ifndef AO_EVAL_DENY_H
#define AO_EVAL_DENY_H

#include "util/base.h"

/*
 * From now on, in this process and its children.  With `keeps_group` nobody
 * leaves the process group either, which is all that ends them where there is
 * no namespace of processes.  Returns false if there are no filters here.
 */
bool ao_deny_install(bool keeps_group);

#endif
