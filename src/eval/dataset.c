/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>
#include <sys/mman.h>

#include "eval/dataset.h"
#include "eval/reference.h"
#include "eval/scratch.h"
#include "util/clock.h"
#include "util/rng.h"

/*
 * For all sets of a case.  A reference is as simple as can be, so slow; but it
 * runs once for many candidates.
 */
enum { REFERENCE_TIMEOUT_MS = 300000 };

static size_t input_bytes(const struct ao_dataset *dataset, size_t i)
{
	const struct ao_tensor *tensor = &dataset->task->inputs[i];

	return ao_tensor_elements(tensor, dataset->c) *
	       ao_dtype_size(tensor->dtype);
}

static size_t expected_bytes(const struct ao_dataset *dataset, size_t o)
{
	return ao_tensor_elements(&dataset->task->outputs[o], dataset->c) *
	       sizeof(double);
}

uint64_t ao_dataset_set_bytes(const struct ao_task *task,
			      const struct ao_case *c)
{
	const struct ao_dataset shape = { .task = task, .c = c };
	uint64_t bytes = 0;

	for (size_t i = 0; i < task->input_count; i++)
		bytes += input_bytes(&shape, i);
	for (size_t o = 0; o < task->output_count; o++)
		bytes += expected_bytes(&shape, o);
	return bytes;
}

static void unmap(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes);
}

void ao_dataset_free(struct ao_dataset *dataset)
{
	size_t ins, outs;

	if (!dataset)
		return;
	ins = dataset->task->input_count;
	outs = dataset->task->output_count;
	for (size_t i = 0; i < dataset->count * ins; i++)
		unmap(dataset->inputs[i], input_bytes(dataset, i % ins));
	for (size_t o = 0; o < dataset->count * outs; o++)
		unmap(dataset->expected[o], expected_bytes(dataset, o % outs));
	free(dataset->inputs);
	free(dataset->expected);
	free(dataset);
}

static struct ao_error *map(void **out, size_t bytes, int sharing)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    sharing | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return ao_error_new(AO_ELIMIT,
				    "there is no memory for %zu bytes of a "
				    "dataset",
				    bytes);
	*out = memory;
	return NULL;
}

/* Answers are shared with the reference's process; inputs are not. */
static struct ao_error *map_all(struct ao_dataset *dataset)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;
	struct ao_error *err = NULL;

	dataset->inputs = ao_xcalloc(dataset->count * ins,
				     sizeof(*dataset->inputs));
	dataset->expected = ao_xcalloc(dataset->count * outs,
				       sizeof(*dataset->expected));
	for (size_t i = 0; i < dataset->count * ins && !err; i++)
		err = map(&dataset->inputs[i], input_bytes(dataset, i % ins),
			  MAP_PRIVATE);
	for (size_t o = 0; o < dataset->count * outs && !err; o++) {
		void *memory = NULL;

		err = map(&memory, expected_bytes(dataset, o % outs),
			  MAP_SHARED);
		dataset->expected[o] = memory;
	}
	return err;
}

static double draw(struct ao_rng *rng, const struct ao_tensor *tensor)
{
	switch (tensor->fill) {
	case AO_FILL_NORMAL:
		return tensor->scale * ao_rng_normal(rng);
	case AO_FILL_ABS_NORMAL:
		return tensor->scale * fabs(ao_rng_normal(rng));
	case AO_FILL_UNIFORM:
		break;
	}
	return tensor->scale * (2 * ao_rng_uniform(rng) - 1);
}

static int32_t to_int32(double value)
{
	return (int32_t)fmin(fmax(floor(value), INT32_MIN), INT32_MAX);
}

static void fill(void *data, size_t elements, const struct ao_tensor *tensor,
		 struct ao_rng *rng)
{
	switch (tensor->dtype) {
	case AO_DTYPE_FLOAT32:
		for (size_t i = 0; i < elements; i++)
			((float *)data)[i] = (float)draw(rng, tensor);
		break;
	case AO_DTYPE_FLOAT64:
		for (size_t i = 0; i < elements; i++)
			((double *)data)[i] = draw(rng, tensor);
		break;
	case AO_DTYPE_INT32:
		for (size_t i = 0; i < elements; i++)
			((int32_t *)data)[i] = to_int32(draw(rng, tensor));
		break;
	}
}

/*
 * A stream of its own for each tensor of each set, so that more sets, or
 * another shape of one tensor, leave the numbers of the others alone.
 */
static void draw_inputs(struct ao_dataset *dataset)
{
	const struct ao_task *task = dataset->task;
	uint64_t started_ns = ao_clock_cpu_ns();

	for (size_t set = 0; set < dataset->count; set++) {
		for (size_t i = 0; i < task->input_count; i++) {
			struct ao_rng rng;

			ao_rng_seed_stream(&rng, dataset->seed, set << 16 | i);
			fill(dataset->inputs[set * task->input_count + i],
			     ao_tensor_elements(&task->inputs[i], dataset->c),
			     &task->inputs[i], &rng);
		}
	}
	dataset->input_cpu_ns = ao_clock_cpu_ns() - started_ns;
}

