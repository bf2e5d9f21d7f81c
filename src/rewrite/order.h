/* SPDX-License-Identifier: MIT */
/* order.h - what one part of a loop's work hands on to another by name. */
#ifndef AO_REWRITE_ORDER_H
#define AO_REWRITE_ORDER_H

#include "rewrite/unit.h"

/* Larger parts are not looked into. */
enum { AO_MAX_PART_TOKENS = 1024 };

/*
 * Whether parts within `node` may be done in another order, each several times
 * before the next: no variable that one of them sets is used by another.  Those
 * that a part declares do not count, nor do private counters and names that
 * `env` (or NULL) looks through, nor elements of arrays, of which nothing is
 * known.
 */
bool ao_order_is_free(const struct ao_unit *unit, const struct ao_env *env,
		      const struct ao_node *node, const struct ao_span *parts,
		      size_t count);

/*
 * Whether the rounds of one part may be done in another order: all that it
 * sets are variables of its own, and numbers that it only adds to, or that it
 * sets before it uses them in each round.
 */
bool ao_order_is_free_within(const struct ao_unit *unit,
			     const struct ao_env *env,
			     const struct ao_node *node, struct ao_span part);

#endif
