/* SPDX-License-Identifier: MIT */
/* timeouts.h - how long a build and a call may take. */
#ifndef AO_EVAL_TIMEOUTS_H
#define AO_EVAL_TIMEOUTS_H

#include "eval/dataset.h"
#include "eval/request.h"

/* In milliseconds: what the bundle says, or what is usual. */
uint32_t ao_timeouts_build(const struct ao_bundle *bundle);
uint32_t ao_timeouts_call(const struct ao_bundle *bundle,
			  const struct ao_dataset *dataset);

#endif
