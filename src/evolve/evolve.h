/* SPDX-License-Identifier: MIT */
/*
 * evolve.h - the search: what to try next, what to keep, when to stop.
 *
 * One queue of attempts; each moves right and never back:
 *
 *     planned -> written -> evaluated -> stored
 *
 * Source: AccelOpt, arXiv:2511.15915.  Where we differ on purpose: a beam never
 * loses its best, scores are sums of paired log gains, an evaluation is never
 * paid twice, and every attempt is in git before the next step rests on it.
 */
#ifndef AO_EVOLVE_EVOLVE_H
#define AO_EVOLVE_EVOLVE_H

#include "evolve/event.h"
#include "store/repo.h"

enum ao_outcome {
	AO_OUTCOME_DONE,	/* all iterations, or nothing left to try */
	AO_OUTCOME_BUDGET,	/* evaluations or time are spent */
	AO_OUTCOME_INTERRUPTED, /* Ctrl-C; --resume goes on */
};

struct ao_evolve_summary {
	enum ao_outcome outcome;
	char run[64];		 /* "" if it was not even begun */
	char best[AO_ID_SIZE];	 /* commit, or "" if the baseline stays */
	char leader[AO_ID_SIZE]; /* without best: ahead, but not confirmed */
	struct ao_gain gain;	 /* of best or leader over the baseline */
	uint32_t evals;
};

/*
 * Search.  Candidate failures are results; an error means that the search
 * could not go on, and all that was finished is in git.
 */
AO_MUST_CHECK
struct ao_error *ao_evolve(struct ao_evolve_summary *out, struct ao_repo *repo,
			   const struct ao_evolve_options *options);

#endif
