/* SPDX-License-Identifier: MIT */
/*
 * forhead.h - loops that count: what a `for` says about its counter.
 *
 * A loop counts, or is canonical, if on entry it is known how its counter
 * goes: where it starts, by what it moves and in which direction, and what
 * it is compared with to go on.  Nothing else moves the counter, and nothing
 * in the loop changes the bound or the step.  How often the loop runs may
 * still be known only then, and a body may leave it early: that is for those
 * to ask about who depend on it.
 */
#ifndef AO_REWRITE_FORHEAD_H
#define AO_REWRITE_FORHEAD_H

#include "rewrite/syntax.h"

/* What holds of counter and bound as long as the loop goes on. */
enum ao_relation {
	AO_RELATION_LESS,
	AO_RELATION_UP_TO, /* <= */
	AO_RELATION_MORE,
	AO_RELATION_DOWN_TO, /* >= */
	AO_RELATION_NOT,     /* !=, by steps of 1 */
};

/*
 * for (type var = start; var < bound; var += step)
 *
 * Also downwards, with the comparison the other way round, and with the
 * counter declared elsewhere.  What is included that has no text: a bound of
 * 0 in "for (i = n; i; i--)", a step of 1.
 */
struct ao_for {
	const struct ao_node *node;
	uint32_t var;	      /* code index of the counter in the condition */
	struct ao_span type;  /* empty if it is declared elsewhere */
	struct ao_span start; /* empty: what the counter is before the loop */
	struct ao_span bound; /* empty: 0 */
	struct ao_span step;  /* what is added or subtracted; empty: 1 */
	enum ao_relation relation;
	bool is_downward;
	/* for (i = n; i-- > 0;): the body has the counter one step on. */
	bool is_early;
	/* The head does something else, too: it sets or moves other names. */
	bool has_company;
};

/* Returns false if `node` is no such loop; *out is then untouched. */
bool ao_for_read(struct ao_for *out, const struct ao_tokens *tokens,
		 const struct ao_node *node);

/*
 * Whether its head is all about the counter, from a start that it says: such
 * a head means the same before another loop.
 */
bool ao_for_is_lone(const struct ao_for *loop);

/* Whether it is lone and counts up by ones to below its bound. */
bool ao_for_counts_up(const struct ao_for *loop);

/* Whether it counts up by ones from 0 to below its bound. */
bool ao_for_is_plain(const struct ao_for *loop, const struct ao_tokens *tokens);

/* Whether it has the form that OpenMP wants behind a pragma. */
bool ao_for_suits_openmp(const struct ao_for *loop);

/* What it repeats, as code tokens. */
struct ao_span ao_for_body(const struct ao_for *loop);

/* Whether both count over the same numbers, whatever their counters' names. */
bool ao_for_same_range(const struct ao_for *a, const struct ao_for *b,
		       const struct ao_tokens *tokens);

#endif
