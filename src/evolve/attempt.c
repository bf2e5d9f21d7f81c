/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "evolve/attempt.h"
#include "store/tasks.h"

/* An attempt in flight. */
struct ao_job {
	struct ao_job *next;
	struct ao_search *search;
	struct ao_attempt id;
	struct ao_member parent;
	const struct ao_kernel *parent_kernel; /* borrowed from the search */
	struct ao_plan plan;
	uint32_t sample;
	uint32_t most_repairs;
	uint32_t repairs;	 /* asked of the fixer so far */
	struct ao_kernel kernel; /* without files until written */
	bool is_in_judgement;
	bool was_void; /* it was judged where nothing could be timed */
	struct ao_result result;
};

static void on_written(void *data, const struct ao_kernel *kernel,
		       enum ao_verdict verdict, const char *detail,
		       struct ao_error *err);

static void free_job(struct ao_job *job)
{
	struct ao_job **at = &job->search->jobs;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	job->search->in_flight--;
	ao_plan_release(&job->plan);
	ao_kernel_release(&job->kernel);
	ao_result_release(&job->result);
	free(job);
}

/* Whether to count a gain of which it is not known whether it is one. */
static bool is_likely(const struct ao_pair *pair)
{
	/* More wins than losses among its units, by some. */
	return pair->evidence > 1 || pair->log_gain < 0;
}

void ao_attempt_gain(double *log_gain, double *variance,
		     const struct ao_pair *pair)
{
	double deviation = (pair->log_high - pair->log_low) /
			   (2 * AO_GAIN_DEVIATIONS);

	*log_gain = pair->log_gain;
	if (pair->decision == AO_DECISION_TIE ||
	    (pair->decision == AO_DECISION_UNDECIDED && !is_likely(pair)))
		*log_gain = 0.0;
	*variance = isfinite(deviation) ? deviation * deviation : 0.0;
}

static void score(struct ao_profile *profile, const struct ao_job *job)
{
	const struct ao_pair *pair = ao_result_main_pair(&profile->result);
	double gain, variance;

	profile->score = NAN;
	profile->score_variance = NAN;
	if (profile->result.verdict != AO_VERDICT_PASSED || !pair)
		return;
	ao_attempt_gain(&gain, &variance, pair);
	profile->score = job->parent.score + gain;
	profile->score_variance = job->parent.variance + variance;
}

/* The candidate that a finished job becomes; takes over the job's result. */
static void make_candidate(struct ao_candidate *out, struct ao_job *job)
{
	const struct ao_run *run = &job->search->self->run;
	struct ao_profile *profile = ao_xcalloc(1, sizeof(*profile));
	struct ao_plan *plan = ao_xcalloc(1, sizeof(*plan));

	*out = (struct ao_candidate){ 0 };
	memcpy(out->parent, job->parent.commit, AO_ID_SIZE);
	memcpy(out->kernel, job->kernel.id, AO_ID_SIZE);
	out->message = (struct ao_message){
		.title = ao_xstrdup(job->plan.title),
		.plan = ao_xstrdup(job->plan.text),
		.task = ao_xstrdup(run->task),
		.run = ao_xstrdup(run->id),
		.attempt = job->id,
		.agent = ao_xstrdup(job->plan.agent),
		.plan_id = ao_xstrdup(job->plan.id),
	};

	ao_plan_copy(plan, &job->plan);
	ao_record_head_init(&plan->head);
	out->plan = plan;

	ao_record_head_init(&profile->head);
	memcpy(profile->kernel, job->kernel.id, AO_ID_SIZE);
	memcpy(profile->task, run->task_id, AO_ID_SIZE);
	profile->result = job->result;
	job->result = (struct ao_result){ 0 };
	score(profile, job);
	out->profile = profile;
}

/* Make it a commit with its records.  *stored_out is borrowed from history. */
AO_MUST_CHECK
static struct ao_error *store(const struct ao_candidate **stored_out,
			      struct ao_job *job)
{
	struct ao_search *search = job->search;
	struct ao_event event = { .kind = AO_EVENT_ATTEMPT };
	struct ao_candidate candidate;
	struct ao_error *err;

	make_candidate(&candidate, job);
	err = ao_journal_add(search->journal, &candidate,
			     job->kernel.count ? &job->kernel : NULL);
	if (err) {
		ao_candidate_release(&candidate);
		return ao_error_wrap(
			err, "cannot store attempt %" PRIu32 ".%" PRIu32,
			job->id.iteration, job->id.number);
	}
	ao_population_keep_kernel(search, candidate.commit,
				  job->kernel.count ? &job->kernel
						    : job->parent_kernel);
	event.candidate = ao_population_add(search, &candidate);
	ao_search_touch(search);
	ao_search_emit(search, &event);
	*stored_out = event.candidate;
	return NULL;
}

