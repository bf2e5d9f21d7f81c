/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/usage.h"

static uint64_t timeval_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000 +
	       (uint64_t)time->tv_usec * 1000;
}

uint64_t ao_usage_cpu_ns(const struct rusage *usage)
{
	return timeval_ns(&usage->ru_utime) + timeval_ns(&usage->ru_stime);
}

uint64_t ao_usage_total_cpu_ns(void)
{
	struct rusage own = { 0 }, children = { 0 };

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return ao_usage_cpu_ns(&own) + ao_usage_cpu_ns(&children);
}
