/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/journalwalk.h"

/* More commits of others in a row than this are another history. */
enum { MAX_FOREIGN = 1000 };

bool ao_journalwalk_is_journal(const struct ao_commit *commit, const char *run)
{
	char *trailer = ao_xstrf("\nAccelopt-Run: %s\n", run);
	bool is_one = memmem(commit->message, commit->message_len, trailer,
			     strlen(trailer));

	free(trailer);
	return is_one;
}

/*
 * Behind the first commit of a journal is the base, whatever its id: history
 * may have been rewritten since run.json was.
 */
static bool is_start(const struct ao_commit *commit)
{
	static const char start[] = "journal: start";

	return commit->message_len >= strlen(start) &&
	       !memcmp(commit->message, start, strlen(start));
}

static void add_attempt(struct ao_journalwalk *walk, const git_oid *id)
{
	if (!ao_idmap_add(&walk->attempt_ids, id, walk->count))
		return;
	walk->attempts = ao_grow(walk->attempts, &walk->alloc, walk->count + 1,
				 sizeof(*walk->attempts));
	walk->attempts[walk->count++] = *id;
}

/* A walk under way. */
struct walker {
	struct ao_journalwalk *walk;
	struct ao_objects *objects;
	const char *run;
	git_oid at;
	unsigned foreign; /* commits of others since the last of ours */
};

/* Take in the parents of a commit; false if the journal ends with it. */
static bool take(struct walker *walker, const struct ao_commit *commit)
{
	bool is_ours = ao_journalwalk_is_journal(commit, walker->run);
	git_oid id;

	/* Also of a commit of others: an amended one has ours as parents. */
	for (size_t i = 1; i < commit->parent_count; i++) {
		ao_commit_parent(&id, commit, i);
		add_attempt(walker->walk, &id);
	}
	if (is_ours && is_start(commit))
		return false;
	walker->foreign = is_ours ? 0 : walker->foreign + 1;
	if (!commit->parent_count || walker->foreign > MAX_FOREIGN) {
		ao_objects_flaw(walker->objects,
				"the journal of run '%s' does not lead to its "
				"base, as if its branch was moved by hand; "
				"'git reflog' may tell where it was",
				walker->run);
		return false;
	}
	ao_commit_parent(&walker->at, commit, 0);
	return true;
}

/* Go on to the commit before; false if there is none of the journal. */
static bool step(struct walker *walker)
{
	git_odb_object *object;
	struct ao_commit commit;
	bool goes_on;

	object = ao_objects_read(walker->objects, &walker->at,
				 GIT_OBJECT_COMMIT);
	if (!object)
		return false;
	goes_on = ao_commit_read(&commit, git_odb_object_data(object),
				 git_odb_object_size(object));
	if (goes_on)
		goes_on = take(walker, &commit);
	else
		ao_objects_gap(walker->objects, "commit %s cannot be read",
			       git_oid_tostr_s(&walker->at));
	git_odb_object_free(object);
	return goes_on;
}

void ao_journalwalk_from(struct ao_journalwalk *walk,
			 struct ao_objects *objects, const git_oid *tip,
			 const char *run, const char *base,
			 const struct ao_idmap *known)
{
	struct walker walker = {
		.walk = walk,
		.objects = objects,
		.run = run,
		.at = *tip,
	};

	do {
		if (!git_oid_streq(&walker.at, base) ||
		    !ao_idmap_add(&walk->seen, &walker.at, 0) ||
		    ao_idmap_get(known, &walker.at))
			return;
	} while (step(&walker));
}

void ao_journalwalk_release(struct ao_journalwalk *walk)
{
	ao_idmap_release(&walk->attempt_ids);
	ao_idmap_release(&walk->seen);
	free(walk->attempts);
	*walk = (struct ao_journalwalk){ 0 };
}
