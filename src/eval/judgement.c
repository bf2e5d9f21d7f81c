/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/judgement.h"
#include "eval/timing.h"

void ao_judgement_release(struct ao_judgement *judgement)
{
	free(judgement->detail);
	*judgement = (struct ao_judgement){ 0 };
}

void ao_judgement_conclude(struct ao_judgement *judgement, double *ns,
			   size_t count)
{
	if (judgement->verdict)
		return;
	judgement->verdict = AO_VERDICT_PASSED;
	if (!count)
		return;
	judgement->median_ns = ao_timing_median(ns, count);
	judgement->min_ns = ns[0]; /* sorted by now */
}
