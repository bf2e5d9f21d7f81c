/* SPDX-License-Identifier: MIT */
/* usage.h - CPU time out of what the kernel tells about processes. */
#ifndef AO_UTIL_USAGE_H
#define AO_UTIL_USAGE_H

#include <sys/resource.h>

#include "util/base.h"

/* User and system time together, in nanoseconds. */
uint64_t ao_usage_cpu_ns(const struct rusage *usage);

/* That of this process and of all its children that have ended. */
uint64_t ao_usage_total_cpu_ns(void);

#endif
