/* SPDX-License-Identifier: MIT */
/*
 * catalogue.h - plans for making C loops faster, and how to carry them out.
 *
 * Works on text: text in, new text out; what it does not understand it leaves
 * alone.  No dependence analysis: a rewrite may be wrong, and the judge says
 * so.  Each entry has a precondition on the loop tree, moves, a grid of
 * parameters and one sentence of rationale.
 */
#ifndef AO_REWRITE_CATALOGUE_H
#define AO_REWRITE_CATALOGUE_H

#include "rewrite/context.h"
#include "rewrite/proposal.h"
#include "util/buf.h"

/*
 * All that the catalogue could do to `source` now, in the catalogue's order.
 * `sweep`: only other parameters of what has been done already.
 * The caller frees them with ao_proposals_free().
 */
void ao_catalogue_propose(struct ao_proposal **out, size_t *count_out,
			  const char *source, size_t len,
			  const struct ao_rewrite_context *context, bool sweep);

/*
 * Carry out one proposal on the source it was made for; the new text is
 * appended to `out`.  Returns false if it does not apply.
 */
bool ao_catalogue_apply(struct ao_buf *out, const char *source, size_t len,
			const struct ao_rewrite_context *context,
			const char *move, const char *params);

#endif
