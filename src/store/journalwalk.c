/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/commit.h"
#include "store/journalwalk.h"

/*
 * A journal commit names its run.  The base does not; so the walk ends there
 * too when history was rewritten and no id is what run.json says.
 */
static bool is_journal(const struct ao_commit *commit, const char *run)
{
	char *trailer = ao_xstrf("\nAccelopt-Run: %s\n", run);
	bool is_one = memmem(commit->message, commit->message_len, trailer,
			     strlen(trailer));

	free(trailer);
	return is_one;
}

static void add_attempt(struct ao_journalwalk *walk, const git_oid *id)
{
	if (!ao_idmap_add(&walk->attempt_ids, id, walk->count))
		return;
	walk->attempts = ao_grow(walk->attempts, &walk->alloc, walk->count + 1,
				 sizeof(*walk->attempts));
	walk->attempts[walk->count++] = *id;
}

/* Take in one commit; false if the journal does not go on behind it. */
static bool step(struct ao_journalwalk *walk, git_oid *at,
		 struct ao_objects *objects, const char *run)
{
	git_odb_object *object;
	struct ao_commit commit;
	bool goes_on = false;
	git_oid id;

	object = ao_objects_read(objects, at, GIT_OBJECT_COMMIT);
	if (!object)
		return false;
	if (ao_commit_read(&commit, git_odb_object_data(object),
			   git_odb_object_size(object)) &&
	    commit.parent_count && is_journal(&commit, run)) {
		goes_on = true;
		ao_commit_parent(at, &commit, 0);
		for (size_t i = 1; i < commit.parent_count; i++) {
			ao_commit_parent(&id, &commit, i);
			add_attempt(walk, &id);
		}
	}
	git_odb_object_free(object);
	return goes_on;
}

void ao_journalwalk_from(struct ao_journalwalk *walk,
			 struct ao_objects *objects, const git_oid *tip,
			 const char *run, const struct ao_idmap *known)
{
	git_oid at = *tip;

	do {
		if (!ao_idmap_add(&walk->seen, &at, 0) ||
		    ao_idmap_get(known, &at))
			return;
	} while (step(walk, &at, objects, run));
}

void ao_journalwalk_release(struct ao_journalwalk *walk)
{
	ao_idmap_release(&walk->attempt_ids);
	ao_idmap_release(&walk->seen);
	free(walk->attempts);
	*walk = (struct ao_journalwalk){ 0 };
}
