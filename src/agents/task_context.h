/* SPDX-License-Identifier: MIT */
/* task_context.h - what a task says of its kernel's source, for rewriting. */
#ifndef AO_AGENTS_TASK_CONTEXT_H
#define AO_AGENTS_TASK_CONTEXT_H

#include "model/task.h"
#include "rewrite/context.h"

struct ao_task_context {
	struct ao_rewrite_context rewrite;
	const char **names; /* of axes */
};

/* The task is borrowed; `vector_bytes` as in struct ao_rewrite_context. */
void ao_task_context_init(struct ao_task_context *out,
			  const struct ao_task *task, uint32_t vector_bytes);
void ao_task_context_release(struct ao_task_context *context);

#endif
