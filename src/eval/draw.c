/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/draw.h"
#include "eval/element.h"
#include "util/buf.h"

/* Streams of random numbers: ordinary sets are below all of these. */
#define HARD_STREAM (UINT64_C(1) << 40)
#define KIND_STREAM (UINT64_C(2) << 40)

static const double large = 1000, by_far = 100;

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

void ao_draw_input(void *data, const struct ao_task *task,
		   const struct ao_case *c, uint64_t seed, size_t set,
		   size_t input)
{
	const struct ao_tensor *tensor = &task->inputs[input];
	size_t elements = ao_tensor_elements(tensor, c);
	struct ao_rng rng;

	ao_rng_seed_stream(&rng, seed, set << 16 | input);
	for (size_t i = 0; i < elements; i++)
		ao_element_store(data, tensor->dtype, i, draw(&rng, tensor));
}

/* One slice of a tensor that is being made. */
struct slice {
	const struct ao_tensor *tensor;
	const struct ao_slicing *slicing;
	struct ao_rng *rng;
	void *data;
	size_t index;
	size_t count; /* elements */
};

static void put(const struct slice *slice, size_t k, double value)
{
	const struct ao_slicing *by = slice->slicing;
	size_t row = k / by->inner * by->count + slice->index;

	ao_element_store(slice->data, slice->tensor->dtype,
			 row * by->inner + k % by->inner, value);
}

static void put_drawn(const struct slice *slice, double factor)
{
	for (size_t k = 0; k < slice->count; k++)
		put(slice, k, factor * draw(slice->rng, slice->tensor));
}

static void put_equal(const struct slice *slice, double value)
{
	for (size_t k = 0; k < slice->count; k++)
		put(slice, k, value);
}

static void put_denormal(const struct slice *slice)
{
	double least = ao_element_least(slice->tensor->dtype);

	for (size_t k = 0; k < slice->count; k++) {
		double value = least * (2 * ao_rng_uniform(slice->rng) - 1);

		put(slice, k,
		    slice->tensor->fill == AO_FILL_ABS_NORMAL ? fabs(value)
							      : value);
	}
}

/* Of a range its upper end, which itself is not part of it. */
static double largest(const struct ao_tensor *tensor)
{
	if (tensor->fill != AO_FILL_UNIFORM)
		return by_far * tensor->scale;
	if (ao_element_is_integer(tensor->dtype))
		return ceil(tensor->scale) - 1;
	return tensor->scale * (1 - 0x1p-10);
}

/* Nearly of one size, so that what is left of a sum is very little of it. */
static void put_alternating(const struct slice *slice)
{
	double size = fabs(draw(slice->rng, slice->tensor));

	for (size_t k = 0; k < slice->count; k++) {
		double value = size *
			       (1 - 0x1p-10 * ao_rng_uniform(slice->rng));

		put(slice, k, k % 2 ? -value : value);
	}
}

static void put_kind(const struct slice *slice, enum ao_hard kind)
{
	switch (kind) {
	case AO_HARD_LARGE:
		put_drawn(slice, large);
		break;
	case AO_HARD_DENORMAL:
		put_denormal(slice);
		break;
	case AO_HARD_EQUAL:
		put_equal(slice, draw(slice->rng, slice->tensor));
		break;
	case AO_HARD_ONE_HOT:
		put_equal(slice, 0);
		put(slice, ao_rng_below(slice->rng, slice->count),
		    draw(slice->rng, slice->tensor));
		break;
	case AO_HARD_MAX_LAST:
		put_drawn(slice, 0.5);
		put(slice, slice->count - 1, largest(slice->tensor));
		break;
	case AO_HARD_ALTERNATING:
		put_alternating(slice);
		break;
	case AO_HARD_COUNT:
		break;
	}
}

static size_t count_kinds(uint32_t kinds)
{
	return (size_t)__builtin_popcount(kinds);
}

/*
 * The kind of a slice of an input that has any.  They take turns, from a start
 * that the seed decides for each input by itself: not always the same kinds of
 * two inputs meet.
 */
static enum ao_hard kind_of(const struct ao_task *task, uint64_t seed,
			    size_t set, size_t input, size_t slice)
{
	uint32_t kinds = task->inputs[input].hard;
	size_t count = count_kinds(kinds);
	struct ao_rng rng;
	size_t nth;

	ao_rng_seed_stream(&rng, seed, KIND_STREAM | input);
	nth = (ao_rng_below(&rng, count) + set + slice) % count;
	for (; nth; nth--)
		kinds &= kinds - 1;
	return (enum ao_hard)__builtin_ctz(kinds);
}

void ao_draw_hard_input(void *data, const struct ao_task *task,
			const struct ao_case *c, uint64_t seed, size_t set,
			size_t input)
{
	struct ao_slicing slicing;
	struct ao_view view;
	struct ao_rng rng;
	struct slice slice = { .tensor = &task->inputs[input],
			       .slicing = &slicing,
			       .rng = &rng,
			       .data = data };

	ao_view_compute(&view, task, c, slice.tensor);
	ao_view_slice(&slicing, &view);
	slice.count = slicing.outer * slicing.inner;
	ao_rng_seed_stream(&rng, seed, HARD_STREAM | set << 16 | input);
	for (; slice.index < slicing.count; slice.index++) {
		if (slice.tensor->hard)
			put_kind(&slice,
				 kind_of(task, seed, set, input, slice.index));
		else
			put_drawn(&slice, 1);
	}
}

size_t ao_draw_hard_sets(const struct ao_task *task, uint64_t set_bytes)
{
	static const struct {
		uint64_t bytes; /* up to so many */
		size_t sets;
	} sizes[] = {
		{ UINT64_C(1) << 20, AO_HARD_COUNT },
		{ UINT64_C(16) << 20, 2 },
		{ UINT64_C(256) << 20, 1 },
	};
	uint32_t kinds = 0;

	for (size_t i = 0; i < task->input_count; i++)
		kinds |= task->inputs[i].hard;
	for (size_t i = 0; kinds && i < AO_ARRAY_SIZE(sizes); i++)
		if (set_bytes <= sizes[i].bytes)
			return sizes[i].sets;
	return 0;
}

static bool has_slices(const struct ao_task *task, size_t input)
{
	const struct ao_tensor *tensor = &task->inputs[input];

	for (size_t i = 0; i < tensor->rank; i++)
		if (tensor->axes[i] == task->independent_axis)
			return true;
	return false;
}

char *ao_draw_describe(const struct ao_task *task, uint64_t seed, size_t set,
		       size_t slice)
{
	struct ao_buf text = AO_BUF_INIT((size_t)AO_MAX_TENSORS * 128);

	for (size_t i = 0; i < task->input_count; i++) {
		size_t at = has_slices(task, i) ? slice : 0;

		if (!task->inputs[i].hard)
			continue;
		ao_buf_addf(&text, "%s%s %s", text.len ? ", " : "",
			    task->inputs[i].name,
			    ao_hard_name(kind_of(task, seed, set, i, at)));
	}
	return ao_buf_take(&text);
}
