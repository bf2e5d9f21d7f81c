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
 * tries.  A failure counts as a try that gained nothing, and so does a loss:
 * it costs an evaluation, as the parent is still there.
 *
 * However many tries there are, they were made at other places, so that the
 * prior keeps a say.
 */
double ao_rank_expect(const struct ao_proposal *proposal,
		      const struct ao_memory *memory);

/*
 * Choose at most `most` proposals to try next, best first, ties to the lower
 * index, leaving out those in `tried` ("move params").
 *
 * For a sweep these are all, by expectation.  Otherwise few are chosen of one
 * move, each further one at the same place counting a third of the one before,
 * as it gains mostly what that does; and only those that are worth a good share
 * of the best, if that is worth much.  What is left out is not lost: it can be
 * chosen at the next request, while what was built on the best is tried, too.
 *
 * chosen  [most]  out: indices into proposals
 *
 * Returns how many were chosen; 0 only if none is left.
 */
size_t ao_rank_choose(size_t *chosen, size_t most, bool is_sweep,
		      const struct ao_proposal *proposals, size_t count,
		      const struct ao_memory *memory,
		      const struct ao_strs *tried);

/* "move params", as a plan records it; the caller frees it. */
char *ao_rank_name(const struct ao_proposal *proposal);

#endif
