/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>
#include <sys/mman.h>

#include "eval/bound.h"
#include "eval/dataset.h"
#include "eval/draw.h"
#include "eval/element.h"
#include "eval/pages.h"
#include "eval/reference.h"
#include "eval/scratch.h"
#include "util/clock.h"

/* A stream for each set, beside those that its inputs are drawn from. */
#define BOUND_STREAM (UINT64_C(3) << 40)

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

size_t ao_dataset_sets(const struct ao_dataset *dataset)
{
	return dataset->count + dataset->hard_count;
}

/* Free what a set holds. */
static void drop_set(struct ao_dataset *dataset, size_t set)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;

	for (size_t i = 0; i < ins; i++)
		ao_pages_unmap(dataset->inputs[set * ins + i],
			       input_bytes(dataset, i));
	for (size_t o = 0; o < outs; o++) {
		ao_pages_unmap(dataset->expected[set * outs + o],
			       expected_bytes(dataset, o));
		free(dataset->scales[set * outs + o]);
	}
}

void ao_dataset_free(struct ao_dataset *dataset)
{
	if (!dataset)
		return;
	for (size_t set = 0; set < ao_dataset_sets(dataset); set++)
		drop_set(dataset, set);
	free(dataset->inputs);
	free(dataset->expected);
	free(dataset->scales);
	free(dataset->hard_problem);
	free(dataset);
}

/* Answers are shared with the reference's process; inputs are not. */
static struct ao_error *map_all(struct ao_dataset *dataset)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;
	size_t sets = ao_dataset_sets(dataset);
	struct ao_error *err = NULL;

	dataset->inputs = ao_xcalloc(sets * ins, sizeof(*dataset->inputs));
	dataset->expected = ao_xcalloc(sets * outs, sizeof(*dataset->expected));
	dataset->scales = ao_xcalloc(sets * outs, sizeof(*dataset->scales));
	for (size_t i = 0; i < sets * ins && !err; i++)
		err = ao_pages_map(&dataset->inputs[i],
				   input_bytes(dataset, i % ins),
				   AO_PAGES_PRIVATE);
	for (size_t o = 0; o < sets * outs && !err; o++) {
		void *memory = NULL;

		err = ao_pages_map(&memory, expected_bytes(dataset, o % outs),
				   AO_PAGES_SHARED);
		dataset->expected[o] = memory;
	}
	return err;
}

static void draw_inputs(struct ao_dataset *dataset)
{
	const struct ao_task *task = dataset->task;
	void **next = dataset->inputs;
	uint64_t started_ns = ao_clock_cpu_ns();

	for (size_t set = 0; set < dataset->count; set++)
		for (size_t i = 0; i < task->input_count; i++)
			ao_draw_input(*next++, task, dataset->c, dataset->seed,
				      set, i);
	for (size_t set = 0; set < dataset->hard_count; set++) {
		dataset->hard_numbers[set] = set;
		for (size_t i = 0; i < task->input_count; i++)
			ao_draw_hard_input(*next++, task, dataset->c,
					   dataset->seed, set, i);
	}
	dataset->input_cpu_ns = ao_clock_cpu_ns() - started_ns;
}

/* Poison the answers, so that what the reference leaves out is seen. */
static void poison(struct ao_dataset *dataset)
{
	size_t outs = dataset->task->output_count;

	for (size_t o = 0; o < ao_dataset_sets(dataset) * outs; o++) {
		size_t n = expected_bytes(dataset, o % outs) / sizeof(double);

		for (size_t i = 0; i < n; i++)
			dataset->expected[o][i] = NAN;
	}
}

char *ao_dataset_describe(const struct ao_dataset *dataset, size_t set,
			  size_t slice)
{
	return ao_draw_describe(dataset->task, dataset->seed,
				dataset->hard_numbers[set - dataset->count],
				slice);
}

/* The slice of the independent axis that an output's element is of. */
static size_t slice_of(const struct ao_dataset *dataset, size_t output,
		       size_t element)
{
	struct ao_slicing slicing;
	struct ao_view view;

	ao_view_compute(&view, dataset->task, dataset->c,
			&dataset->task->outputs[output]);
	ao_view_slice(&slicing, &view);
	return element / slicing.inner % slicing.count;
}

/* " on hard inputs: ..."; "" for ordinary ones.  The caller frees it. */
static char *where_hard(const struct ao_dataset *dataset, size_t set,
			size_t output, size_t element)
{
	char *inputs, *text;

	if (set < dataset->count)
		return ao_xstrdup("");
	inputs = ao_dataset_describe(dataset, set,
				     slice_of(dataset, output, element));
	text = ao_xstrf(" on hard inputs: %s", inputs);
	free(inputs);
	return text;
}

static char *tell_problem(const struct ao_dataset *dataset, size_t set,
			  size_t output, size_t element, double value)
{
	char *where = where_hard(dataset, set, output, element);
	char *text = ao_xstrf(
		"the reference leaves %g in element %zu of "
		"output '%s'%s%s",
		value, element, dataset->task->outputs[output].name,
		isfinite(value) ? ", which cannot hold it" : "", where);

	free(where);
	return text;
}

