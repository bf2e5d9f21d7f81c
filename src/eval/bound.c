/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/bound.h"
#include "eval/element.h"
#include "eval/pages.h"
#include "eval/reference.h"

enum {
	ENOUGH_ELEMENTS = 32, /* whose changes are surely not all tiny */
	MAX_PROBES = 8,	      /* for slices of fewer */
	MUCH_SMALLER = 16,
};

/* A measurement under way. */
struct probing {
	const struct ao_bounded *bounded;
	struct ao_rng rng;
	struct ao_slicing *slicings; /* [output_count] */
	double **squares; /* [output_count][slices] of the yardsticks */
	double **moved;	  /* the same: squares of changes, over all probes */
	void **inputs;	  /* [input_count] changed a little */
	void **outputs;	  /* [output_count] their answers */
};

static size_t input_bytes(const struct ao_bounded *b, size_t i)
{
	const struct ao_tensor *tensor = &b->task->inputs[i];

	return ao_tensor_elements(tensor, b->c) * ao_dtype_size(tensor->dtype);
}

static size_t output_elements(const struct ao_bounded *b, size_t o)
{
	return ao_tensor_elements(&b->task->outputs[o], b->c);
}

static size_t slice_elements(const struct probing *p, size_t o)
{
	return p->slicings[o].outer * p->slicings[o].inner;
}

static void start(struct probing *p, const struct ao_bounded *b)
{
	size_t outs = b->task->output_count;

	*p = (struct probing){ .bounded = b };
	ao_rng_seed_stream(&p->rng, b->seed, b->stream);
	p->slicings = ao_xcalloc(outs, sizeof(*p->slicings));
	p->squares = ao_xcalloc(outs, sizeof(*p->squares));
	p->moved = ao_xcalloc(outs, sizeof(*p->moved));
	p->inputs = ao_xcalloc(b->task->input_count, sizeof(*p->inputs));
	p->outputs = ao_xcalloc(outs, sizeof(*p->outputs));
	for (size_t o = 0; o < outs; o++) {
		struct ao_view view;

		ao_view_compute(&view, b->task, b->c, &b->task->outputs[o]);
		ao_view_slice(&p->slicings[o], &view);
		p->squares[o] = ao_xcalloc(p->slicings[o].count,
					   sizeof(double));
		p->moved[o] = ao_xcalloc(p->slicings[o].count, sizeof(double));
	}
}

static void finish(struct probing *p)
{
	const struct ao_bounded *b = p->bounded;

	for (size_t i = 0; i < b->task->input_count; i++)
		ao_pages_unmap(p->inputs[i], input_bytes(b, i));
	for (size_t o = 0; o < b->task->output_count; o++) {
		ao_pages_unmap(p->outputs[o],
			       output_elements(b, o) * sizeof(double));
		free(p->squares[o]);
		free(p->moved[o]);
	}
	free(p->slicings);
	free(p->squares);
	free(p->moved);
	free(p->inputs);
	free(p->outputs);
}

/* Add up (a - b)^2 for each slice; without `b`, a^2. */
static void add_squares(double *sums, const struct ao_slicing *by,
			const double *a, const double *b)
{
	for (size_t row = 0; row < by->outer * by->count; row++) {
		size_t at = row * by->inner;
		double sum = 0;

		for (size_t i = at; i < at + by->inner; i++) {
			double d = b ? a[i] - b[i] : a[i];

			sum += d * d;
		}
		sums[row % by->count] += sum;
	}
}

static bool has_much_smaller(const double *squares, size_t count)
{
	double sum = 0, least = squares[0];

	for (size_t i = 0; i < count; i++) {
		sum += squares[i];
		least = fmin(least, squares[i]);
	}
	return least * MUCH_SMALLER * MUCH_SMALLER < sum / (double)count;
}

/* How many probes it takes; integers have to be exact, and need none. */
static size_t probes_for(const struct probing *p)
{
	const struct ao_bounded *b = p->bounded;
	size_t probes = 0;

	for (size_t o = 0; o < b->task->output_count; o++) {
		size_t n = slice_elements(p, o);
		size_t wanted;

		if (!n || ao_element_is_integer(b->task->outputs[o].dtype))
			continue;
		wanted = (ENOUGH_ELEMENTS + n - 1) / n;
		if (!b->is_hard &&
		    !has_much_smaller(p->squares[o], p->slicings[o].count))
			continue;
		wanted = wanted < MAX_PROBES ? wanted : MAX_PROBES;
		probes = probes > wanted ? probes : wanted;
	}
	return probes;
}

static struct ao_error *map_all(struct probing *p)
{
	const struct ao_bounded *b = p->bounded;
	struct ao_error *err = NULL;

