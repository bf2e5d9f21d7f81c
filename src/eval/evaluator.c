/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/answer.h"
#include "eval/bundle.h"
#include "eval/evaluator.h"
#include "eval/scratch.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/process.h"
#include "util/strs.h"
#include "util/text.h"

/* An evaluation that is asked for. */
struct job {
	struct job *next;
	struct ao_buf bundle; /* as text, with its newline */
	ao_evaluator_cb *cb;
	void *data;
};

/* A judge process, or room for one. */
struct judge {
	struct ao_evaluator *evaluator;
	struct ao_process *process; /* NULL: not started, or it has gone */
	struct job *job;	    /* it works on, or NULL */
	char *folder; /* for its temporary files; NULL: it makes its own */
};

struct ao_evaluator {
	struct ao_loop *loop;
	struct ao_loop_source *dispatch; /* a timer that is due at once */
	struct ao_scratch *scratch;	 /* NULL: behind a runner */
	struct ao_strs argv;
	struct judge *judges; /* [judge_count] */
	uint32_t judge_count;
	struct job *first; /* waiting, in the order they came */
	struct job **last;
	size_t pending;
};

static void free_job(struct job *job)
{
	if (!job)
		return;
	ao_buf_release(&job->bundle);
	free(job);
}

/* The arguments of a judge; behind a runner, what it has to run. */
static struct ao_error *make_argv(struct ao_strs *argv, const char *runner)
{
	char *self;
	struct ao_error *err = ao_file_self(&self);

	if (err)
		return err;
	if (runner)
		ao_strs_split(argv, runner);
	ao_strs_push(argv, self);
	ao_strs_push(argv, "judge");
	free(self);
	return NULL;
}

struct ao_error *ao_evaluator_new(struct ao_evaluator **out,
				  struct ao_loop *loop, const char *runner,
				  uint32_t jobs)
{
	struct ao_evaluator *evaluator = ao_xcalloc(1, sizeof(*evaluator));
	struct ao_error *err;

	evaluator->loop = loop;
	evaluator->last = &evaluator->first;
	evaluator->judge_count = jobs ? jobs : 1;
	evaluator->judges = ao_xcalloc(evaluator->judge_count,
				       sizeof(*evaluator->judges));
	for (uint32_t i = 0; i < evaluator->judge_count; i++)
		evaluator->judges[i].evaluator = evaluator;
	err = make_argv(&evaluator->argv, runner);
	/* A runner's machine need not have our folder. */
	if (!err && evaluator->argv.count == 2)
		err = ao_scratch_new(&evaluator->scratch);
	if (err) {
		ao_evaluator_free(evaluator);
		return ao_error_wrap(err, "cannot have judges");
	}
	*out = evaluator;
	return NULL;
}

void ao_evaluator_require_sandbox(struct ao_evaluator *evaluator)
{
	ao_strs_push(&evaluator->argv, "--require-sandbox");
}

/* Kill a judge, and remove what it had no time to remove itself. */
static void end_judge(struct judge *judge)
{
	ao_process_free(judge->process);
	judge->process = NULL;
	if (judge->folder)
		ao_file_remove_tree(judge->folder);
	free(judge->folder);
	judge->folder = NULL;
}

void ao_evaluator_free(struct ao_evaluator *evaluator)
{
	if (!evaluator)
		return;
	for (uint32_t i = 0; i < evaluator->judge_count; i++) {
		end_judge(&evaluator->judges[i]);
		free_job(evaluator->judges[i].job);
	}
	while (evaluator->first) {
		struct job *job = evaluator->first;

		evaluator->first = job->next;
		free_job(job);
	}
	ao_loop_remove(evaluator->loop, evaluator->dispatch);
	ao_scratch_free(evaluator->scratch);
	ao_strs_release(&evaluator->argv);
	free(evaluator->judges);
	free(evaluator);
}

size_t ao_evaluator_pending(const struct ao_evaluator *evaluator)
{
	return evaluator->pending;
}

/* Tell the job's owner, who may submit the next from there. */
static void answer(struct ao_evaluator *evaluator, struct job *job,
		   const struct ao_result *result, struct ao_error *err)
{
	ao_evaluator_cb *cb = job->cb;
	void *data = job->data;

	free_job(job);
	evaluator->pending--;
	cb(data, result, err);
}

/* Why a judge that was not told to has ended. */
static struct ao_error *explain_end(const struct ao_process_end *end)
{
	if (end->is_cut)
		return ao_error_new(AO_EIO,
				    "the judge's answer is over %d bytes",
				    AO_MAX_RESULT_BYTES);
	if (end->signal)
		return ao_error_new(AO_EIO,
				    "the judge was ended by signal %d (%s)",
				    end->signal, strsignal(end->signal));
	return ao_error_new(AO_EIO, "the judge ended with status %d",
			    end->status);
}

