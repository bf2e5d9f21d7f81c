/* SPDX-License-Identifier: MIT */
/*
 * journalwalk.h - the attempts that the commits of a journal name.
 *
 * Parent 1 is the journal commit before, and behind the first of them the base
 * of the run; the other parents are attempts.
 */
#ifndef AO_STORE_JOURNALWALK_H
#define AO_STORE_JOURNALWALK_H

#include "store/commit.h"
#include "store/idmap.h"
#include "store/objects.h"

/* Walks from several tips of one run add up.  All zero has walked nothing. */
struct ao_journalwalk {
	git_oid *attempts; /* [count] none twice */
	size_t count;
	size_t alloc;
	struct ao_idmap attempt_ids;
	struct ao_idmap seen; /* journal commits, those it stopped at too */
};

/* Whether we wrote it as a commit of the run's journal. */
bool ao_journalwalk_is_journal(const struct ao_commit *commit, const char *run);

/*
 * Walk back from `tip` to the base, or to a commit that was seen or is in
 * `known`.  Commits of others on the branch are passed.  If one is missing, or
 * none leads to the base, the walk ends with a gap.
 */
void ao_journalwalk_from(struct ao_journalwalk *walk,
			 struct ao_objects *objects, const git_oid *tip,
			 const char *run, const char *base,
			 const struct ao_idmap *known);

void ao_journalwalk_release(struct ao_journalwalk *walk);

#endif
