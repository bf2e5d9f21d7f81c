/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>

#include "eval/permute.h"

void ao_view_compute(struct ao_view *out, const struct ao_task *task,
		     const struct ao_case *c, const struct ao_tensor *tensor)
{
	assert(tensor->rank <= AO_MAX_RANK);
	*out = (struct ao_view){ .rank = tensor->rank };
	for (size_t i = 0; i < tensor->rank; i++) {
		size_t axis = tensor->axes[i];

		out->extents[i] = (size_t)c->extents[axis];
		out->is_independent[i] = axis == task->independent_axis;
	}
}

size_t ao_view_elements(const struct ao_view *view)
{
	size_t elements = 1;

	for (size_t i = 0; i < view->rank; i++)
		elements *= view->extents[i];
	return elements;
}

void ao_view_slice(struct ao_slicing *out, const struct ao_view *view)
{
	struct ao_slicing slicing = { 1, 1, 1 };

	for (size_t i = 0; i < view->rank; i++) {
		if (!view->is_independent[i]) {
			slicing.inner *= view->extents[i];
			continue;
		}
		slicing.outer *= slicing.inner;
		slicing.count *= view->extents[i];
		slicing.inner = 1;
	}
	*out = slicing;
}

/* So many slices are moved by so many: a few cache lines. */
enum { MANY_SLICES = 4096, MANY_RUN = 64 };

static size_t run_for(size_t count)
{
	return count < MANY_SLICES || count % MANY_RUN ? 1 : MANY_RUN;
}

void ao_permute_draw(size_t *order, size_t count, struct ao_rng *rng)
{
	size_t run = run_for(count);

	/* The groups' numbers at the start, then their slices from the end. */
	for (size_t i = 0; i < count / run; i++)
		order[i] = i;
	ao_rng_shuffle(rng, order, count / run);
	for (size_t i = count; i-- > 0;)
		order[i] = order[i / run] * run + i % run;
}

/* The run of an order, whoever drew it. */
static size_t find_run(const size_t *order, size_t count)
{
	size_t run = run_for(count);

	for (size_t i = 0; run > 1 && i < count; i++)
		if (order[i] != order[i / run * run] + i % run)
			return 1;
	return run;
}

struct walk {
	const struct ao_view *view;
	const size_t *order;
	ao_row_cb *cb;
	void *data;
	size_t row_level;	     /* dimensions from here on are a row */
	size_t strides[AO_MAX_RANK]; /* elements */
	struct ao_row row;
};

static void walk_level(struct walk *walk, size_t level, size_t to, size_t from)
{
	const size_t *order;

	if (level == walk->row_level) {
		walk->row.to = to;
		walk->row.from = from;
		walk->cb(walk->data, &walk->row);
		return;
	}
	order = walk->view->is_independent[level] ? walk->order : NULL;
	for (size_t i = 0; i < walk->view->extents[level]; i++)
		walk_level(walk, level + 1, to + i * walk->strides[level],
			   from + (order ? order[i] : i) *
					   walk->strides[level]);
}

/*
 * A row is as long as can be: everything behind the last independent dimension,
 * or that dimension itself if nothing is behind it.
 */
void ao_permute_rows(const struct ao_view *view, const size_t *order,
		     ao_row_cb *cb, void *data)
{
	struct walk walk = {
		.view = view, .order = order, .cb = cb, .data = data
	};
	size_t stride = 1;

	for (size_t i = view->rank; i-- > 0;) {
		walk.strides[i] = stride;
		stride *= view->extents[i];
	}
	for (size_t i = 0; i < view->rank; i++)
		if (view->is_independent[i])
			walk.row_level = i + 1;
	walk.row.count = walk.row_level ? walk.strides[walk.row_level - 1]
					: stride;
	if (walk.row_level && walk.row_level == view->rank) {
		walk.row_level--;
		walk.row.count = view->extents[walk.row_level];
		walk.row.order = order;
		walk.row.run = find_run(order, walk.row.count);
	}
	walk_level(&walk, 0, 0, 0);
}

struct copy {
	char *to;
	const char *from;
	size_t size;
};

static void copy_runs(char *to, const char *from, size_t size,
		      const struct ao_row *row)
{
	for (size_t i = 0; i < row->count; i += row->run)
		memcpy(to + i * size, from + row->order[i] * size,
		       row->run * size);
}

static void copy_row(void *data, const struct ao_row *row)
{
	const struct copy *copy = data;
	void *to = copy->to + row->to * copy->size;
	const void *from = copy->from + row->from * copy->size;

	if (!row->order) {
		memcpy(to, from, row->count * copy->size);
	} else if (row->run > 1) {
		copy_runs(to, from, copy->size, row);
	} else if (copy->size == 4) {
		uint32_t *out = to;
		const uint32_t *in = from;

		for (size_t i = 0; i < row->count; i++)
			out[i] = in[row->order[i]];
	} else {
		uint64_t *out = to;
		const uint64_t *in = from;

		for (size_t i = 0; i < row->count; i++)
			out[i] = in[row->order[i]];
	}
}

void ao_permute_copy(void *to, const void *from, const struct ao_view *view,
		     const size_t *order, size_t size)
{
	struct copy copy = { .to = to, .from = from, .size = size };

	assert(size == 4 || size == 8);
	ao_permute_rows(view, order, copy_row, &copy);
}

struct comparison {
	const char *a;
	const char *b;
	size_t size;
	bool is_equal;
};

static void compare_row(void *data, const struct ao_row *row)
{
	struct comparison *c = data;
	const char *a = c->a + row->to * c->size;
	const char *b = c->b + row->from * c->size;

	if (!row->order) {
		c->is_equal &= !memcmp(a, b, row->count * c->size);
		return;
	}
	for (size_t i = 0; i < row->count; i++)
		c->is_equal &= !memcmp(a + i * c->size,
				       b + row->order[i] * c->size, c->size);
}

bool ao_permute_equals(const void *reordered, const void *from,
		       const struct ao_view *view, const size_t *order,
		       size_t size)
{
	struct comparison comparison = {
		.a = reordered, .b = from, .size = size, .is_equal = true
	};

	ao_permute_rows(view, order, compare_row, &comparison);
	return comparison.is_equal;
}
