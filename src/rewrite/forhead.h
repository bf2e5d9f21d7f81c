/* SPDX-License-Identifier: MIT */
/* forhead.h - loops that count: what a `for` says about its counter. */
#ifndef AO_REWRITE_FORHEAD_H
#define AO_REWRITE_FORHEAD_H

#include "rewrite/syntax.h"

/*
 * for (type var = start; var < bound; var += step)
 *
 * also with <=, with the comparison the other way round, with ++, and with the
 * counter declared elsewhere.
 */
struct ao_for {
	const struct ao_node *node;
	uint32_t var;	      /* code index of the counter in the head */
	struct ao_span type;  /* empty if it is declared elsewhere */
	struct ao_span start; /* expressions */
	struct ao_span bound;
	struct ao_span step;	/* empty: 1 */
	bool bound_is_included; /* <= */
};

/* Returns false if `node` is no such loop; *out is then untouched. */
bool ao_for_read(struct ao_for *out, const struct ao_tokens *tokens,
		 const struct ao_node *node);

/* Whether it counts by ones from 0 to below its bound. */
bool ao_for_is_plain(const struct ao_for *loop, const struct ao_tokens *tokens);

/* Whether both count over the same numbers, whatever their counters' names. */
bool ao_for_same_range(const struct ao_for *a, const struct ao_for *b,
		       const struct ao_tokens *tokens);

#endif
