/* SPDX-License-Identifier: MIT */
/* rank.h - which proposals of the catalogue to try first.  Pure. */
#ifndef AO_AGENTS_RANK_H
#define AO_AGENTS_RANK_H

#include "model/memory.h"
#include "rewrite/catalogue.h"

/*
 * The log gain to expect of a proposal: the author's prior, drawn step by step
 * towards what history has of the move anywhere, at sites with these features,
 * and with these parameters there, each by its mean shrunken by its number of
 * tries.  A failure counts as a try that gained nothing.
 */
double ao_rank_expect(const struct ao_proposal *proposal,
		      const struct ao_memory *memory);

/*
 * Choose at most `most` proposals, best expectation first, ties to the lower
 * index, leaving out those in `tried` ("move params"), and taking at most
 * `per_move` of one move.
 *
 * chosen  [most]  out: indices into proposals
 *
 * Returns how many were chosen.
 */
size_t ao_rank_choose(size_t *chosen, size_t most, size_t per_move,
		      const struct ao_proposal *proposals, size_t count,
		      const struct ao_memory *memory,
		      const struct ao_strs *tried);

/* "move params", as a plan records it; the caller frees it. */
char *ao_rank_name(const struct ao_proposal *proposal);

#endif
