/* SPDX-License-Identifier: MIT */
/* shared.h - arrays that several parts of a loop's work use. */
#ifndef AO_REWRITE_SHARED_H
#define AO_REWRITE_SHARED_H

#include "rewrite/unit.h"

/* Parts of the work of some loops, which may be done for many rounds each. */
struct ao_parts {
	const struct ao_node *node; /* arrays declared within it do not count */
	const struct ao_env *env;   /* names that are looked through, or NULL */
	const struct ao_span *v;    /* [count], in the order of the text */
	size_t count;
	const uint32_t *counters; /* [counter_count] code indices */
	size_t counter_count;
};

/*
 * Whether of each array that one part writes to and another uses, or pointer
 * or member, each round has elements of its own: every counter alone chooses a
 * row, and does so alike in all uses.  Without counters: whether there is no
 * such array.  Nothing is known of larger parts.
 */
bool ao_shared_is_by_round(struct ao_unit *unit, const struct ao_parts *parts);

#endif
