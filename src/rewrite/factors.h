/* SPDX-License-Identifier: MIT */
/* factors.h - a product, taken apart by what its factors depend on. */
#ifndef AO_REWRITE_FACTORS_H
#define AO_REWRITE_FACTORS_H

#include "rewrite/unit.h"

enum { AO_MAX_FACTORS = 6 };

/* Factors of one kind.  All zero is empty: a product of 1. */
struct ao_factor_list {
	const struct ao_term *v[AO_MAX_FACTORS]; /* [count] */
	bool divides[AO_MAX_FACTORS];
	size_t count;
};

/* In a sum over k of products, for rows i and columns j. */
struct ao_factors {
	struct ao_factor_list left;  /* of i and k */
	struct ao_factor_list right; /* of j and k, or one of them */
	struct ao_factor_list scale; /* of i, or constant: common to the sum */
};

/* The counters that matter, as code indices of any use of their names. */
struct ao_factor_vars {
	uint32_t i;
	uint32_t j;
	uint32_t k;
};

/*
 * Take `term` apart.  `at` is the statement it is in.  Returns false if it is
 * no product of floats that separates like this.
 */
bool ao_factors_read(struct ao_factors *out, const struct ao_unit *unit,
		     const struct ao_env *env, const struct ao_node *at,
		     const struct ao_term *term,
		     const struct ao_factor_vars *vars);

/* Whether the one right factor is an element, neighbours for neighbouring j. */
bool ao_factors_right_is_row(const struct ao_factors *factors,
			     const struct ao_env *env, uint32_t j);

/* Whether a left factor needs elements that lie far apart for neighbouring k.
 */
bool ao_factors_left_is_far(const struct ao_factors *factors,
			    const struct ao_env *env, uint32_t k);

/*
 * Whether a value is a float in C's sense, not a double: no constant without
 * f, no array of another type.
 */
bool ao_term_is_float(const struct ao_unit *unit, const struct ao_env *env,
		      const struct ao_node *at, const struct ao_term *term);

/* Whether the counters alone choose the elements that the factors are. */
bool ao_factors_are_fixed(const struct ao_factors *factors,
			  const struct ao_env *env,
			  const struct ao_factor_vars *vars,
			  struct ao_span region);

#endif
