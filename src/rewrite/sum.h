/* SPDX-License-Identifier: MIT */
/* sum.h - statements that start a sum, or add to it. */
#ifndef AO_REWRITE_SUM_H
#define AO_REWRITE_SUM_H

#include "rewrite/unit.h"

/* The expression that a statement consists of, or NULL. */
struct ao_term *ao_sum_term(struct ao_unit *unit,
			    const struct ao_node *statement);

/*
 * Read "target += value", or "target = target + value" in any order; `term`
 * may be NULL.
 */
bool ao_sum_read(const struct ao_tokens *tokens, const struct ao_term *term,
		 const struct ao_term **target_out,
		 const struct ao_term **value_out);

/* Whether a term is the number 0. */
bool ao_sum_is_zero(const struct ao_tokens *tokens, const struct ao_term *term);

#endif
