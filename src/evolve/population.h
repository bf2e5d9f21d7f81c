/* SPDX-License-Identifier: MIT */
/* population.h - the attempts of the run so far, and the kernels they hold. */
#ifndef AO_EVOLVE_POPULATION_H
#define AO_EVOLVE_POPULATION_H

#include "evolve/search.h"

/* One who may be improved: the baseline or a candidate that passed. */
struct ao_member {
	char commit[AO_ID_SIZE];
	char kernel[AO_ID_SIZE];
	double score; /* log gain over the baseline */
	double variance;
	const struct ao_result *result; /* borrowed from the history; NULL:
					   not known */
};

/* Add an attempt that is stored; takes over what `candidate` owns. */
const struct ao_candidate *ao_population_add(struct ao_search *search,
					     struct ao_candidate *candidate);

/* Put a newer profile in a candidate's (or the baseline's) place; takes over.
 */
void ao_population_replace_profile(struct ao_search *search, const char *commit,
				   struct ao_profile *profile);

/* The attempt of this run that has this kernel and was judged, or NULL. */
const struct ao_candidate *ao_population_twin(const struct ao_search *search,
					      const char *kernel);

/* The member with that commit; false if it is none. */
bool ao_population_member(struct ao_member *out, const struct ao_search *search,
			  const char *commit);

/*
 * All members, best first, each kernel once, the baseline among them.  Only
 * attempts of iterations before `before` count.  The caller frees *out.
 */
size_t ao_population_rank(struct ao_member **out,
			  const struct ao_search *search, uint32_t before);

/* The moves ("move params") that were tried on a member before. */
void ao_population_tried(struct ao_strs *out, const struct ao_search *search,
			 const char *commit, uint32_t before);

/* The source of a member's kernel.  Borrowed from `search`. */
AO_MUST_CHECK
struct ao_error *ao_population_kernel(const struct ao_kernel **out,
				      struct ao_search *search,
				      const char *commit);

/* Keep the source of a commit that is not on disk yet; copied. */
void ao_population_keep_kernel(struct ao_search *search, const char *commit,
			       const struct ao_kernel *kernel);

/* The highest attempt number of an iteration so far; 0: none. */
uint32_t ao_population_last_number(const struct ao_search *search,
				   uint32_t iteration);

#endif
