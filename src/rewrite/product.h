/* SPDX-License-Identifier: MIT */
/*
 * product.h - sums of products over three loops: what a register tile needs
 * to know of a contraction.
 *
 * Found are the natural form,
 *
 *     for (i) { before; for (j) { float s = 0; for (k) s += a * b; use s; }
 * after }
 *
 * and the one that adds up in memory, which runs along the cache lines,
 *
 *     for (i) { before; for (j) c = 0; for (k) for (j) c += a * b; after }
 *
 * where the three loops of a plain nest may stand in any order and the zeroes
 * may be set in a nest before.  By their roles, i names the rows, j the columns
 * that lie side by side in memory, k what is summed over.
 */
#ifndef AO_REWRITE_PRODUCT_H
#define AO_REWRITE_PRODUCT_H

#include "rewrite/factors.h"
#include "rewrite/unit.h"

enum { AO_MAX_CARRIED = 6 };

/* Bytes [at, end) of the source. */
struct ao_footprint {
	size_t at;
	size_t end;
};

struct ao_product {
	const struct ao_for *site; /* the loop around all of it */
	struct ao_span span; /* what is replaced: with zeroes set before it */
	const struct ao_for *i;
	const struct ao_for *j;
	const struct ao_for *k;
	struct ao_env env;	   /* local names looked through */
	struct ao_factors factors; /* of what is summed up */

	/*
	 * The element that the sum goes to, neighbours for neighbouring j, or
	 * NULL: then the statements `use` do something with the sum called
	 * `sum`.
	 */
	const struct ao_term *target;
	struct ao_span use;
	uint32_t sum; /* where it is declared; natural form only */
	struct ao_span
		column; /* statements before that: names looked through */
	const struct ao_term *init; /* what sums start from; NULL: from 0 */
	bool adds;		    /* to what the target holds already */

	/* What the site's body does before and after the product. */
	struct ao_footprint before;
	struct ao_footprint after;
	struct ao_span after_code; /* the same as code tokens */
	bool has_before;	   /* more than names that are looked through */
	bool has_after;

	/* Declared before: scalars that the product or `after` need, ... */
	struct ao_decl carried[AO_MAX_CARRIED];
	size_t carried_count;
	/* ... and statements with names looked through that `use` or `after`
	 * may need. */
	const struct ao_node *recalled[AO_MAX_CARRIED];
	size_t recalled_count;
};

/* Returns false if there is no product at `site`. */
bool ao_product_find(struct ao_product *out, struct ao_unit *unit,
		     const struct ao_for *site);

#endif
