/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/tasks.h"
#include "util/text.h"

#include "cli/gaps.h"
#include "cli/hint.h"
#include "cli/which.h"

enum { MAX_IDS = 12, MAX_IDS_BYTES = 4 << 10 };

/* Split "<run>/<iteration>.<n>"; *len_out is the run's.  False if it isn't. */
static bool split_name(size_t *len_out, struct ao_attempt *attempt_out,
		       const char *name)
{
	const char *slash = strrchr(name, '/');

	if (!slash || !ao_attempt_read(attempt_out, slash + 1))
		return false;
	*len_out = (size_t)(slash - name);
	return *len_out > 0;
}

struct ao_error *ao_which_task(struct ao_repo *repo,
			       const struct ao_history *history,
			       const char *task)
{
	if (!task)
		return NULL;
	for (size_t i = 0; i < history->run_count; i++)
		if (!strcmp(history->runs[i].run.task, task))
			return NULL;
	return ao_tasks_find(repo, NULL, task);
}

/* The ids of the runs that are meant, as many as one reads. */
static struct ao_error *tell_ambiguous(const char *name,
				       const struct ao_strs *ids)
{
	struct ao_buf text = AO_BUF_INIT(MAX_IDS_BYTES);
	struct ao_error *err;

	for (size_t i = 0; i < ids->count && i < MAX_IDS; i++)
		ao_buf_addf(&text, "%s%s", i ? ", " : "", ids->v[i]);
	if (ids->count > MAX_IDS)
		ao_buf_addf(&text, " and %zu more", ids->count - MAX_IDS);
	err = ao_error_new(AO_EUSAGE, "'%s' begins the ids of several runs: %s",
			   name, text.ptr);
	ao_buf_release(&text);
	return err;
}

struct ao_error *ao_which_run(const struct ao_history_run **out,
			      const struct ao_history *history,
			      const char *name, bool is_own)
{
	const struct ao_history_run *found = NULL;
	struct ao_error *err = NULL;
	struct ao_strs ids = { 0 };

	for (size_t i = 0; i < history->run_count; i++) {
		const struct ao_history_run *run = &history->runs[i];

		if ((is_own && run->is_remote) ||
		    !ao_text_starts_with(run->run.id, name))
			continue;
		found = run;
		ao_strs_push(&ids, run->run.id);
	}
	if (ids.count > 1)
		err = tell_ambiguous(name, &ids);
	else
		*out = found;
	ao_strs_release(&ids);
	return err;
}

static const struct ao_candidate *find_attempt(const struct ao_history_run *run,
					       const struct ao_attempt *attempt)
{
	for (size_t i = 0; i < run->candidate_count; i++) {
		const struct ao_attempt *at =
			&run->candidates[i].message.attempt;

		if (at->iteration == attempt->iteration &&
		    at->number == attempt->number)
			return &run->candidates[i];
	}
	return NULL;
}

/* By "<run>/<iteration>.<n>".  *run_out is NULL if there is no such run. */
static struct ao_error *by_attempt(const struct ao_history_run **run_out,
				   const struct ao_candidate **out,
				   const struct ao_history *history,
				   const char *name)
{
	struct ao_attempt attempt;
	struct ao_error *err;
	size_t len;
	char *run;

	if (!split_name(&len, &attempt, name))
		return NULL;
	run = ao_xstrndup(name, len);
	err = ao_which_run(run_out, history, run, false);
	free(run);
	if (err || !*run_out)
		return err;
	*out = find_attempt(*run_out, &attempt);
	if (!*out)
		return ao_error_new(AO_ENOTFOUND, "run %s has no attempt '%s'",
				    (*run_out)->run.id, name + len + 1);
	return NULL;
}

/* The kernel id that a commit has of a task; "" if it has none. */
static void kernel_of(char out[AO_ID_SIZE], struct ao_repo *repo,
		      const char *commit, const char *task_name)
{
	struct ao_kernel kernel = { 0 };
	struct ao_task *task = NULL;
	struct ao_error *err;

	*out = '\0';
	err = ao_tasks_load(&task, repo, commit, task_name);
	if (!err)
		err = ao_tasks_load_kernel(&kernel, repo, commit, task);
	if (!err)
		memcpy(out, kernel.id, AO_ID_SIZE);
	ao_error_free(err); /* a commit without that task has no such kernel */
	ao_kernel_release(&kernel);
	ao_task_free(task);
}

