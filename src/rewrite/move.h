/* SPDX-License-Identifier: MIT */
/* move.h - what an entry of the catalogue consists of. */
#ifndef AO_REWRITE_MOVE_H
#define AO_REWRITE_MOVE_H

#include "rewrite/edits.h"
#include "rewrite/params.h"
#include "rewrite/proposal.h"
#include "rewrite/unit.h"

struct ao_offers;

struct ao_move {
	const char *name;
	bool is_sweep; /* only varies the numbers of what was done before */

	/* Offer all that the move could do to the unit. */
	void (*propose)(struct ao_offers *offers, struct ao_unit *unit);

	/*
	 * Do it, as edits of the unit's text.  Returns false, whatever is in
	 * `edits` then, if it does not apply.
	 */
	bool (*apply)(struct ao_edits *edits, struct ao_unit *unit,
		      const char *params);
};

/* What moves have offered for one unit. */
struct ao_offers {
	const struct ao_move *move; /* whose turn it is */
	struct ao_proposal *v;	    /* [count] */
	size_t count;
	size_t alloc;
};

/* At most so many offers of one source are kept. */
enum { AO_MAX_OFFERS = 200 };

/*
 * Append an offer of the current move, with `fmt` for its text.  Borrows its
 * arguments.  `features` may be in any order.
 */
AO_PRINTF(6, 7)
void ao_offer(struct ao_offers *offers, const char *params,
	      const char *features, double prior, const char *title,
	      const char *fmt, ...);

/* The loop at the site that `params` names, or NULL. */
const struct ao_for *ao_move_loop(const struct ao_unit *unit,
				  const char *params);

#endif
