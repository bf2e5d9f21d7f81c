/* SPDX-License-Identifier: MIT */
/*
 * permute.h - the same tensor with the slices of an axis in another order.
 *
 * The slices of a task's independent axis do not depend on each other: put
 * those of the inputs into another order, and the right answer is the old one
 * with its slices in that order.  So a set of inputs whose answer is known
 * yields as many new ones, with their answers, as the axis has orders.
 */
#ifndef AO_EVAL_PERMUTE_H
#define AO_EVAL_PERMUTE_H

#include "model/task.h"
#include "util/limits.h"
#include "util/rng.h"

/* A tensor of a case: its extents, and at which of them the axis stands. */
struct ao_view {
	size_t rank;
	size_t extents[AO_MAX_RANK]; /* [rank] outermost first */
	bool is_independent[AO_MAX_RANK];
};

void ao_view_compute(struct ao_view *out, const struct ao_task *task,
		     const struct ao_case *c, const struct ao_tensor *tensor);

size_t ao_view_elements(const struct ao_view *view);

/*
 * A tensor as slices along the independent axis.  Element k of slice s is
 * element ((k / inner) * count + s) * inner + k % inner of the tensor.
 * Without that axis it is one slice.
 */
struct ao_slicing {
	size_t outer; /* of the dimensions before the axis */
	size_t count; /* slices */
	size_t inner; /* of the dimensions behind it */
};
void ao_view_slice(struct ao_slicing *out, const struct ao_view *view);

/* A run of elements that lie side by side in the reordered tensor. */
struct ao_row {
	size_t to;   /* first element in the reordered tensor */
	size_t from; /* the same in the tensor as it was */
	size_t count;
	const size_t *order; /* element i comes from order[i]; NULL: from i */
	/* Of order: from each multiple of `run` on so many are side by side. */
	size_t run;
};
typedef void ao_row_cb(void *data, const struct ao_row *row);

/*
 * Call `cb` for each row, in the order of the reordered tensor.
 *
 * order  [extent of the independent axis] slice i comes from slice order[i]
 */
void ao_permute_rows(const struct ao_view *view, const size_t *order,
		     ao_row_cb *cb, void *data);

/*
 * Draw an order of `count` slices.  Of thousands, neighbours stay together by
 * the dozen: single elements, gathered one by one, would cost several times
 * what the kernels take, and there are orders enough.
 */
void ao_permute_draw(size_t *order, size_t count, struct ao_rng *rng);

/* Copy a tensor whose elements have `size` bytes, 4 or 8, reordered. */
void ao_permute_copy(void *to, const void *from, const struct ao_view *view,
		     const size_t *order, size_t size);

/* Whether a tensor is another one reordered, bit for bit. */
bool ao_permute_equals(const void *reordered, const void *from,
		       const struct ao_view *view, const size_t *order,
		       size_t size);

#endif