/* Poison the answers, so that what the reference leaves out is seen. */
static void poison(struct ao_dataset *dataset)
{
	size_t outs = dataset->task->output_count;

	for (size_t o = 0; o < dataset->count * outs; o++) {
		size_t n = expected_bytes(dataset, o % outs) / sizeof(double);

		for (size_t i = 0; i < n; i++)
			dataset->expected[o][i] = NAN;
	}
}

static struct ao_error *check_finite(const struct ao_dataset *dataset)
{
	const struct ao_task *task = dataset->task;

	for (size_t o = 0; o < dataset->count * task->output_count; o++) {
		size_t of = o % task->output_count;
		size_t n = expected_bytes(dataset, of) / sizeof(double);

		for (size_t i = 0; i < n; i++) {
			double value = dataset->expected[o][i];

			if (isfinite(value))
				continue;
			return ao_error_new(AO_EINVALID,
					    "the reference leaves %g in "
					    "element %zu of output '%s'",
					    value, i, task->outputs[of].name);
		}
	}
	return NULL;
}

static struct ao_error *compute_answers(struct ao_dataset *dataset,
					const char *object)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;
	void **buffers = ao_xcalloc(dataset->count * (ins + outs),
				    sizeof(*buffers));
	void **next = buffers;
	uint64_t from_ns = ao_clock_cpu_ns();
	struct ao_error *err;

	for (size_t set = 0; set < dataset->count; set++) {
		for (size_t i = 0; i < ins; i++)
			*next++ = dataset->inputs[set * ins + i];
		for (size_t o = 0; o < outs; o++)
			*next++ = dataset->expected[set * outs + o];
	}
	poison(dataset);
	err = ao_reference_run(&dataset->reference_cpu_ns, object, buffers,
			       dataset->count, ins + outs,
			       REFERENCE_TIMEOUT_MS);
	free(buffers);
	if (!err)
		err = check_finite(dataset);
	dataset->reference_cpu_ns += ao_clock_cpu_ns() - from_ns;
	return err;
}

/* From now on no child process gets to see them, nor pays for them. */
static void keep_from_children(struct ao_dataset *dataset)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;

	for (size_t i = 0; i < dataset->count * ins; i++)
		madvise(dataset->inputs[i], input_bytes(dataset, i % ins),
			MADV_DONTFORK);
	for (size_t o = 0; o < dataset->count * outs; o++)
		madvise(dataset->expected[o], expected_bytes(dataset, o % outs),
			MADV_DONTFORK);
}

struct ao_error *ao_dataset_make_with(struct ao_dataset **out,
				      const char *reference_object,
				      const struct ao_task *task,
				      const struct ao_case *c, uint64_t seed,
				      size_t count)
{
	struct ao_dataset *dataset = ao_xcalloc(1, sizeof(*dataset));
	struct ao_error *err;

	dataset->task = task;
	dataset->c = c;
	dataset->seed = seed;
	dataset->count = count;
	err = map_all(dataset);
	if (err)
		goto out;
	draw_inputs(dataset);
	if (reference_object)
		err = compute_answers(dataset, reference_object);
	if (err)
		goto out;
	keep_from_children(dataset);
	*out = dataset;
	dataset = NULL;
out:
	ao_dataset_free(dataset);
	if (err)
		return ao_error_wrap(err,
				     "cannot make inputs and answers for case "
				     "'%s' of task '%s'",
				     c->name, task->name);
	return NULL;
}

struct ao_error *ao_dataset_draw(struct ao_dataset **out,
				 const struct ao_task *task,
				 const struct ao_case *c, uint64_t seed,
				 size_t count)
{
	return ao_dataset_make_with(out, NULL, task, c, seed, count);
}

struct ao_error *ao_dataset_make(struct ao_dataset **out,
				 const struct ao_task *task,
				 const struct ao_case *c, uint64_t seed,
				 size_t count)
{
	struct ao_reference reference = { 0 };
	struct ao_dataset *dataset = NULL;
	struct ao_error *err;
	struct ao_scratch *scratch;

	err = ao_scratch_new(&scratch);
	if (err)
		return err;
	err = ao_reference_build(&reference, ao_scratch_folder(scratch), task,
				 c);
	if (!err)
		err = ao_dataset_make_with(&dataset, reference.object, task, c,
					   seed, count);
	if (!err) {
		dataset->reference_cpu_ns += reference.cpu_ns;
		*out = dataset;
	}
	ao_reference_release(&reference);
	ao_scratch_free(scratch);
	return err;
}
