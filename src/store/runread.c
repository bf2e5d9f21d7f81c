/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/commit.h"
#include "store/layout.h"
#include "store/runread.h"

/*
 * Up to so many commits, looking for each in the notes trees costs less than
 * reading the trees as a whole.
 */
enum { MAX_LOOKUPS = 128 };

static bool tree_of(git_oid *out, struct ao_objects *objects,
		    const git_oid *commit_id)
{
	git_odb_object *object;
	struct ao_commit commit;
	bool is_one;

	object = ao_objects_read(objects, commit_id, GIT_OBJECT_COMMIT);
	if (!object)
		return false;
	is_one = ao_commit_read(&commit, git_odb_object_data(object),
				git_odb_object_size(object));
	git_odb_object_free(object);
	if (is_one)
		*out = commit.tree;
	return is_one;
}

void ao_runread_init(struct ao_runread *read, const struct ao_repo *repo,
		     const struct ao_runrefs *refs, bool is_brief)
{
	*read = (struct ao_runread){ 0 };
	ao_objects_init(&read->objects, repo);
	read->records.objects = &read->objects;
	read->records.is_brief = is_brief;
	for (size_t i = 0; i < refs->broken.count; i++)
		ao_objects_flaw(&read->objects,
				"the file of '%s' is broken; 'git update-ref' "
				"sets it again, 'git reflog' may tell to what",
				refs->broken.v[i]);
	read->notes = ao_xcalloc(refs->note_count + 1, sizeof(*read->notes));
	for (size_t i = 0; i < refs->note_count; i++) {
		struct ao_runread_notes *notes = &read->notes[read->note_count];

		notes->ref = refs->notes[i].name;
		notes->kind = refs->notes[i].kind;
		if (tree_of(&notes->tree, &read->objects,
			    &refs->notes[i].commit))
			read->note_count++;
	}
}

void ao_runread_release(struct ao_runread *read)
{
	ao_objects_release(&read->objects);
	ao_records_release(&read->records);
	ao_kernelids_release(&read->kernels);
	free(read->notes);
	*read = (struct ao_runread){ 0 };
}

void ao_runread_list(struct ao_notelist *out, struct ao_runread *read,
		     enum ao_record_kind kind)
{
	for (size_t i = 0; i < read->note_count; i++)
		if (read->notes[i].kind == kind)
			ao_notetree_read(out, &read->objects,
					 &read->notes[i].tree);
	ao_notelist_sort(out);
}

/* Forget what was found in a part of the notes. */
static void reset_records(struct ao_records *records)
{
	struct ao_records empty = { .objects = records->objects,
				    .is_brief = records->is_brief };

	ao_records_release(records);
	*records = empty;
}

void ao_runread_all_notes(struct ao_runread *read)
{
	if (read->has_all_notes)
		return;
	reset_records(&read->records);
	ao_runread_list(&read->records.profiles, read, AO_RECORD_PROFILE);
	ao_runread_list(&read->records.plans, read, AO_RECORD_PLAN);
	read->has_all_notes = true;
}

/* Have at least the notes of this commit in read->records. */
static void have_notes(struct ao_runread *read, const git_oid *commit)
{
	struct ao_records *records = &read->records;

	if (!read->has_all_notes && read->lookups++ >= MAX_LOOKUPS)
		ao_runread_all_notes(read);
	if (read->has_all_notes)
		return;
	reset_records(records);
	for (size_t i = 0; i < read->note_count; i++) {
		const struct ao_runread_notes *notes = &read->notes[i];

		if (notes->kind == AO_RECORD_PROFILE)
			ao_notetree_on(&records->profiles, &read->objects,
				       &notes->tree, commit);
		else if (notes->kind == AO_RECORD_PLAN)
			ao_notetree_on(&records->plans, &read->objects,
				       &notes->tree, commit);
	}
	ao_notelist_sort(&records->profiles);
	ao_notelist_sort(&records->plans);
}

/* Find run.json in the tree of a tip; a gap if that cannot be done. */
static bool find_settings(git_oid *blob_out, struct ao_runread *read,
			  const struct ao_runref *ref, const git_oid *tip)
{
	struct ao_objects *objects = &read->objects;
	size_t gaps = objects->gap_count;
	git_oid tree;

	if (tree_of(&tree, objects, tip) &&
	    ao_objects_find(blob_out, objects, &tree,
			    AO_OWN_FOLDER "/" AO_RUN_FILE))
		return true;
	if (objects->gap_count == gaps)
		ao_objects_flaw(objects,
				"branch 'accelopt/%s/%s/all' is at %s, which "
				"is no journal commit; 'git reflog' may tell "
				"where it was",
				ref->task, ref->run, git_oid_tostr_s(tip));
	return false;
}

/* The same for the contents of run.json. */
static bool read_settings(struct ao_run *out, struct ao_runread *read,
			  const struct ao_runref *ref, const git_oid *blob)
{
	git_odb_object *object = ao_objects_read(&read->objects, blob,
						 GIT_OBJECT_BLOB);
	struct ao_error *err;
	bool is_good;

	if (!object)
		return false;
	err = ao_run_read(out, AO_RUN_FILE, git_odb_object_data(object),
			  git_odb_object_size(object));
	git_odb_object_free(object);
	is_good = !err;
	if (err)
		ao_objects_flaw(&read->objects,
				"run '%s' of '%s' cannot be read: %s", ref->run,
				ref->task, ao_error_message(err));
	ao_error_free(err);
	return is_good;
}

