/* SPDX-License-Identifier: MIT */
/* protect.h - a gain that a protected case pays for is none. */
#ifndef AO_EVAL_PROTECT_H
#define AO_EVAL_PROTECT_H

#include "model/result.h"
#include "model/task.h"

/*
 * Make a tie of each gain on the case `main_name` over an opponent against
 * which a protected case lost, and say so in the result's detail.
 */
void ao_protect(struct ao_result *result, const struct ao_task *task,
		const char *main_name);

#endif
