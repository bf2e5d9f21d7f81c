/* SPDX-License-Identifier: MIT */
/* reduction.h - loops that boil many values down to one. */
#ifndef AO_REWRITE_REDUCTION_H
#define AO_REWRITE_REDUCTION_H

#include "rewrite/body.h"
#include "rewrite/edits.h"

/*
 * Let compilers vectorise all reductions of the unit that they may not on
 * their own, because it changes the order of additions: "s += x" by
 * "#pragma omp simd", "if (x > m) m = x" by VEC_LARGEST, or by a call in place
 * of the loop where it goes along a row and does nothing else.  Calls keep a
 * loop from it, but for those of the function `but`.  Returns how many there
 * were.
 */
size_t ao_reduction_annotate(struct ao_edits *edits, struct ao_unit *unit,
			     const char *but);

/* How many there are. */
size_t ao_reduction_count(struct ao_unit *unit, const char *but);

#endif
