/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <math.h>

#include "eval/check.h"
#include "util/buf.h"

/*
 * Elements are turned into doubles a chunk at a time, so that one loop serves
 * all dtypes and orders.  A chunk stays in the first-level cache.
 *
 * Every element of every call passes here.  Inner loops of a fixed length, on
 * pointers that do not alias, are what compilers vectorise at any level; and a
 * single sum would wait for itself at each element.
 */
enum { CHUNK = 256, LANES = 8 };

struct chunk {
	size_t first; /* its first element, as the kernel counts */
	size_t count;
	/* Its slice, as the kernel counts; if it is across, of element 0. */
	size_t slice;
	bool is_across; /* each element is of the next slice */
	double got[CHUNK];
	const double *expected; /* [count] in place, or in `gathered` */
	double gathered[CHUNK];
};
typedef void chunk_cb(void *data, const struct chunk *chunk);

struct chunk_walk {
	const struct ao_checked *checked;
	struct ao_slicing slicing;
	chunk_cb *cb;
	void *data;
	struct chunk chunk;
};

static void widen(double *restrict to, const float *restrict from, size_t count)
{
	size_t i = 0;

	for (; i + LANES <= count; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++)
			to[i + lane] = (double)from[i + lane];
	for (; i < count; i++)
		to[i] = (double)from[i];
}

static void load_got(struct chunk *chunk, const struct ao_checked *checked)
{
	const float *f32 = (const float *)checked->got + chunk->first;
	const double *f64 = (const double *)checked->got + chunk->first;
	const int32_t *i32 = (const int32_t *)checked->got + chunk->first;

	switch (checked->tensor->dtype) {
	case AO_DTYPE_FLOAT32:
		widen(chunk->got, f32, chunk->count);
		break;
	case AO_DTYPE_FLOAT64:
		memcpy(chunk->got, f64, chunk->count * sizeof(*f64));
		break;
	case AO_DTYPE_INT32:
		for (size_t i = 0; i < chunk->count; i++)
			chunk->got[i] = i32[i];
		break;
	}
}

/* `from` is the row's first element, if there is no order. */
static void load_expected(struct chunk *chunk, const double *from,
			  const struct ao_row *row, size_t start)
{
	const size_t *order = row->order;

	if (!order) {
		chunk->expected = from + start;
		return;
	}
	chunk->expected = chunk->gathered;
	if (row->run > 1 && CHUNK % row->run == 0) {
		for (size_t i = 0; i < chunk->count; i += row->run)
			memcpy(chunk->gathered + i, from + order[start + i],
			       row->run * sizeof(*from));
		return;
	}
	for (size_t i = 0; i < chunk->count; i++)
		chunk->gathered[i] = from[order[start + i]];
}

static void walk_row(void *data, const struct ao_row *row)
{
	struct chunk_walk *walk = data;
	struct chunk *chunk = &walk->chunk;

	for (size_t start = 0; start < row->count; start += CHUNK) {
		size_t left = row->count - start;

		chunk->first = row->to + start;
		chunk->count = left < CHUNK ? left : CHUNK;
		chunk->is_across = row->order;
		chunk->slice = chunk->is_across
				       ? start
				       : row->to / walk->slicing.inner %
						 walk->slicing.count;
		load_got(chunk, walk->checked);
		load_expected(chunk, walk->checked->expected + row->from, row,
			      start);
		walk->cb(walk->data, chunk);
	}
}

/* Without an order there is no independent axis either: one slice. */
static struct ao_view view_of(const struct ao_checked *checked)
{
	struct ao_view view = checked->view;

	if (!checked->order)
		memset(view.is_independent, 0, sizeof(view.is_independent));
	return view;
}

static void walk_chunks(const struct ao_checked *checked, chunk_cb *cb,
			void *data)
{
	struct chunk_walk walk;
	struct ao_view view = view_of(checked);

	walk.checked = checked;
	walk.cb = cb;
	walk.data = data;
	ao_view_slice(&walk.slicing, &view);
	ao_permute_rows(&view, checked->order, walk_row, &walk);
}

