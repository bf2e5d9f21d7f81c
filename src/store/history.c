/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <unistd.h>

#include "store/asof.h"
#include "store/badnotes.h"
#include "store/commitindex.h"
#include "store/history.h"
#include "store/insights.h"
#include "store/refresh.h"
#include "store/repo_data.h"
#include "store/share.h"

/* In the folder accelopt/ of the common git folder. */
static const char cache_name[] = "history-cache";

/* One load. */
struct load {
	const struct ao_history_options *options;
	struct ao_repo *repo;
	struct ao_runrefs refs;
	struct ao_runread read;
	struct ao_snapshot snapshot;

	/* Runs with a run.json that can be read. */
	struct ao_refresh_run *runs; /* [run_count] oldest first */
	size_t run_count;

	const struct ao_runref *as_of; /* the run of options->as_of, or NULL */
};

static bool is_wanted(const struct load *load, const struct ao_runref *ref)
{
	const struct ao_history_options *options = load->options;

	return (!options->task || !strcmp(options->task, ref->task)) &&
	       (!options->run || !strcmp(options->run, ref->run));
}

static bool has_cache(const struct load *load)
{
	const struct ao_history_options *options = load->options;

	return options->is_brief && !options->no_cache && !options->as_of;
}

/* Read run.json of each run; of all, as all are in the cache. */
static void read_settings(struct load *load)
{
	load->runs = ao_xcalloc(load->refs.run_count + 1, sizeof(*load->runs));
	for (size_t i = 0; i < load->refs.run_count; i++) {
		const struct ao_runref *ref = &load->refs.runs[i];
		struct ao_refresh_run *run = &load->runs[load->run_count];

		if (!has_cache(load) && !is_wanted(load, ref))
			continue;
		if (!ao_runread_settings(&run->run, &run->settings, &load->read,
					 ref))
			continue;
		run->ref = ref;
		load->run_count++;
	}
}

/* Whether the cache has what is wanted, as it is now. */
static bool is_fresh(const struct load *load)
{
	if (!ao_refresh_has_notes(&load->snapshot, &load->read))
		return false;
	for (size_t i = 0; i < load->run_count; i++) {
		const struct ao_refresh_run *run = &load->runs[i];
		const struct ao_snapshot_run *known;

		if (!is_wanted(load, run->ref))
			continue;
		known = ao_snapshot_find(&load->snapshot, run->ref->task,
					 run->ref->run);
		if (!known ||
		    !ao_refresh_has_run(known, run->ref, &run->settings))
			return false;
	}
	return true;
}

/* A cache that cannot be written, on a read-only disk say, is none. */
static void save_cache(const struct load *load, const char *path)
{
	struct ao_error *err = ao_snapshot_save(&load->snapshot, path);

	if (!err)
		ao_share(&load->repo->config, path);
	ao_error_free(err);
}

static void read_with_cache(struct load *load)
{
	struct ao_error *err;
	char *path = NULL;

	err = ao_repo_own_path(&path, load->repo, cache_name);
	ao_error_free(err);
	if (path)
		ao_snapshot_load(&load->snapshot, path);
	if (!path || !is_fresh(load)) {
		ao_refresh(&load->snapshot, &load->read, load->runs,
			   load->run_count);
		/*
		 * What is missing now may come later, and change no ref; and of
		 * bad notes each reader is told.
		 */
		if (path && !load->read.objects.gap_count &&
		    !load->read.objects.bad_note_count)
			save_cache(load, path);
	}
	free(path);
}

/* All that `as_of` knew of other runs has a note of that time. */
static bool was_known(const struct load *load, const struct ao_runref *ref,
		      const struct ao_snapshot_attempt *attempt)
{
	size_t count;
	git_oid id;

	if (!load->as_of || ref == load->as_of)
		return true;
	if (git_oid_fromstr(&id, attempt->candidate.commit))
		return false;
	ao_notelist_on(&count, &load->read.records.profiles, &id);
	return count > 0;
}

static int compare_attempts(const void *a, const void *b)
{
	const struct ao_candidate *left = a, *right = b;
	const struct ao_attempt *x = &left->message.attempt;
	const struct ao_attempt *y = &right->message.attempt;

	if (x->iteration != y->iteration)
		return x->iteration < y->iteration ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(left->commit, right->commit);
}

/* Move a run from the snapshot to the history. */
static void take_run(struct ao_history_run *out, struct load *load,
		     struct ao_refresh_run *from)
{
	const struct ao_runref *ref = from->ref;
	struct ao_snapshot_run *run;