static void schedule(struct ao_evaluator *evaluator);

static void on_line(void *data, const char *line, size_t len,
		    const struct ao_process_end *end)
{
	struct judge *judge = data;
	struct ao_evaluator *evaluator = judge->evaluator;
	struct ao_result result = { 0 };
	struct job *job = judge->job;
	struct ao_error *err = NULL;
	bool is_answer = false;

	judge->job = NULL;
	if (!line)
		err = explain_end(end);
	else
		is_answer = ao_answer_read(&result, &err, line, len);
	if (line && !is_answer)
		err = ao_error_new(AO_EIO, "the judge wrote something that is "
					   "not an answer");
	/* Out of step: what it says next would be about another job. */
	if (!is_answer || !job)
		end_judge(judge);
	schedule(evaluator);
	if (job)
		answer(evaluator, job, err ? NULL : &result, err);
	else
		ao_error_free(err);
	ao_result_release(&result);
}

/* Our environment, with temporary files in the judge's folder. */
static void make_env(struct ao_strs *env, const char *folder)
{
	extern char **environ;

	for (char **v = environ; v && *v; v++) {
		if (!ao_text_starts_with(*v, "TMPDIR="))
			ao_strs_push(env, *v);
	}
	ao_strs_pushf(env, "TMPDIR=%s", folder);
}

static struct ao_error *start_judge(struct judge *judge)
{
	struct ao_evaluator *evaluator = judge->evaluator;
	struct ao_process_spec spec = {
		.argv = (const char *const *)evaluator->argv.v,
	};
	struct ao_strs env = { 0 };
	struct ao_error *err = NULL;

	if (evaluator->scratch) {
		judge->folder = ao_xstrf("%s/%zu",
					 ao_scratch_folder(evaluator->scratch),
					 (size_t)(judge - evaluator->judges));
		err = ao_file_make_folder(judge->folder);
		make_env(&env, judge->folder);
		spec.env = (const char *const *)env.v;
	}
	if (!err)
		err = ao_process_start(&judge->process, evaluator->loop, &spec,
				       AO_MAX_RESULT_BYTES, on_line, judge);
	ao_strs_release(&env);
	if (err) {
		end_judge(judge);
		return ao_error_wrap(err, "cannot start a judge");
	}
	return NULL;
}

static struct job *take_first(struct ao_evaluator *evaluator)
{
	struct job *job = evaluator->first;

	evaluator->first = job->next;
	if (!evaluator->first)
		evaluator->last = &evaluator->first;
	return job;
}

/* Give a judge that is free the first job that waits. */
static void give_job(struct judge *judge)
{
	struct ao_evaluator *evaluator = judge->evaluator;
	struct job *job = take_first(evaluator);
	struct ao_error *err = ao_buf_check(&job->bundle, "a bundle");

	if (!err && !judge->process)
		err = start_judge(judge);
	if (err) {
		answer(evaluator, job, NULL, err);
		return;
	}
	judge->job = job;
	ao_process_send(judge->process, job->bundle.ptr, job->bundle.len);
}

static void on_dispatch(void *data, short revents)
{
	struct ao_evaluator *evaluator = data;

	(void)revents;
	evaluator->dispatch = NULL;
	for (uint32_t i = 0; i < evaluator->judge_count; i++) {
		if (evaluator->first && !evaluator->judges[i].job)
			give_job(&evaluator->judges[i]);
	}
	/* A job that could not be given leaves its judge to the next. */
	schedule(evaluator);
}

static bool has_free_judge(const struct ao_evaluator *evaluator)
{
	for (uint32_t i = 0; i < evaluator->judge_count; i++) {
		if (!evaluator->judges[i].job)
			return true;
	}
	return false;
}

/* From the loop: who submits may not be ready to be called back. */
static void schedule(struct ao_evaluator *evaluator)
{
	if (evaluator->first && !evaluator->dispatch &&
	    has_free_judge(evaluator))
		evaluator->dispatch = ao_loop_timer(evaluator->loop, 0,
						    on_dispatch, evaluator);
}

void ao_evaluator_submit(struct ao_evaluator *evaluator,
			 const struct ao_bundle *bundle, ao_evaluator_cb *cb,
			 void *data)
{
	struct job *job = ao_xcalloc(1, sizeof(*job));

	job->bundle = AO_BUF_INIT(AO_MAX_RESULT_BYTES);
	ao_bundle_write(&job->bundle, bundle);
	ao_buf_addstr(&job->bundle, "\n");
	job->cb = cb;
	job->data = data;
	*evaluator->last = job;
	evaluator->last = &job->next;
	evaluator->pending++;
	schedule(evaluator);
}
