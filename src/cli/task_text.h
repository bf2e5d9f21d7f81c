/* SPDX-License-Identifier: MIT */
/* task_text.h - a task's definition for people to read. */
#ifndef AO_CLI_TASK_TEXT_H
#define AO_CLI_TASK_TEXT_H

#include "model/task.h"
#include "util/buf.h"

void ao_task_text(struct ao_buf *out, const struct ao_task *task);

#endif