	run = ao_snapshot_get(&load->snapshot, ref->task, ref->run);
	ao_snapshot_unpack(run);
	*out = (struct ao_history_run){ .run = from->run,
					.is_remote = ref->is_remote,
					.baseline = run->baseline };
	from->run = (struct ao_run){ 0 };
	run->baseline = NULL;
	ao_git_hex(out->tip, &ref->tips[0]);
	if (ref->has_best && !load->as_of)
		ao_git_hex(out->best, &ref->best);
	out->candidates = ao_xcalloc(run->count + 1, sizeof(*out->candidates));
	for (size_t i = 0; i < run->count; i++) {
		if (!was_known(load, ref, &run->attempts[i]))
			continue;
		out->candidates[out->candidate_count++] =
			run->attempts[i].candidate;
		run->attempts[i].candidate = (struct ao_candidate){ 0 };
	}
	qsort(out->candidates, out->candidate_count, sizeof(*out->candidates),
	      compare_attempts);
}

static void release_run(struct ao_history_run *run)
{
	for (size_t i = 0; i < run->candidate_count; i++)
		ao_candidate_release(&run->candidates[i]);
	free(run->candidates);
	if (run->baseline)
		ao_profile_release(run->baseline);
	free(run->baseline);
	ao_run_release(&run->run);
}

/* Ids tell the second, and nothing within it. */
static int compare_runs(const void *a, const void *b)
{
	const struct ao_run *left = &((const struct ao_history_run *)a)->run;
	const struct ao_run *right = &((const struct ao_history_run *)b)->run;

	if (left->started_unix_ms != right->started_unix_ms)
		return left->started_unix_ms < right->started_unix_ms ? -1 : 1;
	return strcmp(left->id, right->id);
}

static void take_runs(struct ao_history *out, struct load *load)
{
	out->runs = ao_xcalloc(load->run_count + 1, sizeof(*out->runs));
	if (load->as_of)
		ao_runread_all_notes(&load->read);
	for (size_t i = 0; i < load->run_count; i++) {
		struct ao_history_run *run = &out->runs[out->run_count];
		const struct ao_runref *ref = load->runs[i].ref;

		if (!is_wanted(load, ref))
			continue;
		take_run(run, load, &load->runs[i]);
		/* A run of which nothing was known had not begun. */
		if (load->as_of && ref != load->as_of && !run->candidate_count)
			release_run(run);
		else
			out->run_count++;
	}
	qsort(out->runs, out->run_count, sizeof(*out->runs), compare_runs);
}

static void take_insights(struct ao_history *out, struct load *load)
{
	struct ao_notelist notes = { 0 };

	if (load->options->no_insights)
		return;
	ao_runread_list(&notes, &load->read, AO_RECORD_INSIGHT);
	out->insights = ao_insights_read(
		&out->insight_count, &load->read.objects, &notes,
		load->options->task, load->options->run);
	ao_notelist_release(&notes);
}

/*
 * Why there is no run: a shallow clone has, by default, but one branch.  Where
 * there are runs, it is known what of them is missing.
 */
static void tell_if_cut(struct load *load)
{
	const char *kind = ao_repo_is_shallow(load->repo)   ? "shallow"
			   : ao_repo_is_partial(load->repo) ? "partial"
							    : NULL;

	if (kind && !load->refs.run_count && !load->read.objects.gap_count)
		ao_objects_flaw(
			&load->read.objects,
			"this is a %s clone without a branch of a "
			"search; 'git fetch origin "
			"\"+refs/heads/accelopt/*:"
			"refs/remotes/origin/accelopt/*\"' brings those "
			"that there are",
			kind);
}

static bool has_candidates(const struct ao_history *history)
{
	for (size_t i = 0; i < history->run_count; i++)
		if (history->runs[i].candidate_count)
			return true;
	return false;
}

static void make_index(struct ao_history *history)
{
	history->index = ao_commitindex_new();
	for (size_t r = 0; r < history->run_count; r++) {
		const struct ao_history_run *run = &history->runs[r];

		for (size_t c = 0; c < run->candidate_count; c++)
			ao_commitindex_add(history->index,
					   run->candidates[c].commit, r, c);
	}
}

static void release_load(struct load *load)
{
	for (size_t i = 0; i < load->run_count; i++)
		ao_run_release(&load->runs[i].run);
	free(load->runs);
	ao_snapshot_release(&load->snapshot);
	ao_runread_release(&load->read);
	ao_runrefs_release(&load->refs);
}

