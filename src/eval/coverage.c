/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/coverage.h"
#include "eval/draw.h"
#include "eval/pages.h"
#include "eval/reference.h"
#include "eval/scratch.h"

enum {
	BLOCKS = 8, /* of a tensor, at most */
	TRIES = 3,  /* to change something */
	TIMEOUT_MS = 60000,
};

/* A case whose inputs are changed. */
struct look {
	const struct ao_task *task;
	const struct ao_case *c;
	const char *object;
	uint64_t seed;
	void **drawn;  /* [TRIES + 1][input_count] sets of inputs */
	void **inputs; /* [input_count] set 0, with a block of another */
	void **before; /* [output_count] answers of set 0 */
	void **after;  /* [output_count] */
	bool (*has_changed)[BLOCKS]; /* [output_count] */
};

static size_t elements_of(const struct look *look,
			  const struct ao_tensor *tensor)
{
	return ao_tensor_elements(tensor, look->c);
}

static size_t input_bytes(const struct look *look, size_t i)
{
	const struct ao_tensor *tensor = &look->task->inputs[i];

	return elements_of(look, tensor) * ao_dtype_size(tensor->dtype);
}

static size_t output_bytes(const struct look *look, size_t o)
{
	return elements_of(look, &look->task->outputs[o]) * sizeof(double);
}

/* Where block number `block` of `count` elements begins. */
static size_t start_of(size_t count, size_t block)
{
	return count * block / BLOCKS;
}

static void release(struct look *look)
{
	size_t ins = look->task->input_count, outs = look->task->output_count;

	for (size_t i = 0; i < ins * (TRIES + 1); i++)
		ao_pages_unmap(look->drawn[i], input_bytes(look, i % ins));
	for (size_t i = 0; i < ins; i++)
		ao_pages_unmap(look->inputs[i], input_bytes(look, i));
	for (size_t o = 0; o < outs; o++) {
		ao_pages_unmap(look->before[o], output_bytes(look, o));
		ao_pages_unmap(look->after[o], output_bytes(look, o));
	}
	free(look->drawn);
	free(look->inputs);
	free(look->before);
	free(look->after);
	free(look->has_changed);
}

static struct ao_error *map_all(struct look *look)
{
	size_t ins = look->task->input_count, outs = look->task->output_count;
	struct ao_error *err = NULL;

	look->drawn = ao_xcalloc(ins * (TRIES + 1), sizeof(void *));
	look->inputs = ao_xcalloc(ins, sizeof(void *));
	look->before = ao_xcalloc(outs, sizeof(void *));
	look->after = ao_xcalloc(outs, sizeof(void *));
	look->has_changed = ao_xcalloc(outs, sizeof(*look->has_changed));
	for (size_t i = 0; i < ins * (TRIES + 1) && !err; i++)
		err = ao_pages_map(&look->drawn[i], input_bytes(look, i % ins),
				   AO_PAGES_PRIVATE);
	for (size_t i = 0; i < ins && !err; i++)
		err = ao_pages_map(&look->inputs[i], input_bytes(look, i),
				   AO_PAGES_PRIVATE);
	for (size_t o = 0; o < outs && !err; o++) {
		err = ao_pages_map(&look->before[o], output_bytes(look, o),
				   AO_PAGES_SHARED);
		if (!err)
			err = ao_pages_map(&look->after[o],
					   output_bytes(look, o),
					   AO_PAGES_SHARED);
	}
	return err;
}

static void draw_all(struct look *look)
{
	size_t ins = look->task->input_count;

	for (size_t set = 0; set <= TRIES; set++)
		for (size_t i = 0; i < ins; i++)
			ao_draw_input(look->drawn[set * ins + i], look->task,
				      look->c, look->seed, set, i);
	for (size_t i = 0; i < ins; i++)
		memcpy(look->inputs[i], look->drawn[i], input_bytes(look, i));
}

static struct ao_error *run(struct look *look, void **outputs)
{
	size_t ins = look->task->input_count, outs = look->task->output_count;
	void **buffers = ao_xcalloc(ins + outs, sizeof(*buffers));
	uint64_t cpu_ns;
	struct ao_error *err;

