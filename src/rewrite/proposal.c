/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/proposal.h"

void ao_proposal_release(struct ao_proposal *proposal)
{
	free(proposal->move);
	free(proposal->params);
	free(proposal->features);
	free(proposal->title);
	free(proposal->text);
	*proposal = (struct ao_proposal){ 0 };
}

void ao_proposals_free(struct ao_proposal *proposals, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ao_proposal_release(&proposals[i]);
	free(proposals);
}
