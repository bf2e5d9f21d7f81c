/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/commitindex.h"
#include "store/idmap.h"

struct place {
	size_t run;
	size_t candidate;
};

struct ao_commitindex {
	struct ao_idmap ids;  /* value: which place */
	struct place *places; /* [ids.count] */
	size_t place_alloc;
	size_t *counts; /* [run_count] of candidates */
	size_t run_count;
	size_t run_alloc;
};

struct ao_commitindex *ao_commitindex_new(void)
{
	return ao_xcalloc(1, sizeof(struct ao_commitindex));
}

void ao_commitindex_free(struct ao_commitindex *index)
{
	if (!index)
		return;
	ao_idmap_release(&index->ids);
	free(index->places);
	free(index->counts);
	free(index);
}

static void count(struct ao_commitindex *index, size_t run, size_t candidate)
{
	while (index->run_count <= run) {
		index->counts = ao_grow(index->counts, &index->run_alloc,
					index->run_count + 1,
					sizeof(*index->counts));
		index->counts[index->run_count++] = 0;
	}
	index->counts[run] = candidate + 1;
}

void ao_commitindex_add(struct ao_commitindex *index, const char *commit,
			size_t run, size_t candidate)
{
	size_t at = index->ids.count;
	git_oid id;

	count(index, run, candidate);
	if (git_oid_fromstr(&id, commit) || !ao_idmap_add(&index->ids, &id, at))
		return;
	index->places = ao_grow(index->places, &index->place_alloc, at + 1,
				sizeof(*index->places));
	index->places[at] = (struct place){ run, candidate };
}

bool ao_commitindex_find(size_t *run_out, size_t *candidate_out,
			 const struct ao_commitindex *index, const char *commit)
{
	const size_t *at;
	git_oid id;

	if (strlen(commit) != GIT_OID_HEXSZ || git_oid_fromstr(&id, commit))
		return false;
	at = ao_idmap_get(&index->ids, &id);
	if (!at)
		return false;
	*run_out = index->places[*at].run;
	*candidate_out = index->places[*at].candidate;
	return true;
}

size_t ao_commitindex_count(const struct ao_commitindex *index, size_t run)
{
	return run < index->run_count ? index->counts[run] : 0;
}