	for (size_t i = 0; i < b->task->input_count && !err; i++)
		err = ao_pages_map(&p->inputs[i], input_bytes(b, i),
				   AO_PAGES_PRIVATE);
	for (size_t o = 0; o < b->task->output_count && !err; o++)
		err = ao_pages_map(&p->outputs[o],
				   output_elements(b, o) * sizeof(double),
				   AO_PAGES_SHARED);
	return err;
}

/* Integers are left alone: a little is nothing to them. */
static void change_input(struct probing *p, size_t i)
{
	const struct ao_bounded *b = p->bounded;
	enum ao_dtype dtype = b->task->inputs[i].dtype;
	size_t count = ao_tensor_elements(&b->task->inputs[i], b->c);
	uint64_t signs = 0;

	if (ao_element_is_integer(dtype)) {
		memcpy(p->inputs[i], b->inputs[i], input_bytes(b, i));
		return;
	}
	for (size_t k = 0; k < count; k++) {
		double value = ao_element_load(b->inputs[i], dtype, k);

		signs = k % 64 ? signs >> 1 : ao_rng_next(&p->rng);
		ao_element_store(p->inputs[i], dtype, k,
				 signs & 1 ? value + value * AO_BOUND_STEP
					   : value - value * AO_BOUND_STEP);
	}
}

/* Change the inputs once, and see how far the answers move. */
static struct ao_error *probe(struct probing *p, uint64_t *cpu_ns)
{
	const struct ao_bounded *b = p->bounded;
	size_t ins = b->task->input_count, outs = b->task->output_count;
	void **buffers = ao_xcalloc(ins + outs, sizeof(*buffers));
	uint64_t run_ns = 0;
	struct ao_error *err;

	for (size_t i = 0; i < ins; i++) {
		change_input(p, i);
		buffers[i] = p->inputs[i];
	}
	for (size_t o = 0; o < outs; o++)
		buffers[ins + o] = p->outputs[o];
	err = ao_reference_run(&run_ns, b->reference_object, buffers, 1,
			       ins + outs, b->timeout_ms);
	free(buffers);
	if (err)
		return err;
	*cpu_ns += run_ns;
	for (size_t o = 0; o < outs; o++)
		add_squares(p->moved[o], &p->slicings[o], p->outputs[o],
			    b->expected[o]);
	return NULL;
}

/* A change that leaves what the reference is defined on tells nothing. */
static void take_condition(struct probing *p, size_t o, size_t probes)
{
	for (size_t s = 0; s < p->slicings[o].count; s++) {
		double square = p->moved[o][s] / (double)probes /
				(AO_BOUND_STEP * AO_BOUND_STEP);

		if (isfinite(square) && square > p->squares[o][s])
			p->squares[o][s] = square;
	}
}

/*
 * On hard inputs it may be an intermediate result that is flushed, before it
 * meets large numbers: a gate that is as good as shut, and what it gates.
 */
static const double flushed_early = 0x1p40;

/* What all elements of a slice, if they are flushed, may be off by. */
static double flushed(const struct probing *p, size_t o)
{
	double gain = p->bounded->is_hard ? flushed_early : 1;
	const struct ao_tensor *tensor = &p->bounded->task->outputs[o];
	double elements = (double)slice_elements(p, o);

	if (ao_element_is_integer(tensor->dtype))
		return 1;
	return gain * sqrt(elements) * ao_element_least(tensor->dtype) /
	       tensor->tolerance;
}

/*
 * Where all terms of a sum are equal, rounding errors all go one way: a plain
 * loop is off by its length, not by the root of it.  What hard inputs are there
 * to find is off by far more than that.
 */
static const double hard_slack = 16;

static void hand_out(double **out, struct probing *p)
{
	double slack = p->bounded->is_hard ? hard_slack : 1;

	for (size_t o = 0; o < p->bounded->task->output_count; o++) {
		double least = flushed(p, o);

		for (size_t s = 0; s < p->slicings[o].count; s++)
			p->squares[o][s] = slack *
					   fmax(sqrt(p->squares[o][s]), least);
		out[o] = p->squares[o];
		p->squares[o] = NULL;
	}
}

struct ao_error *ao_bound_measure(double **out, size_t *runs_out,
				  uint64_t *cpu_ns_out,
				  const struct ao_bounded *bounded)
{
	size_t outs = bounded->task->output_count;
	struct ao_error *err = NULL;
	struct probing p;
	size_t probes;

	start(&p, bounded);
	for (size_t o = 0; o < outs; o++)
		add_squares(p.squares[o], &p.slicings[o], bounded->expected[o],
			    NULL);
	probes = probes_for(&p);
	if (probes)
		err = map_all(&p);
	for (size_t i = 0; i < probes && !err; i++)
		err = probe(&p, cpu_ns_out);
	if (!err) {
		for (size_t o = 0; o < outs && probes; o++)
			take_condition(&p, o, probes);
		*runs_out += probes;
		hand_out(out, &p);
	}
	finish(&p);
	return err;
}
