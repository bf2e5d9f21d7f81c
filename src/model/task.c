/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>

#include "model/expr.h"
#include "model/task.h"
#include "util/crypto.h"
#include "util/text.h"

enum { MAX_TASK_NAME = 64 };

static const struct {
	const char *name;
	size_t size;
} dtypes[] = {
	[AO_DTYPE_FLOAT32] = { "float32", 4 },
	[AO_DTYPE_FLOAT64] = { "float64", 8 },
	[AO_DTYPE_INT32] = { "int32", 4 },
};

static const char *const work_names[AO_WORK_COUNT] = {
	[AO_WORK_FMA] = "fma", [AO_WORK_ADD] = "add",	[AO_WORK_MUL] = "mul",
	[AO_WORK_DIV] = "div", [AO_WORK_SQRT] = "sqrt", [AO_WORK_EXP] = "exp",
};

size_t ao_dtype_size(enum ao_dtype dtype)
{
	return dtypes[dtype].size;
}

const char *ao_dtype_name(enum ao_dtype dtype)
{
	return dtypes[dtype].name;
}

static const char *const hard_names[AO_HARD_COUNT] = {
	[AO_HARD_LARGE] = "large",	 [AO_HARD_DENORMAL] = "denormal",
	[AO_HARD_EQUAL] = "equal",	 [AO_HARD_ONE_HOT] = "one_hot",
	[AO_HARD_MAX_LAST] = "max_last", [AO_HARD_ALTERNATING] = "alternating",
};

const char *ao_hard_name(enum ao_hard hard)
{
	return hard_names[hard];
}

const char *ao_work_name(enum ao_work work)
{
	return work_names[work];
}

static void free_tensors(struct ao_tensor *tensors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(tensors[i].name);
		free(tensors[i].axes);
	}
	free(tensors);
}

void ao_task_free(struct ao_task *task)
{
	if (!task)
		return;
	free(task->name);
	free(task->op_type);
	free(task->description);
	free(task->target);
	free(task->entry);
	ao_strs_release(&task->kernel_files);
	free(task->reference_file);
	free(task->reference);
	free(task->practitioner_file);
	for (size_t i = 0; i < task->axis_count; i++) {
		free(task->axes[i].name);
		free(task->axes[i].expression);
	}
	free(task->axes);
	for (size_t i = 0; i < task->scalar_count; i++)
		free(task->scalars[i].name);
	free(task->scalars);
	free_tensors(task->inputs, task->input_count);
	free_tensors(task->outputs, task->output_count);
	for (size_t i = 0; i < task->case_count; i++) {
		free(task->cases[i].name);
		free(task->cases[i].extents);
	}
	free(task->cases);
	for (size_t i = 0; i < AO_WORK_COUNT; i++)
		free(task->work[i]);
	free(task->json);
	free(task);
}

void ao_task_set_reference(struct ao_task *task, const char *text, size_t len)
{
	struct ao_hash *hash = ao_hash_new();

	free(task->reference);
	task->reference = ao_xstrndup(text, len);
	ao_hash_add(hash, task->json, task->json_len);
	ao_hash_add(hash, text, len);
	ao_hash_finish(hash, task->id);
}

size_t ao_tensor_elements(const struct ao_tensor *tensor,
			  const struct ao_case *c)
{
	size_t elements = 1;

	for (size_t i = 0; i < tensor->rank; i++)
		elements *= (size_t)c->extents[tensor->axes[i]];
	return elements;
}

static double bytes_of(const struct ao_tensor *tensors, size_t count,
		       const struct ao_case *c)
{
	double bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += (double)(ao_tensor_elements(&tensors[i], c) *
				  ao_dtype_size(tensors[i].dtype));
	return bytes;
}

double ao_task_bytes(const struct ao_task *task, const struct ao_case *c)
{
	return bytes_of(task->inputs, task->input_count, c) +
	       bytes_of(task->outputs, task->output_count, c);
}

/* Axes whose extents are known. */
struct known_axes {
	const struct ao_axis *axes;
	size_t count;
	const int64_t *extents;
};

static bool look_up(void *data, const char *name, size_t len, double *value_out)
{
	const struct known_axes *known = data;

	for (size_t i = 0; i < known->count; i++) {
		if (strncmp(known->axes[i].name, name, len) != 0 ||
		    known->axes[i].name[len])
			continue;
		*value_out = (double)known->extents[i];
		return true;
	}
	return false;
}

struct ao_error *ao_task_eval(double *out, const struct ao_task *task,
			      size_t count, const int64_t *extents,
			      const char *expression)
{
	struct known_axes known = { task->axes, count, extents };

	return ao_expr_eval(out, expression, look_up, &known);
}

double ao_task_work(const struct ao_task *task, const struct ao_case *c,
		    enum ao_work work)
{
	struct ao_error *err;
	double value = 0;

	if (!task->work[work])
		return 0;
	err = ao_task_eval(&value, task, task->axis_count, c->extents,
			   task->work[work]);
	/* ao_task_parse() took no task whose work cannot be computed. */
	assert(!err);
	ao_error_free(err);
	return value;
}

bool ao_task_has_threads(const struct ao_task *task)
{
	return task->threads > 1;
}

uint32_t ao_task_threads(const struct ao_task *task, uint32_t cpus)
{
	uint32_t threads = task->threads < cpus ? task->threads : cpus;

	return threads ? threads : 1;
}

const struct ao_case *ao_task_case(const struct ao_task *task, const char *name)
{
	for (size_t i = 0; i < task->case_count; i++)
		if (!strcmp(task->cases[i].name, name))
			return &task->cases[i];
	return NULL;
}

bool ao_task_name_is_valid(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789._-");

	/* What git refuses in a ref, and what a shell or option would be. */
	return len && len <= MAX_TASK_NAME && !name[len] && *name != '.' &&
	       *name != '-' && name[len - 1] != '.' && !strstr(name, "..") &&
	       !ao_text_ends_with(name, ".lock");
}
