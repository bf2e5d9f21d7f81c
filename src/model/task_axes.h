/* SPDX-License-Identifier: MIT */
/* task_axes.h - the axes of a task.json. */
#ifndef AO_MODEL_TASK_AXES_H
#define AO_MODEL_TASK_AXES_H

#include "model/task_parser.h"

AO_MUST_CHECK
struct ao_error *ao_axes_parse(struct ao_task_parser *parser);

#endif
