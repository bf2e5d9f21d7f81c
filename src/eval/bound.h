/* SPDX-License-Identifier: MIT */
/*
 * bound.h - by how much an answer may be off, slice by slice.
 *
 * A relative error needs something that it is relative to.  The norm of the
 * whole answer hides a wrong row among large ones, and the norm of a row asks
 * for what no kernel can do where large terms cancel out.  So a slice has a
 * yardstick, the largest of
 *
 *   - the norm of its answer;
 *   - its condition: how far the answer moves, by unit of relative change, if
 *     every number of the inputs is changed a little, at random.  For a product
 *     that is about the root of the sum of the squares of its terms; but any
 *     reference will do, nothing has to be known about it;
 *   - what numbers too small to be normal add up to, over the tolerance: they
 *     may be flushed to zero.
 *
 * Of hard inputs it is 16 times that: where all terms of a sum are equal,
 * honest loops are off by more than the root of its length.  What is too
 * small may be 2^40 times as large there, for it may have been flushed before
 * it was multiplied.
 *
 * The condition costs runs of the reference.  It is asked for hard inputs, and
 * where some slice of the answer is much smaller than the others.
 */
#ifndef AO_EVAL_BOUND_H
#define AO_EVAL_BOUND_H

#include "eval/permute.h"

/* A set of inputs with its answers, all borrowed. */
struct ao_bounded {
	const struct ao_task *task;
	const struct ao_case *c;
	const char *reference_object;
	uint64_t seed;
	uint64_t stream; /* of random numbers, another one for each set */
	bool is_hard;
	void *const *inputs;	 /* [input_count] */
	double *const *expected; /* [output_count] */
	uint32_t timeout_ms;	 /* of one run of the reference */
};

/*
 * The yardsticks of the answers, all > 0; the caller frees them.
 *
 * out        [output_count][slices] in the order of the inputs as they are
 * runs_out   of the reference, added to
 * cpu_ns_out that these took, added to
 */
AO_MUST_CHECK
struct ao_error *ao_bound_measure(double **out, size_t *runs_out,
				  uint64_t *cpu_ns_out,
				  const struct ao_bounded *bounded);

/*
 * The relative change of the inputs that the condition is measured with: far
 * above the rounding of float32, far below what makes a function another one.
 */
#define AO_BOUND_STEP 0x1p-20

#endif
