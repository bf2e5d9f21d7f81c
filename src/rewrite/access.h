/* SPDX-License-Identifier: MIT */
/*
 * access.h - how far apart in memory a loop's steps read and write.
 *
 * A name that stands for an expression, such as `row` after
 * "const float *row = x + i * K;", is looked through once it is bound.
 */
#ifndef AO_REWRITE_ACCESS_H
#define AO_REWRITE_ACCESS_H

#include "rewrite/decl.h"
#include "rewrite/term.h"

/* A name that would stand for more terms, names in it counted, is left alone.
 */
enum { AO_MAX_BINDINGS = 16, AO_MAX_BINDING_TERMS = 200 };

/* Names that stand for expressions.  All zero but `tokens` is empty. */
struct ao_env {
	const struct ao_tokens *tokens;
	struct ao_binding {
		uint32_t name; /* where it is declared */
		uint32_t size; /* in terms, with names looked through */
		const struct ao_term *value;
	} bindings[AO_MAX_BINDINGS];
	size_t count;
};

/*
 * Let a declared name stand for its initialiser.  Returns false if that would
 * not mean the same or cost something: no initialiser, one with calls or
 * divisions of floats, or if it or what it is made of is written to behind it
 * within `region`.
 */
bool ao_env_bind(struct ao_env *env, struct ao_pool *pool,
		 const struct ao_decl *decl, struct ao_span region);

/* What the name used at `name` stands for, or NULL. */
const struct ao_term *ao_env_value(const struct ao_env *env, uint32_t name);

/* Elements between what one step of a loop touches and the next step. */
enum ao_stride {
	AO_STRIDE_NONE, /* the same element */
	AO_STRIDE_ONE,	/* the next one */
	AO_STRIDE_MANY, /* always as far apart, but not neighbours */
	AO_STRIDE_UNKNOWN,
};

/*
 * The stride of an element "a[i][j]" (AO_TERM_INDEX) in the name at `var`, in
 * elements.
 */
enum ao_stride ao_access_stride(const struct ao_env *env,
				const struct ao_term *access, uint32_t var);

/* The array or pointer that an access goes to; false if that is not a name. */
bool ao_access_root(const struct ao_env *env, const struct ao_term *access,
		    uint32_t *name_out);

/*
 * Whether all that `term` is made of stays the same in `region`, but for the
 * counters, which are [count] code indices, and for the elements of arrays.
 * Only then say strides how it moves.
 */
bool ao_access_is_fixed(const struct ao_env *env, const struct ao_term *term,
			struct ao_span region, const uint32_t *counters,
			size_t count);

/* Whether the value of `term` may change with the name at `var`. */
bool ao_term_depends(const struct ao_env *env, const struct ao_term *term,
		     uint32_t var);

#endif