struct ao_error *ao_history_load(struct ao_history *out, struct ao_repo *repo,
				 const struct ao_history_options *options)
{
	struct load load = { .options = options, .repo = repo };
	struct ao_history history = { 0 };
	struct ao_error *err;

	/* Refs first: what they name is then there to be read. */
	err = ao_runrefs_find(&load.refs, repo);
	if (!err && options->as_of)
		err = ao_asof_apply(&load.as_of, &load.refs, repo,
				    options->as_of);
	if (err) {
		ao_runrefs_release(&load.refs);
		return err;
	}
	ao_runread_init(&load.read, repo, &load.refs, options->is_brief);
	read_settings(&load);
	if (has_cache(&load))
		read_with_cache(&load);
	else
		ao_refresh(&load.snapshot, &load.read, load.runs,
			   load.run_count);
	take_runs(&history, &load);
	take_insights(&history, &load);
	tell_if_cut(&load);
	history.lacks_notes = has_candidates(&history) && !load.refs.note_count;
	history.incomplete_why = ao_objects_why(&load.read.objects);
	history.is_incomplete = history.incomplete_why != NULL;
	ao_badnotes_explain(&history.bad_notes, &load.read);
	make_index(&history);
	release_load(&load);
	*out = history;
	return NULL;
}

void ao_history_release(struct ao_history *history)
{
	for (size_t i = 0; i < history->run_count; i++)
		release_run(&history->runs[i]);
	for (size_t i = 0; i < history->insight_count; i++)
		ao_insight_release(&history->insights[i]);
	free(history->runs);
	free(history->insights);
	free(history->incomplete_why);
	ao_strs_release(&history->bad_notes);
	ao_commitindex_free(history->index);
	*history = (struct ao_history){ 0 };
}

bool ao_history_drop_cache(struct ao_repo *repo)
{
	char *path = NULL;
	struct ao_error *err = ao_repo_own_path(&path, repo, cache_name);
	bool is_gone = !err && (unlink(path) == 0 || errno == ENOENT);

	ao_error_free(err);
	free(path);
	return is_gone;
}

/* Look at the candidates one by one: all, or those that came since. */
static const struct ao_candidate *search(const struct ao_history *history,
					 const char *commit, bool all,
					 const struct ao_history_run **run_out)
{
	for (size_t r = 0; r < history->run_count; r++) {
		const struct ao_history_run *run = &history->runs[r];
		size_t c = all ? 0 : ao_commitindex_count(history->index, r);

		for (; c < run->candidate_count; c++) {
			if (strcmp(run->candidates[c].commit, commit) != 0)
				continue;
			if (run_out)
				*run_out = run;
			return &run->candidates[c];
		}
	}
	return NULL;
}

size_t *ao_history_lineage(size_t *count_out, const struct ao_history_run *run,
			   const char *commit)
{
	size_t *steps = ao_xcalloc(run->candidate_count + 1, sizeof(*steps));
	size_t count = 0;

	/*
	 * Parents stand before their children, so one pass finds all; what
	 * others say of parents may even go in a circle.
	 */
	for (size_t i = run->candidate_count; i-- > 0;) {
		if (strcmp(run->candidates[i].commit, commit) != 0)
			continue;
		steps[count++] = i;
		commit = run->candidates[i].parent;
	}
	*count_out = count;
	return steps;
}

bool ao_history_keeps(const struct ao_history_run *run, const size_t *lineage,
		      size_t at)
{
	const struct ao_attempt *id =
		&run->candidates[lineage[at]].message.attempt;
	struct ao_attempt dropped;

	if (ao_candidate_drops(NULL, &run->candidates[lineage[at]]))
		return false;
	for (size_t i = 0; i < at; i++)
		if (ao_candidate_drops(&dropped,
				       &run->candidates[lineage[i]]) &&
		    dropped.iteration == id->iteration &&
		    dropped.number == id->number)
			return false;
	return true;
}

const struct ao_candidate *ao_history_find(
	const struct ao_history *history, const char *commit,
	const struct ao_history_run **run_out)
{
	const struct ao_history_run *run;
	size_t r, c;

	if (!history->index)
		return search(history, commit, true, run_out);
	if (!ao_commitindex_find(&r, &c, history->index, commit))
		return search(history, commit, false, run_out);
	run = &history->runs[r];
	/* Unless somebody has put them into another order. */
	if (r >= history->run_count || c >= run->candidate_count ||
	    strcmp(run->candidates[c].commit, commit) != 0)
		return search(history, commit, true, run_out);
	if (run_out)
		*run_out = run;
	return &run->candidates[c];
}
