/* SPDX-License-Identifier: MIT */
/* task_tensors.h - the inputs and outputs of a task.json. */
#ifndef AO_MODEL_TASK_TENSORS_H
#define AO_MODEL_TASK_TENSORS_H

#include "model/task_parser.h"

/* Inputs, outputs and the independent axis; the axes are parsed already. */
AO_MUST_CHECK
struct ao_error *ao_tensors_parse(struct ao_task_parser *parser);

#endif
