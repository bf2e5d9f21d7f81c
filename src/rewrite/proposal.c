/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/proposal.h"

void ao_proposals_free(struct ao_proposal *proposals, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(proposals[i].move);
		free(proposals[i].params);
		free(proposals[i].features);
		free(proposals[i].title);
		free(proposals[i].text);
	}
	free(proposals);
}
