/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/run.h"
#include "store/layout.h"
#include "store/looserefs.h"
#include "store/repo_data.h"
#include "store/runrefs.h"
#include "util/text.h"

/* What follows "accelopt" in a ref: at most a task, a run and "all". */
struct words {
	char *copy;
	const char *word[3]; /* within copy */
};

/*
 * Take the last `count` words of a ref that stand behind the word "accelopt";
 * from behind, as the name of a remote may have slashes in it.
 */
static bool split(struct words *out, const char *name, size_t count)
{
	struct words words = { .copy = ao_xstrdup(name) };
	char *slash = NULL;

	for (size_t i = count; i-- > 0;) {
		slash = strrchr(words.copy, '/');
		if (!slash)
			break;
		words.word[i] = slash + 1;
		*slash = '\0';
	}
	if (!slash || !ao_text_ends_with(words.copy, "/accelopt")) {
		free(words.copy);
		return false;
	}
	*out = words;
	return true;
}

static struct ao_runref *get_run(struct ao_runrefs *refs, const char *task,
				 const char *run)
{
	for (size_t i = 0; i < refs->run_count; i++)
		if (!strcmp(refs->runs[i].run, run) &&
		    !strcmp(refs->runs[i].task, task))
			return &refs->runs[i];
	refs->runs = ao_grow(refs->runs, &refs->run_alloc, refs->run_count + 1,
			     sizeof(*refs->runs));
	refs->runs[refs->run_count] = (struct ao_runref){
		.task = ao_xstrdup(task),
		.run = ao_xstrdup(run),
		.is_remote = true,
	};
	return &refs->runs[refs->run_count++];
}

/* This clone's tip goes first. */
static void add_tip(struct ao_runref *run, const git_oid *id, bool is_remote)
{
	for (size_t i = 0; i < run->tip_count; i++) {
		if (!git_oid_equal(&run->tips[i], id))
			continue;
		if (!is_remote) {
			run->tips[i] = run->tips[0];
			run->tips[0] = *id;
		}
		return;
	}
	run->tips = ao_xrealloc(run->tips,
				(run->tip_count + 1) * sizeof(*run->tips));
	run->tips[run->tip_count++] = *id;
	if (!is_remote) {
		run->tips[run->tip_count - 1] = run->tips[0];
		run->tips[0] = *id;
	}
}

static void add_branch(struct ao_runrefs *refs, const struct words *words,
		       const git_oid *id, bool is_remote)
{
	bool is_best = !strcmp(words->word[2], "best");
	struct ao_runref *run;

	if ((!is_best && strcmp(words->word[2], "all") != 0) ||
	    !ao_task_name_is_valid(words->word[0]) ||
	    !ao_run_id_is_valid(words->word[1]))
		return;
	run = get_run(refs, words->word[0], words->word[1]);
	if (!is_best) {
		add_tip(run, id, is_remote);
		run->is_remote = run->is_remote && is_remote;
	} else if (!run->has_best || !is_remote) {
		run->best = *id;
		run->has_best = true;
	}
}

static void add_notes(struct ao_runrefs *refs, const char *kind,
		      const char *name, const git_oid *id)
{
	for (size_t i = 0; i < AO_RECORD_KIND_COUNT; i++) {
		enum ao_record_kind k = (enum ao_record_kind)i;

		if (strcmp(kind, ao_record_kind_name(k)) != 0)
			continue;
		refs->notes = ao_grow(refs->notes, &refs->note_alloc,
				      refs->note_count + 1,
				      sizeof(*refs->notes));
		refs->notes[refs->note_count++] = (struct ao_noteref){
			.name = ao_xstrdup(name),
			.kind = k,
			.commit = *id,
		};
	}
}

void ao_runrefs_add(struct ao_runrefs *refs, const char *name,
		    const git_oid *id)
{
	bool is_remote = ao_text_starts_with(name, "refs/remotes/");
	struct words words;

	if (ao_text_starts_with(name, "refs/notes/")) {
		if (!split(&words, name, 2))
			return;
		add_notes(refs, words.word[1], name, id);
	} else if (is_remote || ao_text_starts_with(name, AO_HEADS_PREFIX)) {
		if (!split(&words, name, 3))
			return;
		add_branch(refs, &words, id, is_remote);
	} else {
		return;
	}
	free(words.copy);
}