bool ao_runread_settings(struct ao_run *out, git_oid *blob_out,
			 struct ao_runread *read, const struct ao_runref *ref)
{
	for (size_t i = 0; i < ref->tip_count; i++)
		if (find_settings(blob_out, read, ref, &ref->tips[i]) &&
		    read_settings(out, read, ref, blob_out))
			return true;
	return false;
}

static bool read_commit(struct ao_candidate *out, git_oid *tree_out,
			struct ao_runread *read, const struct ao_run *run,
			const git_oid *id)
{
	git_odb_object *object;
	struct ao_commit commit;
	bool is_one;
	git_oid parent;

	object = ao_objects_read(&read->objects, id, GIT_OBJECT_COMMIT);
	if (!object)
		return false;
	is_one = ao_commit_read(&commit, git_odb_object_data(object),
				git_odb_object_size(object)) &&
		 commit.parent_count == 1 &&
		 ao_message_read(&out->message, commit.message,
				 commit.message_len);
	if (is_one) {
		ao_commit_parent(&parent, &commit, 0);
		ao_git_hex(out->commit, id);
		ao_git_hex(out->parent, &parent);
		out->time_unix_ms = commit.time_unix_ms;
		*tree_out = commit.tree;
	}
	git_odb_object_free(object);
	return is_one && !strcmp(out->message.run, run->id) &&
	       !strcmp(out->message.task, run->task);
}

static void find_records(struct ao_snapshot_attempt *attempt,
			 struct ao_runread *read,
			 const struct ao_records_query *query)
{
	struct ao_candidate *candidate = &attempt->candidate;
	bool is_profile_elsewhere, is_plan_elsewhere;

	candidate->profile = ao_records_profile(&is_profile_elsewhere,
						&read->records, query);
	candidate->plan = ao_records_plan(&is_plan_elsewhere, &read->records,
					  query);
	attempt->is_elsewhere = is_profile_elsewhere || is_plan_elsewhere;
}

static void drop_records(struct ao_candidate *candidate)
{
	if (candidate->profile)
		ao_profile_release(candidate->profile);
	free(candidate->profile);
	if (candidate->plan)
		ao_plan_release(candidate->plan);
	free(candidate->plan);
	candidate->profile = NULL;
	candidate->plan = NULL;
}

static void read_records(struct ao_snapshot_attempt *attempt,
			 struct ao_runread *read, const struct ao_run *run,
			 const git_oid *commit)
{
	const struct ao_records_query query = {
		.commit = commit,
		.kernel = attempt->candidate.kernel,
		.task_id = run->task_id,
		.plan_id = attempt->candidate.message.plan_id,
		.fingerprint = run->machine.fingerprint,
	};

	have_notes(read, commit);
	find_records(attempt, read, &query);
	if (attempt->is_elsewhere && !read->has_all_notes) {
		drop_records(&attempt->candidate);
		ao_runread_all_notes(read);
		find_records(attempt, read, &query);
	}
}

bool ao_runread_attempt(struct ao_snapshot_attempt *out,
			struct ao_runread *read, const struct ao_run *run,
			const git_oid *commit)
{
	struct ao_snapshot_attempt attempt = { 0 };
	struct ao_candidate *candidate = &attempt.candidate;
	git_oid tree;

	if (!read_commit(candidate, &tree, read, run, commit)) {
		ao_candidate_release(candidate);
		return false;
	}
	ao_kernelid_find(candidate->kernel, &read->kernels, &read->objects,
			 &tree, run->task);
	if (read->records.is_brief) {
		free(candidate->message.plan);
		candidate->message.plan = NULL;
	}
	read_records(&attempt, read, run, commit);
	/* The tree did not tell, or is not here. */
	if (!*candidate->kernel && candidate->profile)
		memcpy(candidate->kernel, candidate->profile->kernel,
		       AO_ID_SIZE);
	*out = attempt;
	return true;
}

struct ao_profile *ao_runread_baseline(bool *is_elsewhere_out,
				       struct ao_runread *read,
				       const struct ao_run *run,
				       bool has_attempts)
{
	struct ao_records_query query = {
		.kernel = run->base_kernel,
		.task_id = run->task_id,
		.plan_id = "",
		.fingerprint = run->machine.fingerprint,
		.is_here_only = !has_attempts,
	};
	struct ao_profile *profile;
	git_oid commit;

	*is_elsewhere_out = false;
	if (!*run->base_kernel || git_oid_fromstr(&commit, run->base))
		return NULL;
	query.commit = &commit;
	have_notes(read, &commit);
	profile = ao_records_profile(is_elsewhere_out, &read->records, &query);
	if (*is_elsewhere_out && has_attempts && !read->has_all_notes) {
		ao_runread_all_notes(read);
		profile = ao_records_profile(is_elsewhere_out, &read->records,
					     &query);
	}
	return profile;
}