/* The sum of (a - b)^2. */
static double squared_distance(const double *restrict a,
			       const double *restrict b, size_t count)
{
	double lanes[LANES] = { 0 };
	double sum = 0;
	size_t i = 0;

	for (; i + LANES <= count; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++) {
			double d = a[i + lane] - b[i + lane];

			lanes[lane] += d * d;
		}
	for (; i < count; i++)
		lanes[0] += (a[i] - b[i]) * (a[i] - b[i]);
	for (size_t lane = 0; lane < LANES; lane++)
		sum += lanes[lane];
	return sum;
}

/* Add to the sum of the slice, or to one for each element. */
static void add_distance(void *data, const struct chunk *chunk)
{
	double *sums = (double *)data + chunk->slice;

	if (!chunk->is_across) {
		*sums += squared_distance(chunk->got, chunk->expected,
					  chunk->count);
		return;
	}
	for (size_t i = 0; i < chunk->count; i++) {
		double d = chunk->got[i] - chunk->expected[i];

		sums[i] += d * d;
	}
}

double ao_check_norm(const double *values, size_t count)
{
	static const double zeros[CHUNK];
	double sum = 0;

	for (size_t i = 0; i < count; i += CHUNK)
		sum += squared_distance(values + i, zeros,
					count - i < CHUNK ? count - i : CHUNK);
	return sqrt(sum);
}

/* Where the error is largest, and how large it is. */
struct measured {
	double error; /* of the whole, or of the worst slice */
	size_t slice; /* the worst, in the order before */
	double worst; /* its error, 0 without yardsticks */
};

static size_t slice_before(const struct ao_checked *checked, size_t slice)
{
	return checked->order ? checked->order[slice] : slice;
}

/* NAN is worse than anything, and stays so. */
static bool is_worse(double error, double than)
{
	return !isnan(than) && !(error <= than);
}

static struct measured measure(const struct ao_checked *checked)
{
	struct ao_view view = view_of(checked);
	struct measured out = { 0 };
	struct ao_slicing slicing;
	double *sums;
	double total = 0;

	ao_view_slice(&slicing, &view);
	sums = ao_xcalloc(slicing.count, sizeof(*sums));
	walk_chunks(checked, add_distance, sums);
	for (size_t s = 0; s < slicing.count; s++) {
		size_t before = slice_before(checked, s);
		double error = checked->scales
				       ? sqrt(sums[s]) / checked->scales[before]
				       : 0;

		total += sums[s];
		if (is_worse(error, out.worst)) {
			out.worst = error;
			out.slice = before;
		}
	}
	free(sums);
	out.error = out.worst;
	if (!checked->scales || !checked->is_hard) {
		double norm = checked->norm > 0 ? checked->norm : 1;

		if (is_worse(sqrt(total) / norm, out.error))
			out.error = sqrt(total) / norm;
	}
	return out;
}

double ao_check_error(const struct ao_checked *checked)
{
	return measure(checked).error;
}

size_t ao_check_worst_slice(const struct ao_checked *checked)
{
	return measure(checked).slice;
}

/* Not `error > limit`, which is false for NAN. */
bool ao_check_is_within(double error, double limit)
{
	return error <= limit;
}

/* What is wrong where: counts, and the first and the worst of each kind. */
struct findings {
	const struct ao_checked *checked;
	double off_by;	  /* more than this is wrong, relative to the scale */
	double rms;	  /* of the answer */
	double per_slice; /* the root of the number of elements of a slice */
	size_t unwritten;
	size_t first_unwritten;
	size_t wrong;
	size_t first_wrong;
	double first_got, first_expected;
	double worst;
	size_t worst_at;
	double worst_got, worst_expected;
};

static bool is_unwritten(const struct ao_checked *checked, size_t at)
{
	size_t size = ao_dtype_size(checked->tensor->dtype);
	uint64_t bits = 0;

	/* Little-endian, like everything that runs here. */
	memcpy(&bits, (const char *)checked->got + at * size, size);
	return bits == checked->poison;
}