	memcpy(buffers, look->inputs, ins * sizeof(*buffers));
	memcpy(buffers + ins, outputs, outs * sizeof(*buffers));
	err = ao_reference_run(&cpu_ns, look->object, buffers, 1, ins + outs,
			       TIMEOUT_MS);
	free(buffers);
	return err;
}

/* Note what has changed; returns whether anything has. */
static bool compare(struct look *look)
{
	bool is_any = false;

	for (size_t o = 0; o < look->task->output_count; o++) {
		size_t count = elements_of(look, &look->task->outputs[o]);
		const double *before = look->before[o], *after = look->after[o];

		for (size_t b = 0; b < BLOCKS; b++) {
			size_t from = start_of(count, b);
			size_t n = start_of(count, b + 1) - from;
			bool is_same = !memcmp(before + from, after + from,
					       n * sizeof(*before));

			look->has_changed[o][b] |= !is_same;
			is_any = is_any || !is_same;
		}
	}
	return is_any;
}

/* Whether a block of an input, once it is another, changes any output. */
static struct ao_error *try_block(bool *out, struct look *look, size_t input,
				  size_t block)
{
	const struct ao_tensor *tensor = &look->task->inputs[input];
	size_t count = elements_of(look, tensor);
	size_t size = ao_dtype_size(tensor->dtype);
	size_t at = start_of(count, block) * size;
	size_t bytes = start_of(count, block + 1) * size - at;
	char *here = (char *)look->inputs[input] + at;
	struct ao_error *err = NULL;

	*out = !bytes;
	for (size_t i = 1; i <= TRIES && !*out && !err; i++) {
		const char *other =
			look->drawn[i * look->task->input_count + input];

		memcpy(here, other + at, bytes);
		err = run(look, look->after);
		if (!err)
			*out = compare(look);
	}
	memcpy(here, (const char *)look->drawn[input] + at, bytes);
	return err;
}

static void tell(struct ao_buf *out, const char *kind, const char *name,
		 size_t count, size_t block, const char *what)
{
	ao_buf_addf(out, "%selements %zu to %zu of %s '%s' %s",
		    out->len ? "; " : "", start_of(count, block),
		    start_of(count, block + 1) - 1, kind, name, what);
}

static struct ao_error *try_inputs(struct ao_buf *out, struct look *look)
{
	struct ao_error *err = NULL;

	for (size_t i = 0; i < look->task->input_count; i++) {
		const struct ao_tensor *tensor = &look->task->inputs[i];

		for (size_t b = 0; b < BLOCKS; b++) {
			bool matters = false;

			err = try_block(&matters, look, i, b);
			if (err)
				return err;
			if (!matters)
				tell(out, "input", tensor->name,
				     elements_of(look, tensor), b,
				     "change nothing");
		}
	}
	return NULL;
}

static void tell_outputs(struct ao_buf *out, const struct look *look)
{
	for (size_t o = 0; o < look->task->output_count; o++) {
		const struct ao_tensor *tensor = &look->task->outputs[o];
		size_t count = elements_of(look, tensor);

		for (size_t b = 0; b < BLOCKS; b++)
			if (start_of(count, b) < start_of(count, b + 1) &&
			    !look->has_changed[o][b])
				tell(out, "output", tensor->name, count, b,
				     "never change");
	}
}

static struct ao_error *look_at(struct ao_buf *out, struct look *look)
{
	struct ao_error *err = map_all(look);

	if (err)
		return err;
	draw_all(look);
	err = run(look, look->before);
	if (!err)
		err = try_inputs(out, look);
	if (!err)
		tell_outputs(out, look);
	return err;
}

struct ao_error *ao_coverage_look(struct ao_buf *out,
				  const struct ao_task *task,
				  const struct ao_case *c, uint64_t seed)
{
	struct look look = { .task = task, .c = c, .seed = seed };
	struct ao_reference reference = { 0 };
	struct ao_scratch *scratch;
	struct ao_error *err;

	err = ao_scratch_new(&scratch);
	if (err)
		return err;
	err = ao_reference_build(&reference, ao_scratch_folder(scratch), task,
				 c);
	if (!err) {
		look.object = reference.object;
		err = look_at(out, &look);
		release(&look);
	}
	ao_reference_release(&reference);
	ao_scratch_free(scratch);
	return err;
}
