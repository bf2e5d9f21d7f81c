/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/build.h"
#include "eval/session.h"
#include "eval/timeouts.h"
#include "eval/trial_case.h"
#include "eval/trial_rules.h"

bool ao_trial_has_verdict(const struct ao_trial *trial)
{
	return trial->result.verdict != AO_VERDICT_NONE;
}

const struct ao_case *ao_trial_case_at(const struct ao_trial *trial, size_t i)
{
	return &trial->bundle->task->cases[trial->chosen[i]];
}

/* What is wrong decides the whole; `detail` and `log` are taken over. */
static void fail(struct ao_trial *trial, enum ao_verdict verdict, size_t i,
		 char *detail, char *log)
{
	trial->result.verdict = verdict;
	trial->result.log = log;
	if (trial->chosen_count > 1) {
		trial->result.detail = ao_xstrf(
			"case '%s': %s", ao_trial_case_at(trial, i)->name,
			detail ? detail : "failed");
		free(detail);
	} else {
		trial->result.detail = detail;
	}
}

struct ao_court ao_trial_court(const struct ao_trial *trial)
{
	return (struct ao_court){
		.session = trial->session,
		.bundle = trial->bundle,
		.machine = &trial->machine,
	};
}

struct ao_error *ao_trial_open_judge(struct ao_judge **out,
				     const struct ao_trial *trial, size_t i)
{
	const struct ao_court court = ao_trial_court(trial);

	return ao_court_open(out, &court, ao_trial_case_at(trial, i));
}

/* The floor and what follows from it, for times that are known. */
static void rate(struct ao_trial *trial, size_t i)
{
	struct ao_case_result *result = &trial->result.cases[i];
	struct ao_floor floor;

	ao_floor_compute(&floor, trial->bundle->task,
			 ao_trial_case_at(trial, i), &trial->machine);
	result->floor_ns = floor.soft_ns;
	free(result->bound);
	result->bound = floor.bound ? ao_xstrdup(floor.bound) : NULL;
	result->percent_of_peak = result->median_ns > 0
					  ? 100 * floor.soft_ns /
						    result->median_ns
					  : 0;
}

void ao_trial_rate(struct ao_trial *trial)
{
	for (size_t i = 0; i < trial->result.case_count; i++)
		rate(trial, i);
}

void ao_trial_note(struct ao_trial *trial, size_t i,
		   struct ao_judgement *judgement)
{
	struct ao_case_result *result = &trial->result.cases[i];

	if (judgement->verdict != AO_VERDICT_PASSED) {
		fail(trial, judgement->verdict, i, judgement->detail, NULL);
		judgement->detail = NULL;
	}
	/* The error nearest to what is allowed is kept. */
	if (judgement->error * result->limit >=
	    result->error * judgement->limit) {
		result->error = judgement->error;
		result->limit = judgement->limit;
	}
	if (judgement->min_ns > 0) {
		result->min_ns = judgement->min_ns;
		result->median_ns = judgement->median_ns;
	}
	rate(trial, i);
	ao_judgement_release(judgement);
}

struct ao_error *ao_trial_get_object(const char **out, struct ao_trial *trial,
				     size_t i, const struct ao_kernel *kernel)
{
	const struct ao_build *build;
	struct ao_error *err;

	err = ao_session_build(&build, trial->session, trial->bundle->task,
			       ao_trial_case_at(trial, i), kernel,
			       ao_timeouts_build(trial->bundle));
	if (err)
		return err;
	if (kernel == trial->bundle->candidate && !trial->result.flags &&
	    build->flags)
		trial->result.flags = ao_xstrdup(build->flags);
	if (build->verdict == AO_VERDICT_PASSED) {
		*out = build->object;
		return NULL;
	}
	if (kernel != trial->bundle->candidate)
		return ao_error_new(AO_EINVALID,
				    "opponent '%.10s' does not build: %s",
				    kernel->id, build->detail);
	fail(trial, build->verdict, i, ao_xstrdup(build->detail),
	     build->log ? ao_xstrdup(build->log) : NULL);
	return NULL;
}

struct ao_error *ao_trial_refuse_opponent(const struct ao_kernel *opponent,
					  const struct ao_judgement *judgement)
{
	return ao_error_new(AO_EINVALID, "opponent '%.10s' is not right: %s",
			    opponent->id,
			    judgement->detail ? judgement->detail : "");
}

struct ao_error *ao_trial_check_case(struct ao_trial *trial, size_t i,
				     uint32_t calls)
{
	struct ao_judgement judgement = { 0 };
	struct ao_judge *judge = NULL;
	const char *object = NULL;
	struct ao_error *err;

	err = ao_trial_get_object(&object, trial, i, trial->bundle->candidate);
	if (err || ao_trial_has_verdict(trial))
		return err;
	err = ao_trial_open_judge(&judge, trial, i);
	if (!err)
		err = ao_judge_check(&judgement, judge, object, calls);
	if (!err)
		ao_trial_note(trial, i, &judgement);
	ao_court_close(judge, &trial->result);
	return err;
}

struct ao_error *ao_trial_check_opponent(struct ao_trial *trial, size_t i,
					 const struct ao_kernel *opponent)
{
	struct ao_judgement judgement = { 0 };
	struct ao_judge *judge = NULL;
	const char *object = NULL;
	struct ao_error *err = ao_trial_get_object(&object, trial, i, opponent);

	if (!err)
		err = ao_trial_open_judge(&judge, trial, i);
	if (!err)
		err = ao_judge_check_opponent(&judgement, judge, object,
					      opponent->libraries,
					      AO_TRIAL_CHECK_CALLS);
	if (!err && judgement.verdict != AO_VERDICT_PASSED)
		err = ao_trial_refuse_opponent(opponent, &judgement);
	ao_judgement_release(&judgement);
	ao_court_close(judge, &trial->result);
	return err;
}
