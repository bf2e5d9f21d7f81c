/* SPDX-License-Identifier: MIT */
/*
 * prelude.h - what generated code needs at the top of its file: vector types,
 * helper functions and constants.
 */
#ifndef AO_REWRITE_PRELUDE_H
#define AO_REWRITE_PRELUDE_H

#include "rewrite/edits.h"
#include "rewrite/unit.h"

enum ao_helper {
	AO_HELPER_VECTOR,  /* vec_float, VEC_LANES, VEC_UNROLL */
	AO_HELPER_WIDE,	   /* VEC_WIDE, before a function with vectors */
	AO_HELPER_FETCH,   /* VEC_FETCH(): ask for a line that is next */
	AO_HELPER_EXP,	   /* exp_inline(): expf() that compilers vectorise */
	AO_HELPER_STREAM,  /* vec_stream(): stores that pass the caches by */
	AO_HELPER_LARGEST, /* VEC_LARGEST(x), before a loop that finds it */
	AO_HELPER_KEPT,	   /* KEPT_FLOATS, KEPT_STATES: how much is kept */
	AO_HELPER_MOST,	   /* vec_largest(), of a row of floats */
	AO_HELPER_COUNT,
};

/*
 * How much rewritten code keeps for later use: more states do not stay in the
 * first cache, more floats cost.  AO_HELPER_KEPT says so where extents are
 * known at run time only.
 */
enum { AO_KEPT_FLOATS = 1 << 22, AO_KEPT_STATES = 1 << 10 };

/*
 * Add a helper, and those it needs, unless the source has it.  Returns false
 * if the source uses its names for something else.
 */
bool ao_prelude_need(struct ao_edits *edits, struct ao_unit *unit,
		     enum ao_helper helper);

/* Whether the name at code token `name` is one that a helper defines. */
bool ao_prelude_defines(const struct ao_unit *unit, uint32_t name);

/*
 * Add lines behind the helpers, with newlines as C has them.  Call it after
 * ao_prelude_need().
 */
void ao_prelude_add(struct ao_edits *edits, struct ao_unit *unit,
		    const char *lines);

#endif
