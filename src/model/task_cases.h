/* SPDX-License-Identifier: MIT */
/* task_cases.h - the cases of a task.json: extents, weights, sizes. */
#ifndef AO_MODEL_TASK_CASES_H
#define AO_MODEL_TASK_CASES_H

#include "model/task_parser.h"

/* Everything else of the task is parsed already. */
AO_MUST_CHECK
struct ao_error *ao_cases_parse(struct ao_task_parser *parser);

#endif
