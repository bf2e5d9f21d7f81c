/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are either refused as a task, or are one of which everything that
 * others rely on holds.
 */
#include "util/base.h"

#include <math.h>

#include "fuzz.h"
#include "model/task.h"
#include "util/limits.h"

static void check_tensors(const struct ao_task *task,
			  const struct ao_tensor *tensors, size_t count)
{
	FUZZ_CHECK(count >= 1 && count <= AO_MAX_TENSORS);
	for (size_t i = 0; i < count; i++) {
		FUZZ_CHECK(tensors[i].rank <= AO_MAX_RANK);
		FUZZ_CHECK(tensors[i].hard >> AO_HARD_COUNT == 0);
		for (size_t j = 0; j < tensors[i].rank; j++)
			FUZZ_CHECK(tensors[i].axes[j] < task->axis_count);
	}
}

static void check_case(const struct ao_task *task, const struct ao_case *c)
{
	double bytes = ao_task_bytes(task, c);

	FUZZ_CHECK(ao_task_case(task, c->name) == c);
	FUZZ_CHECK(c->weight >= 0);
	for (size_t i = 0; i < task->axis_count; i++)
		FUZZ_CHECK(c->extents[i] >= 1 && c->extents[i] <= INT32_MAX);
	for (size_t i = 0; i < task->axis_count; i++) {
		FUZZ_CHECK(task->axes[i].multiple >= 1);
		FUZZ_CHECK(task->axes[i].multiple_axis <= task->axis_count);
	}
	FUZZ_CHECK(bytes > 0 && bytes <= (double)AO_MAX_TENSOR_BYTES);
	for (size_t i = 0; i < AO_WORK_COUNT; i++) {
		double work = ao_task_work(task, c, (enum ao_work)i);

		FUZZ_CHECK(isfinite(work) && work >= 0);
	}
}

static void check_path(const char *path)
{
	FUZZ_CHECK(*path && *path != '/' && strncmp(path, "../", 3) != 0);
	FUZZ_CHECK(strcmp(path, "..") != 0 && !strstr(path, "/../"));
}

static void check_paths(const struct ao_task *task)
{
	FUZZ_CHECK(task->kernel_files.count >= 1);
	FUZZ_CHECK(!ao_strs_has(&task->kernel_files, task->reference_file));
	for (size_t i = 0; i < task->kernel_files.count; i++)
		check_path(task->kernel_files.v[i]);
	check_path(task->reference_file);
	if (!task->practitioner_file)
		return;
	check_path(task->practitioner_file);
	FUZZ_CHECK(!ao_strs_has(&task->kernel_files, task->practitioner_file));
	FUZZ_CHECK(strcmp(task->practitioner_file, task->reference_file) != 0);
}

static void check_task(struct ao_task *task)
{
	FUZZ_CHECK(ao_task_name_is_valid(task->name));
	check_tensors(task, task->inputs, task->input_count);
	check_tensors(task, task->outputs, task->output_count);
	check_paths(task);
	FUZZ_CHECK(task->case_count >= 1 && task->cases[0].weight > 0);
	for (size_t i = 0; i < task->case_count; i++)
		check_case(task, &task->cases[i]);
	FUZZ_CHECK(task->independent_axis <= task->axis_count);
	ao_task_set_reference(task, "x", 1);
	FUZZ_CHECK(strlen(task->id) == AO_ID_SIZE - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_task *task = NULL;
	struct ao_error *err;

	err = ao_task_parse(&task, "fuzz", (const char *)data, size);
	FUZZ_CHECK(!err == !!task);
	if (task)
		check_task(task);
	ao_error_free(err);
	ao_task_free(task);
	return 0;
}
