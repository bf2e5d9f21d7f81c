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

#include "util/buf.h"
#include "util/strs.h"

/* What the source means outside its own text. */
struct ao_rewrite_context {
	const char *entry;	       /* function to rewrite: "kernel" */
	const char *const *axis_names; /* [axis_count] macros */
	const int64_t *axis_values;    /* [axis_count] in the main case */
	size_t axis_count;
	uint32_t vector_bytes; /* of a register: 16, 32 or 64 */
};

/* Something that could be done to a kernel. */
struct ao_proposal {
	char *move;	/* "tile": the entry's name */
	char *params;	/* "site=2 mr=4 nv=2", "" if it has none */
	char *features; /* of the site: "contraction,strided", sorted */
	char *title;	/* "tile the product in registers, 4 x 2 vectors" */
	char *text;	/* what it does, where, and why it should pay */
	double prior;	/* log gain to expect, by the author's experience */
};

void ao_proposals_free(struct ao_proposal *proposals, size_t count);

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
