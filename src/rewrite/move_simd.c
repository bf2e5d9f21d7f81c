/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/moves.h"
#include "rewrite/reduction.h"

/* The one function that loops may call and still be vectorised: ours. */
static const char vectorised_call[] = "exp_inline";

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	size_t loops = ao_reduction_count(unit, vectorised_call);

	if (!loops)
		return;
	ao_offer(offers, "", "reduction", 0.5,
		 loops > 1 ? "sum and find maxima in vector lanes, in every "
			     "loop that does"
			   : "sum or find the maximum in vector lanes",
		 "Floating point sums may not be reordered unless the source "
		 "says so, and each addition waits for the one before. A "
		 "reduction clause allows a partial result per vector lane, "
		 "joined behind the loop.");
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	(void)params;
	return ao_reduction_annotate(edits, unit, vectorised_call) > 0;
}

const struct ao_move ao_move_simd = {
	.name = "simd",
	.propose = propose,
	.apply = apply,
};
