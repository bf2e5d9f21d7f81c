/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "agents/task_context.h"

void ao_task_context_init(struct ao_task_context *out,
			  const struct ao_task *task, uint32_t vector_bytes)
{
	out->names = ao_xcalloc(task->axis_count, sizeof(*out->names));
	for (size_t i = 0; i < task->axis_count; i++)
		out->names[i] = task->axes[i].name;
	out->rewrite = (struct ao_rewrite_context){
		.entry = task->entry,
		.axis_names = out->names,
		.axis_values = task->cases[0].extents,
		.axis_count = task->axis_count,
		.vector_bytes = vector_bytes,
	};
}

void ao_task_context_release(struct ao_task_context *context)
{
	free(context->names);
}
