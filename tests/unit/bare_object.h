/* SPDX-License-Identifier: MIT */
/*
 * bare_object.h - objects of kernels as gcc alone makes them, without the gates
 * of texts and objects, so that what stands behind those is tested.
 */
#ifndef AO_TEST_BARE_OBJECT_H
#define AO_TEST_BARE_OBJECT_H

#include "model/task.h"
#include "util/process.h"
#include "util/strs.h"

/*
 * Build `source`, a file, for a task's first case in `folder`, with `flag`.
 * The path of the object, which the caller frees; NULL if there is none.
 */
static inline char *bare_object(const char *folder, const struct ao_task *task,
				const char *source, const char *flag)
{
	char *object = ao_xstrf("%s/kernel.so", folder);
	struct ao_process_end end = { 0 };
	struct ao_strs args = { 0 };
	struct ao_process_spec spec = { .max_errors = 4096 };
	struct ao_error *err;
	bool is_built;

	ao_strs_push(&args, "gcc");
	for (size_t i = 0; i < task->axis_count; i++)
		ao_strs_pushf(&args, "-D%s=%" PRId64, task->axes[i].name,
			      task->cases[0].extents[i]);
	ao_strs_push(&args, flag);
	ao_strs_push(&args, "-O2");
	ao_strs_push(&args, "-w");
	ao_strs_push(&args, "-fPIC");
	ao_strs_push(&args, "-shared");
	ao_strs_push(&args, "-o");
	ao_strs_push(&args, object);
	ao_strs_push(&args, source);
	ao_strs_push(&args, "-lm");
	spec.argv = (const char *const *)args.v;
	err = ao_process_run(&end, &spec);
	is_built = !err && !end.status;
	if (!is_built)
		printf("# %s\n", err ? ao_error_message(err) : end.errors);
	ao_error_free(err);
	ao_process_end_release(&end);
	ao_strs_release(&args);
	if (is_built)
		return object;
	free(object);
	return NULL;
}

#endif
