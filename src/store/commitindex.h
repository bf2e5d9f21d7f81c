/* SPDX-License-Identifier: MIT */
/* commitindex.h - where in a history commits stand: run and candidate. */
#ifndef AO_STORE_COMMITINDEX_H
#define AO_STORE_COMMITINDEX_H

#include "util/base.h"

struct ao_commitindex;

struct ao_commitindex *ao_commitindex_new(void);

/* NULL is fine. */
void ao_commitindex_free(struct ao_commitindex *index);

/* Candidates of a run are added in their order; of a commit the first counts.
 */
void ao_commitindex_add(struct ao_commitindex *index, const char *commit,
			size_t run, size_t candidate);

/* False if there is no such commit. */
bool ao_commitindex_find(size_t *run_out, size_t *candidate_out,
			 const struct ao_commitindex *index,
			 const char *commit);

/* How many candidates of a run were added. */
size_t ao_commitindex_count(const struct ao_commitindex *index, size_t run);

#endif