/* What an element, if it is no larger itself, is measured by. */
static double scale_at(const struct findings *found, const struct chunk *chunk,
		       size_t i)
{
	const struct ao_checked *checked = found->checked;
	size_t slice = chunk->slice + (chunk->is_across ? i : 0);

	if (!checked->scales)
		return found->rms;
	return checked->scales[slice_before(checked, slice)] / found->per_slice;
}

static void find_in_chunk(void *data, const struct chunk *chunk)
{
	struct findings *found = data;

	for (size_t i = 0; i < chunk->count; i++) {
		double got = chunk->got[i], expected = chunk->expected[i];
		double scale = fmax(fabs(expected), scale_at(found, chunk, i));
		double off = fabs(got - expected) / (scale > 0 ? scale : 1);

		if (off > found->worst) {
			found->worst = off;
			found->worst_at = chunk->first + i;
			found->worst_got = got;
			found->worst_expected = expected;
		}
		if (off <= found->off_by)
			continue;
		if (is_unwritten(found->checked, chunk->first + i) &&
		    !found->unwritten++)
			found->first_unwritten = chunk->first + i;
		if (!found->wrong++) {
			found->first_wrong = chunk->first + i;
			found->first_got = got;
			found->first_expected = expected;
		}
	}
}

/* Append "[3][17]". */
static void add_index(struct ao_buf *out, const struct ao_view *view, size_t at)
{
	size_t index[AO_MAX_RANK];

	for (size_t i = view->rank; i-- > 0;) {
		index[i] = at % view->extents[i];
		at /= view->extents[i];
	}
	for (size_t i = 0; i < view->rank; i++)
		ao_buf_addf(out, "[%zu]", index[i]);
}

/* A NAN's sign says nothing, and would be printed. */
static double shown(double value)
{
	return isnan(value) ? (double)NAN : value;
}

static void add_findings(struct ao_buf *out, const struct findings *found)
{
	const struct ao_view *view = &found->checked->view;
	size_t elements = ao_view_elements(view);

	if (found->unwritten) {
		ao_buf_addf(out, "; %zu of %zu never written, first ",
			    found->unwritten, elements);
		add_index(out, view, found->first_unwritten);
	} else if (found->wrong) {
		ao_buf_addf(out, "; %zu of %zu wrong, first ", found->wrong,
			    elements);
		add_index(out, view, found->first_wrong);
		ao_buf_addf(out, ": got %.9g, expected %.9g",
			    shown(found->first_got), found->first_expected);
	} else {
		ao_buf_addstr(out, "; a little everywhere, most at ");
		add_index(out, view, found->worst_at);
		ao_buf_addf(out, ": got %.9g, expected %.9g", found->worst_got,
			    found->worst_expected);
	}
}

char *ao_check_explain(const struct ao_checked *checked, double error)
{
	double limit = checked->tensor->tolerance;
	struct findings found = { .checked = checked, .off_by = 10 * limit };
	struct ao_buf text = AO_BUF_INIT(1024);
	struct ao_view view = view_of(checked);
	struct ao_slicing slicing;

	ao_view_slice(&slicing, &view);
	found.per_slice = sqrt((double)(slicing.outer * slicing.inner));
	found.rms = checked->norm /
		    sqrt((double)ao_view_elements(&checked->view));
	walk_chunks(checked, find_in_chunk, &found);

	ao_buf_addf(&text, "output '%s': relative error %.3g, allowed %.3g",
		    checked->tensor->name, shown(error), limit);
	add_findings(&text, &found);
	return ao_buf_take(&text);
}

uint64_t ao_check_poison(enum ao_dtype dtype, uint64_t random)
{
	switch (dtype) {
	case AO_DTYPE_FLOAT32:
		return UINT64_C(0x7fc00000) | (random & UINT64_C(0x803fffff));
	case AO_DTYPE_FLOAT64:
		return UINT64_C(0x7ff8000000000000) |
		       (random & UINT64_C(0x8007ffffffffffff));
	case AO_DTYPE_INT32:
		return random & UINT64_C(0xffffffff);
	}
	assert(!"no such dtype");
	return 0;
}
