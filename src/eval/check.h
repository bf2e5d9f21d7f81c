/* SPDX-License-Identifier: MIT */
/*
 * check.h - is an output right?  Pure functions on copies of it.
 *
 * An output is right if its relative L2 error against the answer in double
 * precision, || got - expected || / || expected ||, is within its tolerance,
 * and so is that of each of its slices along the independent axis, against a
 * yardstick of its own (bound.h).  Of hard inputs, whose slices are of very
 * different sizes, the slices alone are asked.  Anything that is not a number
 * makes the error one that is within nothing.
 */
#ifndef AO_EVAL_CHECK_H
#define AO_EVAL_CHECK_H

#include "eval/permute.h"

/*
 * An output, as the kernel wrote it, with its right answer.  The answer is
 * that of the inputs before their slices were put into `order`.
 */
struct ao_checked {
	const struct ao_tensor *tensor;
	struct ao_view view;
	const size_t *order;	/* NULL: as it is */
	const void *got;	/* in the tensor's dtype */
	const double *expected; /* in the order before */
	double norm;		/* || expected ||, see ao_check_norm() */
	const double *scales;	/* [slices] in the order before; NULL: none */
	bool is_hard;		/* what counts is the slices alone */
	uint64_t poison;	/* bits that each element had before the call */
};

/* The L2 norm of an answer, the same in any order. */
double ao_check_norm(const double *values, size_t count);

/*
 * The relative L2 error, of the whole or of the worst slice; of the whole the
 * absolute one if the answer is all zero.  NAN or infinite if any element is.
 */
double ao_check_error(const struct ao_checked *checked);

/* The slice with the largest error, in the order before. */
size_t ao_check_worst_slice(const struct ao_checked *checked);

/* Whether an error is within a limit: NAN never is. */
bool ao_check_is_within(double error, double limit);

/*
 * Say on one line what is wrong with an output: its error, how many elements
 * are off or were never written, and the first of them.  Indices are those
 * that the kernel saw.  The caller frees it.
 */
char *ao_check_explain(const struct ao_checked *checked, double error);

/*
 * The bits of an element to poison an output with before a call: a NaN whose
 * payload is `random`, or for integers the random bits.
 */
uint64_t ao_check_poison(enum ao_dtype dtype, uint64_t random);

#endif
