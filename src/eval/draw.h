/* SPDX-License-Identifier: MIT */
/*
 * draw.h - what inputs are made of, reproducible from a seed.
 *
 * A set of inputs is drawn as the task's fills say.  A hard set is made of
 * what the inputs' `hard` lists: slice by slice along the independent axis
 * another kind, where a tensor has that axis, else one kind for all of it.  So
 * a single set has rows of very different sizes side by side.
 *
 * Each tensor of each set has a stream of random numbers of its own, so that
 * more sets, or another shape of one tensor, leave the numbers of the others
 * alone.
 */
#ifndef AO_EVAL_DRAW_H
#define AO_EVAL_DRAW_H

#include "eval/permute.h"

/* Draw input number `input` of an ordinary set. */
void ao_draw_input(void *data, const struct ao_task *task,
		   const struct ao_case *c, uint64_t seed, size_t set,
		   size_t input);

/* The same of a hard set, which are numbered by themselves. */
void ao_draw_hard_input(void *data, const struct ao_task *task,
			const struct ao_case *c, uint64_t seed, size_t set,
			size_t input);

/*
 * How many hard sets to have where a set takes so many bytes: some of small
 * cases, few of large ones, where each costs what a call does.  0 if no input
 * has any.
 */
size_t ao_draw_hard_sets(const struct ao_task *task, uint64_t set_bytes);

/*
 * "x large, w one_hot": what a hard set is made of at a slice of the
 * independent axis.  The caller frees it.
 */
char *ao_draw_describe(const struct ao_task *task, uint64_t seed, size_t set,
		       size_t slice);

#endif