static void fill_request(struct ao_write_request *request,
			 const struct ao_job *job)
{
	*request = (struct ao_write_request){
		.task = job->search->task,
		.kernel = job->parent_kernel,
		.machine = &job->search->machine,
		.plan = &job->plan,
		.sample = job->sample,
	};
}

static void ask_to_write(struct ao_job *job)
{
	struct ao_agent *executor = job->search->executor;
	struct ao_write_request request;

	fill_request(&request, job);
	executor->ops->write(executor, &request, on_written, job);
}

/* Whether a kernel that was stored with this verdict is worth a repair. */
static bool is_repairable(const struct ao_job *job, enum ao_verdict verdict)
{
	const struct ao_search *search = job->search;

	return search->executor->ops->fix && job->kernel.count &&
	       job->repairs < job->most_repairs &&
	       ao_search_evals_left(search) && verdict != AO_VERDICT_PASSED &&
	       verdict != AO_VERDICT_DUPLICATE &&
	       verdict != AO_VERDICT_INTERRUPTED;
}

/* The repair is an attempt of its own, of the same plan. */
static void ask_to_fix(struct ao_job *job, const struct ao_result *why)
{
	struct ao_agent *executor = job->search->executor;
	struct ao_fix_request request = {
		.failing = &job->kernel,
		.result = why,
		.round = ++job->repairs,
	};

	job->id.number = job->search->next_number++;
	fill_request(&request.write, job);
	executor->ops->fix(executor, &request, on_written, job);
}

static void finish(struct ao_job *job)
{
	const struct ao_candidate *stored = NULL;
	struct ao_error *err = store(&stored, job);

	if (stored && is_repairable(job, ao_candidate_verdict(stored))) {
		ask_to_fix(job, &stored->profile->result);
		return;
	}
	ao_search_fail(job->search, err);
	free_job(job);
}

static void finish_unjudged(struct ao_job *job, enum ao_verdict verdict,
			    const char *detail)
{
	job->result.verdict = verdict;
	job->result.detail = detail ? ao_xstrdup(detail) : NULL;
	finish(job);
}

static void leave_judgement(struct ao_job *job)
{
	if (job->is_in_judgement)
		job->search->in_judgement--;
	job->is_in_judgement = false;
}

/* A judge that was lost, or a parent that is not always right. */
static bool is_bearable(const struct ao_error *err)
{
	return ao_error_code(err) == AO_EIO ||
	       ao_error_code(err) == AO_EINVALID;
}

/* What is bearable costs one attempt; several in a row end the search. */
static void lose_judge(struct ao_job *job, struct ao_error *err)
{
	struct ao_search *search = job->search;
	const struct ao_error *cause = ao_error_cause(err);

	if (!is_bearable(err) || ++search->lost_judges >= AO_MAX_LOST_JUDGES) {
		ao_search_fail(search, ao_error_wrap(err, "cannot evaluate"));
		free_job(job);
		return;
	}
	ao_search_warn(search, "attempt %" PRIu32 ".%" PRIu32 ": %s%s%s",
		       job->id.iteration, job->id.number, ao_error_message(err),
		       cause ? ": " : "", cause ? ao_error_message(cause) : "");
	finish_unjudged(job, AO_VERDICT_INTERRUPTED, ao_error_message(err));
	ao_error_free(err);
}

static void submit(struct ao_job *job);

/* Once more, as what disturbs a judge may pass; then it stays void. */
static bool is_tried_again(struct ao_job *job, const struct ao_result *result)
{
	if (!ao_pair_tells_apart(&result->control))
		return false;
	ao_search_warn(job->search, "attempt %" PRIu32 ".%" PRIu32 ": %s",
		       job->id.iteration, job->id.number, result->detail);
	if (job->was_void)
		return false;
	job->was_void = true;
	submit(job);
	return true;
}

static void on_judged(void *data, const struct ao_result *result,
		      struct ao_error *err)
{
	struct ao_job *job = data;

	leave_judgement(job);
	if (err) {
		lose_judge(job, err);
		return;
	}
	if (is_tried_again(job, result))
		return;
	/* Without a verdict it is not paid, and redone by who resumes. */
	job->search->evals++;
	job->search->lost_judges = 0;
	ao_result_copy(&job->result, result);
	finish(job);
}

static void submit(struct ao_job *job)
{
	struct ao_search *search = job->search;
	const struct ao_bundle bundle = {
		.task = search->task,
		.candidate = &job->kernel,
		.opponents = job->parent_kernel,
		.opponent_count = 1,
		.machine = &search->machine,
		.stage = AO_STAGE_SCREEN,
		/* Inputs of the run are fixed: their answers are paid once. */
		.seed = search->self->run.settings.seed,
	};

	job->is_in_judgement = true;
	search->in_judgement++;
	ao_evaluator_submit(search->evaluator, &bundle, on_judged, job);
}

