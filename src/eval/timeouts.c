/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/timeouts.h"
#include "eval/trial_rules.h"

enum { BUILD_TIMEOUT_MS = 60000 };

uint32_t ao_timeouts_build(const struct ao_bundle *bundle)
{
	return bundle->build_timeout_ms ? bundle->build_timeout_ms
					: BUILD_TIMEOUT_MS;
}

uint32_t ao_timeouts_call(const struct ao_bundle *bundle,
			  const struct ao_dataset *dataset)
{
	double set_ms = (double)dataset->reference_cpu_ns / 1e6 /
			(double)dataset->reference_calls;

	return bundle->call_timeout_ms ? bundle->call_timeout_ms
				       : ao_trial_call_timeout_ms(set_ms);
}
