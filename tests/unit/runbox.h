/* SPDX-License-Identifier: MIT */
/*
 * runbox.h - gitbox.h with tasks in the repository and a run to write.
 *
 * Task "t" has the kernel file kernel.c, task "two" also sub/part.h.
 */
#ifndef AO_TESTS_RUNBOX_H
#define AO_TESTS_RUNBOX_H

#include "gitbox.h"
#include "tap.h"

#include "store/journal.h"
#include "store/tasks.h"
#include "util/version.h"

struct runbox {
	struct ao_repo *repo;
	struct ao_task *task;
	struct ao_run run;
	struct ao_journal *journal;
	uint32_t attempts; /* added so far */
	char last[AO_ID_SIZE];
};

static inline bool runbox_write_task(const char *name, const char *kernel)
{
	char *folder = ao_xstrf("tasks/%s", name);
	char *path = ao_xstrf("%s/task.json", folder);
	char *text = ao_xstrf(
		"{ \"v\": 1, \"name\": \"%s\", \"op_type\": \"test\",\n"
		"  \"axes\": { \"M\": { \"type\": \"var\" } },\n"
		"  \"inputs\": { \"x\": { \"shape\": [\"M\"], \"dtype\": "
		"\"float32\", \"fill\": \"normal\" } },\n"
		"  \"outputs\": { \"y\": { \"shape\": [\"M\"], \"dtype\": "
		"\"float32\", \"tolerance\": 1e-5 } },\n"
		"  \"kernel\": [%s], \"reference\": \"reference.c\",\n"
		"  \"cases\": [ { \"name\": \"main\", \"axes\": { \"M\": 8 } "
		"} ] }\n",
		name, kernel);
	bool is_good = box_ok(ao_file_make_folder(folder)) &&
		       box_ok(ao_file_write(path, text, strlen(text)));

	free(text);
	free(path);
	path = ao_xstrf("%s/reference.c", folder);
	is_good = is_good && box_ok(ao_file_write(path, "void r;\n", 8));
	free(path);
	path = ao_xstrf("%s/kernel.c", folder);
	is_good = is_good && box_ok(ao_file_write(path, "int kernel;\n", 12));
	free(path);
	free(folder);
	return is_good;
}

/* A repository "r" with both tasks; we are in it. */
static inline void runbox_repo(void)
{
	box_enter();
	box_repo("r");
	if (!runbox_write_task("t", "\"kernel.c\"") ||
	    !runbox_write_task("two", "\"kernel.c\", \"sub/part.h\"") ||
	    box_sh("mkdir tasks/two/sub && echo '#define N 1' "
		   ">tasks/two/sub/part.h && git add . && "
		   "git commit -q -m tasks"))
		abort();
}

/* Open the repository that we are in, and task `task` of HEAD. */
static inline bool runbox_open(struct runbox *box, const char *task)
{
	struct ao_kernel kernel = { 0 };

	*box = (struct runbox){ 0 };
	if (!box_ok(ao_repo_open(&box->repo)) ||
	    !box_ok(ao_repo_resolve(box->run.base, box->repo, "HEAD")) ||
	    !box_ok(ao_tasks_load(&box->task, box->repo, box->run.base,
				  task)) ||
	    !box_ok(ao_tasks_load_kernel(&kernel, box->repo, box->run.base,
					 box->task)))
		return false;
	box->run.task = ao_xstrdup(task);
	box->run.tool_version = ao_xstrdup(ao_version());
	memcpy(box->run.task_id, box->task->id, AO_ID_SIZE);
	memcpy(box->run.base_kernel, kernel.id, AO_ID_SIZE);
	memcpy(box->last, box->run.base, AO_ID_SIZE);
	ao_settings_init(&box->run.settings);
	ao_kernel_release(&kernel);
	return true;
}

static inline bool runbox_start(struct runbox *box, const char *task)
{
	return runbox_open(box, task) &&
	       box_ok(ao_journal_start(&box->journal, box->repo, &box->run,
				       box->task));
}

/* Go on with a run; box->last is its baseline again. */
static inline bool runbox_resume(struct runbox *box, const char *task,
				 const char *id)
{
	struct ao_run run = { 0 };

	if (!runbox_open(box, task) ||
	    !box_ok(ao_journal_resume(&box->journal, &run, box->repo, task,
				      id)))
		return false;
	ao_run_release(&box->run);
	box->run = run;
	return true;
}

static inline void runbox_close(struct runbox *box)
{
	ao_journal_free(box->journal);
	ao_task_free(box->task);
	ao_run_release(&box->run);
	ao_repo_free(box->repo);
	*box = (struct runbox){ 0 };
}

/* What an evaluation might have found. */
static inline void runbox_candidate(struct ao_candidate *out,
				    const struct runbox *box,
				    const char *parent, uint32_t number)
{
	struct ao_profile *profile = ao_xcalloc(1, sizeof(*profile));
	struct ao_plan *plan = ao_xcalloc(1, sizeof(*plan));

	*out = (struct ao_candidate){ 0 };
	snprintf(out->parent, sizeof(out->parent), "%s", parent);
	out->message.title = ao_xstrdup("tile the inner loop");
	out->message.plan = ao_xstrdup("because it is slow");
	out->message.task = ao_xstrdup(box->run.task);
	out->message.run = ao_xstrdup(box->run.id);
	out->message.attempt = (struct ao_attempt){ 1, number };
	out->message.agent = ao_xstrdup("catalog");
	out->message.plan_id = ao_xstrdup("00112233445566aa");
	ao_record_head_init(&profile->head);
	memcpy(profile->task, box->run.task_id, AO_ID_SIZE);
	profile->result.verdict = AO_VERDICT_PASSED;
	profile->result.flags = ao_xstrdup("-O3");
	ao_record_head_init(&plan->head);
	memcpy(plan->id, out->message.plan_id, sizeof(plan->id));
	plan->title = ao_xstrdup(out->message.title);
	plan->text = ao_xstrdup(out->message.plan);
	plan->agent = ao_xstrdup(out->message.agent);
	out->profile = profile;
	out->plan = plan;
}

/*
 * Add the next attempt, on top of the one before, with this text as its
 * kernel.c (NULL: an empty change).  Its commit is in box->last.
 */
static inline bool runbox_add(struct runbox *box, const char *text)
{
	struct ao_candidate candidate;
	struct ao_kernel kernel = { 0 };
	bool is_good;

	if (!box->journal)
		return false;
	runbox_candidate(&candidate, box, box->last, ++box->attempts);
	if (text)
		ao_kernel_add(&kernel, "kernel.c", text, strlen(text));
	is_good = box_ok(ao_journal_add(box->journal, &candidate,
					text ? &kernel : NULL));
	memcpy(box->last, candidate.commit, AO_ID_SIZE);
	ao_kernel_release(&kernel);
	ao_candidate_release(&candidate);
	return is_good;
}

/* Whether the repository is as git wants it. */
static inline bool box_fsck(void)
{
	/* --strict, and nothing broken; what is dangling does no harm. */
	return !box_sh("git fsck --strict --no-dangling --no-progress 2>&1 | "
		       "grep -v '^notice: ' | sed 's/^/# /' | tee fsck.out && "
		       "test ! -s fsck.out; status=$?; rm -f fsck.out; "
		       "exit $status");
}

#endif
