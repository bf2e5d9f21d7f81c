/* SPDX-License-Identifier: MIT */
/* proposal.h - something that could be done to a kernel. */
#ifndef AO_REWRITE_PROPOSAL_H
#define AO_REWRITE_PROPOSAL_H

#include "util/base.h"

struct ao_proposal {
	char *move;	/* "tile": the entry's name */
	char *params;	/* "site=2 rows=4", "" if it has none */
	char *features; /* of the site: "contraction,strided", sorted */
	char *title;	/* "tile the product in registers, 4 x 2 vectors" */
	char *text;	/* what it does, where, and why it should pay */
	double prior;	/* log gain to expect, by the author's experience */
};

void ao_proposal_release(struct ao_proposal *proposal);
void ao_proposals_free(struct ao_proposal *proposals, size_t count);

#endif