static int compare_runs(const void *a, const void *b)
{
	const struct ao_runref *left = a, *right = b;
	int order = strcmp(left->run, right->run);

	return order ? order : strcmp(left->task, right->task);
}

static int compare_notes(const void *a, const void *b)
{
	const struct ao_noteref *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void release_run(struct ao_runref *run)
{
	free(run->task);
	free(run->run);
	free(run->tips);
}

void ao_runrefs_finish(struct ao_runrefs *refs)
{
	size_t kept = 0;

	for (size_t i = 0; i < refs->run_count; i++) {
		if (refs->runs[i].tip_count)
			refs->runs[kept++] = refs->runs[i];
		else
			release_run(&refs->runs[i]);
	}
	refs->run_count = kept;
	if (kept)
		qsort(refs->runs, kept, sizeof(*refs->runs), compare_runs);
	if (refs->note_count)
		qsort(refs->notes, refs->note_count, sizeof(*refs->notes),
		      compare_notes);
}

void ao_runrefs_release(struct ao_runrefs *refs)
{
	for (size_t i = 0; i < refs->run_count; i++)
		release_run(&refs->runs[i]);
	for (size_t i = 0; i < refs->note_count; i++)
		free(refs->notes[i].name);
	free(refs->runs);
	free(refs->notes);
	ao_strs_release(&refs->broken);
	*refs = (struct ao_runrefs){ 0 };
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_name(const struct ao_strs *sorted, const char *name)
{
	return sorted->count && bsearch(&name, sorted->v, sorted->count,
					sizeof(*sorted->v), compare_names);
}

/* Take in a ref, unless it is symbolic: what it names has its own name. */
static void add_ref(struct ao_runrefs *refs, const git_reference *ref)
{
	if (git_reference_type(ref) == GIT_REFERENCE_DIRECT)
		ao_runrefs_add(refs, git_reference_name(ref),
			       git_reference_target(ref));
}

/* Whether a ref of that name would be taken in. */
static bool is_ours(const char *name)
{
	static const git_oid none;
	struct ao_runrefs refs = { 0 };
	bool is_one;

	ao_runrefs_add(&refs, name, &none);
	is_one = refs.run_count || refs.note_count;
	ao_runrefs_release(&refs);
	return is_one;
}

/* Look up each ref that had a file; git may have packed or deleted it since. */
static void add_loose(struct ao_runrefs *refs, const struct ao_repo *repo,
		      const struct ao_strs *names)
{
	for (size_t i = 0; i < names->count; i++) {
		git_reference *ref = NULL;
		int rc;

		if (!is_ours(names->v[i]))
			continue;
		rc = git_reference_lookup(&ref, repo->git, names->v[i]);
		if (!rc)
			add_ref(refs, ref);
		else if (rc != GIT_ENOTFOUND)
			ao_strs_push(&refs->broken, names->v[i]);
		git_reference_free(ref);
	}
}

/* Take in all refs that libgit2 lists, but those with the names. */
static struct ao_error *add_others(struct ao_runrefs *refs,
				   const struct ao_repo *repo,
				   const struct ao_strs *names)
{
	git_reference_iterator *iterator = NULL;
	git_reference *ref = NULL;
	int rc = git_reference_iterator_new(&iterator, repo->git);

	while (!rc) {
		rc = git_reference_next(&ref, iterator);
		if (rc)
			break;
		if (!has_name(names, git_reference_name(ref)))
			add_ref(refs, ref);
		git_reference_free(ref);
	}
	git_reference_iterator_free(iterator);
	return rc == GIT_ITEROVER ? NULL
				  : ao_git_error(rc, "cannot list the refs");
}

struct ao_error *ao_runrefs_find(struct ao_runrefs *out,
				 const struct ao_repo *repo)
{
	struct ao_runrefs refs = { 0 };
	struct ao_strs names = { 0 };
	struct ao_error *err;

	ao_looserefs_list(&names, repo);
	err = add_others(&refs, repo, &names);
	if (!err)
		add_loose(&refs, repo, &names);
	ao_strs_release(&names);
	if (err) {
		ao_runrefs_release(&refs);
		return err;
	}
	ao_runrefs_finish(&refs);
	*out = refs;
	return NULL;
}