/* What is wrong with an answer of a set: the caller frees it; NULL: nothing. */
static char *problem_of_answer(const struct ao_dataset *dataset, size_t set,
			       size_t output)
{
	const struct ao_task *task = dataset->task;
	const struct ao_tensor *tensor = &task->outputs[output];
	size_t n = expected_bytes(dataset, output) / sizeof(double);
	const double *values =
		dataset->expected[set * task->output_count + output];
	double most = ao_element_most(tensor->dtype);

	for (size_t i = 0; i < n; i++)
		if (!(fabs(values[i]) <= most))
			return tell_problem(dataset, set, output, i, values[i]);
	return NULL;
}

static char *problem_of_set(const struct ao_dataset *dataset, size_t set)
{
	char *problem = NULL;

	for (size_t o = 0; o < dataset->task->output_count && !problem; o++)
		problem = problem_of_answer(dataset, set, o);
	return problem;
}

/* The last set takes the place of one that is dropped. */
static void drop_hard_set(struct ao_dataset *dataset, size_t set)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;
	size_t last = ao_dataset_sets(dataset) - 1;

	drop_set(dataset, set);
	memmove(dataset->inputs + set * ins, dataset->inputs + last * ins,
		ins * sizeof(*dataset->inputs));
	memmove(dataset->expected + set * outs, dataset->expected + last * outs,
		outs * sizeof(*dataset->expected));
	memmove(dataset->scales + set * outs, dataset->scales + last * outs,
		outs * sizeof(*dataset->scales));
	dataset->hard_numbers[set - dataset->count] =
		dataset->hard_numbers[last - dataset->count];
	dataset->hard_count--;
}

/*
 * Ordinary answers have to be finite.  Whether hard ones can be depends on the
 * task, whose author is told by its lint; it can be used without them.
 */
static struct ao_error *check_finite(struct ao_dataset *dataset)
{
	struct ao_error *err;

	for (size_t set = ao_dataset_sets(dataset); set-- > 0;) {
		char *problem = problem_of_set(dataset, set);

		if (!problem)
			continue;
		if (set < dataset->count) {
			err = ao_error_new(AO_EINVALID, "%s", problem);
			free(problem);
			return err;
		}
		free(dataset->hard_problem);
		dataset->hard_problem = problem;
		drop_hard_set(dataset, set);
	}
	return NULL;
}

static struct ao_error *compute_answers(struct ao_dataset *dataset,
					const char *object)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;
	size_t sets = ao_dataset_sets(dataset);
	void **buffers = ao_xcalloc(sets * (ins + outs), sizeof(*buffers));
	void **next = buffers;
	struct ao_error *err;

	for (size_t set = 0; set < sets; set++) {
		for (size_t i = 0; i < ins; i++)
			*next++ = dataset->inputs[set * ins + i];
		for (size_t o = 0; o < outs; o++)
			*next++ = dataset->expected[set * outs + o];
	}
	poison(dataset);
	err = ao_reference_run(&dataset->reference_cpu_ns, object, buffers,
			       sets, ins + outs, REFERENCE_TIMEOUT_MS);
	free(buffers);
	dataset->reference_calls = sets;
	return err;
}

static struct ao_error *measure_bounds(struct ao_dataset *dataset,
				       const char *object)
{
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;
	struct ao_error *err = NULL;

	for (size_t set = 0; set < ao_dataset_sets(dataset) && !err; set++) {
		const struct ao_bounded bounded = {
			.task = dataset->task,
			.c = dataset->c,
			.reference_object = object,
			.seed = dataset->seed,
			.stream = BOUND_STREAM | set,
			.is_hard = set >= dataset->count,
			.inputs = dataset->inputs + set * ins,
			.expected = dataset->expected + set * outs,
			.timeout_ms = REFERENCE_TIMEOUT_MS,
		};

		err = ao_bound_measure(dataset->scales + set * outs,
				       &dataset->reference_calls,
				       &dataset->reference_cpu_ns, &bounded);
	}
	return err;
}

static struct ao_error *find_answers(struct ao_dataset *dataset,
				     const char *object)
{
	uint64_t from_ns = ao_clock_cpu_ns();
	struct ao_error *err = compute_answers(dataset, object);

	if (!err)
		err = check_finite(dataset);
	if (!err)
		err = measure_bounds(dataset, object);
	dataset->reference_cpu_ns += ao_clock_cpu_ns() - from_ns;
	return err;
}

/* From now on no child process gets to see them, nor pays for them. */
static void keep_from_children(struct ao_dataset *dataset)
{
	size_t sets = ao_dataset_sets(dataset);
	size_t ins = dataset->task->input_count;
	size_t outs = dataset->task->output_count;

	for (size_t i = 0; i < sets * ins; i++)
		madvise(dataset->inputs[i], input_bytes(dataset, i % ins),
			MADV_DONTFORK);
	for (size_t o = 0; o < sets * outs; o++)
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
	if (reference_object)
		dataset->hard_count = ao_draw_hard_sets(
			task, ao_dataset_set_bytes(task, c));
	err = map_all(dataset);
	if (err)
		goto out;
	draw_inputs(dataset);
	if (reference_object)
		err = find_answers(dataset, reference_object);
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
