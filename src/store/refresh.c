/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/journalwalk.h"
#include "store/refresh.h"

/* Insights are not part of a snapshot. */
static bool is_used(const struct ao_runread_notes *notes)
{
	return notes->kind == AO_RECORD_PROFILE ||
	       notes->kind == AO_RECORD_PLAN;
}

bool ao_refresh_has_notes(const struct ao_snapshot *snapshot,
			  const struct ao_runread *read)
{
	size_t used = 0;

	for (size_t i = 0; i < read->note_count; i++) {
		const struct ao_runread_notes *notes = &read->notes[i];

		if (!is_used(notes))
			continue;
		if (used == snapshot->note_count ||
		    strcmp(snapshot->notes[used].ref, notes->ref) != 0 ||
		    !git_oid_equal(&snapshot->notes[used].tree, &notes->tree))
			return false;
		used++;
	}
	return used == snapshot->note_count;
}

bool ao_refresh_has_run(const struct ao_snapshot_run *run,
			const struct ao_runref *ref, const git_oid *settings)
{
	if (run->tip_count != ref->tip_count ||
	    !git_oid_equal(&run->settings, settings))
		return false;
	for (size_t i = 0; i < run->tip_count; i++)
		if (!git_oid_equal(&run->tips[i], &ref->tips[i]))
			return false;
	return true;
}

static void set_notes(struct ao_snapshot *snapshot,
		      const struct ao_runread *read)
{
	for (size_t i = 0; i < snapshot->note_count; i++)
		free(snapshot->notes[i].ref);
	free(snapshot->notes);
	snapshot->notes = ao_xcalloc(read->note_count + 1,
				     sizeof(*snapshot->notes));
	snapshot->note_count = 0;
	for (size_t i = 0; i < read->note_count; i++) {
		struct ao_snapshot_notes *n;

		if (!is_used(&read->notes[i]))
			continue;
		n = &snapshot->notes[snapshot->note_count++];
		n->ref = ao_xstrdup(read->notes[i].ref);
		n->tree = read->notes[i].tree;
	}
}

/* Append the notes of one of the refs, or what differs in the other. */
static void diff_all(struct ao_notelist *out, struct ao_objects *objects,
		     const struct ao_runread *read,
		     const struct ao_snapshot *snapshot)
{
	const struct ao_snapshot_notes *old = snapshot->notes;
	size_t left = snapshot->note_count;

	for (size_t i = 0; i < read->note_count; i++) {
		const struct ao_runread_notes *now = &read->notes[i];

		if (!is_used(now))
			continue;
		/* Both lists are sorted; refs before this one are gone. */
		for (; left && strcmp(old->ref, now->ref) < 0; old++, left--)
			ao_notetree_read(out, objects, &old->tree);
		if (left && !strcmp(old->ref, now->ref)) {
			ao_notetree_diff(out, objects, &old->tree, &now->tree);
			old++;
			left--;
		} else {
			ao_notetree_read(out, objects, &now->tree);
		}
	}
	for (; left; old++, left--)
		ao_notetree_read(out, objects, &old->tree);
}

/* What has to be looked at again. */
struct changes {
	bool has_any;
	struct ao_idmap commits; /* on which notes changed */
};

/* False if that cannot be told, as an old tree was garbage and is gone. */
static bool find_changes(struct changes *out, const struct ao_runread *read,
			 const struct ao_snapshot *snapshot)
{
	struct ao_objects objects = read->objects;
	struct ao_notelist notes = { 0 };
	bool is_whole;

	*out = (struct changes){ 0 };
	if (ao_refresh_has_notes(snapshot, read))
		return true;
	out->has_any = true;
	objects.gap_count = 0;
	objects.first_gap = NULL;
	objects.first_flaw = NULL;
	diff_all(&notes, &objects, read, snapshot);
	for (size_t i = 0; i < notes.count; i++)
		ao_idmap_add(&out->commits, &notes.notes[i].on, 0);
	is_whole = !objects.gap_count;
	free(objects.first_gap);
	free(objects.first_flaw);
	ao_notelist_release(&notes);
	return is_whole;
}

/* Journal commits up to the old tips; false if one of these was not met. */
static bool walk_on(struct ao_journalwalk *walk, struct ao_runread *read,
		    const struct ao_snapshot_run *run,
		    const struct ao_refresh_run *now)
{
	const struct ao_runref *ref = now->ref;
	struct ao_idmap known = { 0 };
	bool met_all = true;

	for (size_t i = 0; i < run->tip_count; i++)
		ao_idmap_add(&known, &run->tips[i], 0);
	for (size_t i = 0; i < ref->tip_count; i++)
		ao_journalwalk_from(walk, &read->objects, &ref->tips[i],
				    ref->run, now->run.base, &known);
	for (size_t i = 0; i < run->tip_count; i++)
		met_all = met_all && ao_idmap_get(&walk->seen, &run->tips[i]);
	ao_idmap_release(&known);
	return met_all;
}

/*
 * The attempts to read.  A journal that does not go on from where it was seen
 * last was rewritten: nothing that is known of it may stay.
 */