/* The attempt in flight or in history that has this job's kernel already. */
static bool find_twin(struct ao_attempt *out, const struct ao_job *job)
{
	const struct ao_candidate *twin = ao_population_twin(job->search,
							     job->kernel.id);

	if (twin) {
		*out = twin->message.attempt;
		return true;
	}
	for (const struct ao_job *j = job->search->jobs; j; j = j->next) {
		if (j != job && !strcmp(j->kernel.id, job->kernel.id)) {
			*out = j->id;
			return true;
		}
	}
	return false;
}

/* Of a result in history, what screening here would have found. */
static void take_screening(struct ao_result *out, const struct ao_result *known)
{
	ao_result_copy(out, known);
	out->is_reused = true;
	/* Duels come behind, and have to be won in each run. */
	ao_result_keep_first_pair(out);
}

static void judge(struct ao_job *job)
{
	struct ao_search *search = job->search;
	const struct ao_result *known;
	struct ao_attempt twin;

	if (!strcmp(job->kernel.id, job->parent_kernel->id)) {
		finish_unjudged(job, AO_VERDICT_DUPLICATE,
				"it is its parent's kernel, unchanged");
		return;
	}
	if (!strcmp(job->kernel.id, search->self->run.base_kernel)) {
		finish_unjudged(job, AO_VERDICT_DUPLICATE,
				"it is the baseline's kernel again");
		return;
	}
	if (find_twin(&twin, job)) {
		char *detail = ao_xstrf("it is the kernel of attempt %" PRIu32
					".%" PRIu32,
					twin.iteration, twin.number);

		finish_unjudged(job, AO_VERDICT_DUPLICATE, detail);
		free(detail);
		return;
	}
	known = ao_reuse_find(search->reuse, job->kernel.id,
			      job->parent_kernel->id);
	if (known) {
		take_screening(&job->result, known);
		search->reused++;
		finish(job);
		return;
	}
	submit(job);
}

static void on_written(void *data, const struct ao_kernel *kernel,
		       enum ao_verdict verdict, const char *detail,
		       struct ao_error *err)
{
	struct ao_job *job = data;

	if (err) {
		ao_search_fail(job->search,
			       ao_error_wrap(err, "cannot write a kernel"));
		free_job(job);
		return;
	}
	if (!kernel) {
		finish_unjudged(job, verdict, detail);
		return;
	}
	ao_kernel_release(&job->kernel);
	ao_kernel_copy(&job->kernel, kernel);
	ao_tasks_kernel_id(&job->kernel);
	judge(job);
}

/* Begin a job; NULL, with the failure kept, if its parent cannot be read. */
static struct ao_job *start(struct ao_search *search,
			    const struct ao_member *parent,
			    const struct ao_plan *plan)
{
	struct ao_job *job = ao_xcalloc(1, sizeof(*job));
	struct ao_error *err;

	job->search = search;
	job->id = (struct ao_attempt){ search->iteration,
				       search->next_number++ };
	job->parent = *parent;
	ao_plan_copy(&job->plan, plan);
	job->next = search->jobs;
	search->jobs = job;
	search->in_flight++;

	err = ao_population_kernel(&job->parent_kernel, search, parent->commit);
	if (!err)
		return job;
	ao_search_fail(search, err);
	free_job(job);
	return NULL;
}

void ao_attempt_start(struct ao_search *search, const struct ao_member *parent,
		      const struct ao_plan *plan, uint32_t sample)
{
	struct ao_job *job = start(search, parent, plan);

	if (!job)
		return;
	job->sample = sample;
	job->most_repairs = search->self->run.settings.fix_rounds;
	ask_to_write(job);
}

void ao_attempt_start_written(struct ao_search *search,
			      const struct ao_member *parent,
			      const struct ao_plan *plan,
			      const struct ao_kernel *kernel)
{
	struct ao_job *job = start(search, parent, plan);

	if (job)
		on_written(job, kernel, AO_VERDICT_NONE, NULL, NULL);
}

AO_MUST_CHECK
static struct ao_error *abandon_all(struct ao_search *search)
{
	const struct ao_candidate *stored;
	struct ao_error *err = NULL;
	struct ao_job *next;

	for (struct ao_job *job = search->jobs; job; job = next) {
		next = job->next;
		leave_judgement(job);
		if (job->kernel.count && !err) {
			job->result.verdict = AO_VERDICT_INTERRUPTED;
			err = store(&stored, job);
		}
		free_job(job);
	}
	return err;
}

struct ao_error *ao_attempt_await_all(struct ao_search *search)
{
	struct ao_error *err = ao_search_wait(search, &search->in_flight);
	struct ao_error *abandoned = NULL;

	if (search->in_flight) {
		/* Nobody may answer once the attempts are gone. */
		ao_search_stop_judges(search);
		abandoned = abandon_all(search);
	}
	if (!err)
		return abandoned;
	ao_error_free(abandoned);
	return err;
}