/*
 * The newest candidate that passed with a kernel that the commit has: what was
 * measured is the kernel, so that an amended, rebased or shipped commit still
 * has its evidence.
 */
static const struct ao_candidate *by_kernel(
	const struct ao_history_run **run_out, struct ao_repo *repo,
	const struct ao_history *history, const char *commit)
{
	char kernel[AO_ID_SIZE] = "";
	const char *task = "";

	for (size_t r = history->run_count; r-- > 0;) {
		const struct ao_history_run *run = &history->runs[r];

		if (strcmp(run->run.task, task) != 0) {
			task = run->run.task;
			kernel_of(kernel, repo, commit, task);
		}
		for (size_t c = run->candidate_count; *kernel && c-- > 0;) {
			const struct ao_candidate *at = &run->candidates[c];

			if (strcmp(at->kernel, kernel) != 0 ||
			    ao_candidate_verdict(at) != AO_VERDICT_PASSED)
				continue;
			*run_out = run;
			return at;
		}
	}
	return NULL;
}

static struct ao_error *by_revision(const struct ao_history_run **run_out,
				    const struct ao_candidate **out,
				    struct ao_repo *repo,
				    const struct ao_history *history,
				    const char *name)
{
	char commit[AO_ID_SIZE];
	struct ao_error *err;

	err = ao_repo_resolve(commit, repo, name);
	if (err)
		return err;
	*out = ao_history_find(history, commit, run_out);
	if (*out)
		return NULL;
	*out = by_kernel(run_out, repo, history, commit);
	if (*out)
		ao_hint(repo,
			"'%s' is commit %.10s, which has the kernel of "
			"candidate %.10s",
			name, commit, (*out)->commit);
	else
		return ao_error_new(AO_ENOTFOUND,
				    "'%s' is commit %.10s, which is no "
				    "candidate of a search",
				    name, commit);
	return NULL;
}

/*
 * "1.2" alone, that is no revision either, is an attempt of a run that was not
 * said; `err` is taken over.
 */
static struct ao_error *ask_which_run(struct ao_error *err,
				      const struct ao_history *history,
				      const char *name)
{
	struct ao_attempt attempt;

	if (ao_error_code(err) != AO_ENOTFOUND || !history->run_count ||
	    !ao_attempt_read(&attempt, name))
		return err;
	ao_error_free(err);
	return ao_error_new(
		AO_ENOTFOUND,
		"'%s' is an attempt of which run? say <run>/%s, such as %s/%s",
		name, name, history->runs[history->run_count - 1].run.id, name);
}

/* Load the run of `candidate` in full, and find it there again. */
static struct ao_error *load_run(struct ao_which *out, struct ao_repo *repo,
				 const struct ao_history_run *run,
				 const struct ao_candidate *candidate)
{
	const struct ao_history_options options = {
		.task = run->run.task,
		.run = run->run.id,
	};
	struct ao_error *err;

	err = ao_history_load(&out->history, repo, &options);
	if (err)
		return err;
	out->candidate = ao_history_find(&out->history, candidate->commit,
					 &out->run);
	if (out->candidate)
		return NULL;
	ao_which_release(out);
	return ao_error_new(AO_ENOTFOUND, "candidate %s is no longer there",
			    candidate->commit);
}

struct ao_error *ao_which_find(struct ao_which *out, struct ao_repo *repo,
			       const char *name)
{
	const struct ao_history_options brief = {
		.is_brief = true,
		.no_insights = true,
	};
	const struct ao_history_run *run = NULL;
	const struct ao_candidate *candidate = NULL;
	struct ao_which which = { 0 };
	struct ao_history history;
	struct ao_error *err;

	err = ao_history_load(&history, repo, &brief);
	if (err)
		return err;
	err = by_attempt(&run, &candidate, &history, name);
	if (!err && !run)
		err = ask_which_run(
			by_revision(&run, &candidate, repo, &history, name),
			&history, name);
	if (!err)
		err = load_run(&which, repo, run, candidate);
	if (!err)
		*out = which;
	else if (ao_error_code(err) == AO_ENOTFOUND)
		ao_gaps_tell(repo, &history);
	ao_history_release(&history);
	return err;
}

void ao_which_release(struct ao_which *which)
{
	ao_history_release(&which->history);
	*which = (struct ao_which){ 0 };
}