static void walk_journal(struct ao_journalwalk *walk, struct ao_runread *read,
			 struct ao_snapshot_run *run,
			 const struct ao_refresh_run *now)
{
	if (!git_oid_equal(&run->settings, &now->settings))
		ao_snapshot_run_clear(run);
	if (walk_on(walk, read, run, now))
		return;
	ao_snapshot_run_clear(run);
	ao_journalwalk_release(walk);
	walk_on(walk, read, run, now);
}

static void reread_attempts(struct ao_snapshot_run *run,
			    struct ao_runread *read, const struct ao_run *about,
			    const struct changes *changes)
{
	for (size_t i = 0; i < run->count; i++) {
		struct ao_snapshot_attempt *attempt = &run->attempts[i];
		struct ao_snapshot_attempt fresh;
		git_oid id;

		if (git_oid_fromstr(&id, attempt->candidate.commit) ||
		    (!ao_idmap_get(&changes->commits, &id) &&
		     !(attempt->is_elsewhere && changes->has_any)) ||
		    !ao_runread_attempt(&fresh, read, about, &id))
			continue;
		ao_candidate_release(&attempt->candidate);
		*attempt = fresh;
	}
}

static void read_new_attempts(struct ao_snapshot_run *run,
			      struct ao_runread *read,
			      const struct ao_run *about,
			      const struct ao_journalwalk *walk)
{
	struct ao_idmap known = { 0 };
	git_oid id;

	for (size_t i = 0; i < run->count; i++)
		if (!git_oid_fromstr(&id, run->attempts[i].candidate.commit))
			ao_idmap_add(&known, &id, i);
	for (size_t i = 0; i < walk->count; i++) {
		struct ao_snapshot_attempt attempt;

		if (ao_idmap_get(&known, &walk->attempts[i]) ||
		    !ao_runread_attempt(&attempt, read, about,
					&walk->attempts[i]))
			continue;
		run->attempts = ao_grow(run->attempts, &run->alloc,
					run->count + 1, sizeof(*run->attempts));
		run->attempts[run->count++] = attempt;
	}
	ao_idmap_release(&known);
}

static void read_baseline(struct ao_snapshot_run *run, struct ao_runread *read,
			  const struct ao_run *about)
{
	if (run->baseline)
		ao_profile_release(run->baseline);
	free(run->baseline);
	run->baseline = ao_runread_baseline(&run->is_baseline_elsewhere, read,
					    about, run->count > 0);
}

static void refresh_run(struct ao_snapshot_run *run, struct ao_runread *read,
			const struct ao_refresh_run *now,
			const struct changes *changes)
{
	struct ao_journalwalk walk = { 0 };
	bool is_new, had_attempts;
	git_oid base;

	ao_snapshot_unpack(run);
	walk_journal(&walk, read, run, now);
	is_new = !run->tip_count;
	had_attempts = run->count > 0;
	reread_attempts(run, read, &now->run, changes);
	read_new_attempts(run, read, &now->run, &walk);
	/* With the first attempts it is looked for further: see runread.h. */
	if (is_new || (!had_attempts && run->count) ||
	    (run->is_baseline_elsewhere && changes->has_any) ||
	    (!git_oid_fromstr(&base, now->run.base) &&
	     ao_idmap_get(&changes->commits, &base)))
		read_baseline(run, read, &now->run);

	free(run->tips);
	run->tip_count = now->ref->tip_count;
	run->tips = ao_xmalloc(run->tip_count * sizeof(*run->tips));
	memcpy(run->tips, now->ref->tips, run->tip_count * sizeof(*run->tips));
	run->settings = now->settings;
	ao_journalwalk_release(&walk);
}

/* Drop the runs that are not in the list any more. */
static void drop_others(struct ao_snapshot *snapshot,
			const struct ao_refresh_run *runs, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < snapshot->run_count; i++) {
		struct ao_snapshot_run *run = &snapshot->runs[i];
		bool is_there = false;

		for (size_t j = 0; j < count && !is_there; j++)
			is_there = !strcmp(runs[j].ref->run, run->run) &&
				   !strcmp(runs[j].ref->task, run->task);
		if (is_there) {
			snapshot->runs[kept++] = *run;
			continue;
		}
		ao_snapshot_run_clear(run);
		free(run->task);
		free(run->run);
	}
	snapshot->run_count = kept;
}

void ao_refresh(struct ao_snapshot *snapshot, struct ao_runread *read,
		const struct ao_refresh_run *runs, size_t count)
{
	struct changes changes = { 0 };

	if (snapshot->run_count && !find_changes(&changes, read, snapshot))
		ao_snapshot_release(snapshot);
	drop_others(snapshot, runs, count);
	for (size_t i = 0; i < count; i++)
		refresh_run(ao_snapshot_get(snapshot, runs[i].ref->task,
					    runs[i].ref->run),
			    read, &runs[i], &changes);
	set_notes(snapshot, read);
	ao_idmap_release(&changes.commits);
}
