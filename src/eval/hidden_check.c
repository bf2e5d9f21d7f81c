/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/hidden.h"
#include "eval/hidden_check.h"
#include "eval/timeouts.h"
#include "eval/trial_rules.h"

/* Takes over `detail` and `log`. */
static void fail(struct ao_result *result, const struct ao_case *hidden,
		 enum ao_verdict verdict, char *detail, char *log)
{
	result->verdict = verdict;
	result->detail = ao_xstrf("case '%s': %s", hidden->name,
				  detail ? detail : "failed");
	result->log = log;
	free(detail);
}

/* Where the reference fails it may be that there is no such shape. */
static struct ao_error *complain(struct ao_error *err,
				 const struct ao_task *task)
{
	if (!err || ao_error_code(err) != AO_EINVALID)
		return err;
	return ao_error_wrap(
		err,
		"task '%s' cannot be judged at a shape drawn at "
		"random; what an axis has to be a multiple of says "
		"\"multiple_of\", and \"hidden\": false draws none",
		task->name);
}

static struct ao_error *judge_object(struct ao_judgement *out,
				     struct ao_result *result,
				     const struct ao_court *court,
				     const struct ao_case *hidden,
				     const char *object)
{
	struct ao_judge *judge = NULL;
	struct ao_error *err = ao_court_open(&judge, court, hidden);

	if (err)
		return complain(err, court->bundle->task);
	err = ao_judge_check(out, judge, object, AO_TRIAL_CHECK_CALLS);
	ao_court_close(judge, result);
	return err;
}

static struct ao_error *check_shape(struct ao_result *result,
				    const struct ao_court *court,
				    const struct ao_case *hidden)
{
	const struct ao_bundle *bundle = court->bundle;
	struct ao_judgement judgement = { 0 };
	const struct ao_build *build;
	struct ao_error *err;

	err = ao_session_build(&build, court->session, bundle->task, hidden,
			       bundle->candidate, ao_timeouts_build(bundle));
	if (err)
		return err;
	if (build->verdict != AO_VERDICT_PASSED) {
		fail(result, hidden, build->verdict, ao_xstrdup(build->detail),
		     build->log ? ao_xstrdup(build->log) : NULL);
		return NULL;
	}
	err = judge_object(&judgement, result, court, hidden, build->object);
	if (!err && judgement.verdict != AO_VERDICT_PASSED) {
		fail(result, hidden, judgement.verdict, judgement.detail, NULL);
		judgement.detail = NULL;
	}
	ao_judgement_release(&judgement);
	return err;
}

static size_t shapes_for(const struct ao_bundle *bundle)
{
	if (bundle->cases && bundle->cases->count)
		return 0; /* who names cases asks for these alone */
	if (!bundle->task->is_generic && bundle->stage == AO_STAGE_SCREEN)
		return 0;
	return AO_TRIAL_HIDDEN_SHAPES;
}

static void note_shape(struct ao_result *result, const struct ao_case *hidden)
{
	char *before = result->hidden;

	result->hidden = ao_xstrf("%s%s%s", before ? before : "",
				  before ? "; " : "",
				  strchr(hidden->name, ' ') + 1);
	free(before);
}

struct ao_error *ao_hidden_check(struct ao_result *result,
				 const struct ao_court *court)
{
	const struct ao_bundle *bundle = court->bundle;
	size_t count = shapes_for(bundle);
	struct ao_error *err = NULL;

	for (size_t i = 0; i < count && !err && !result->verdict; i++) {
		struct ao_case hidden = { 0 };

		if (!ao_hidden_draw(&hidden, bundle->task, bundle->seed, i))
			break;
		err = check_shape(result, court, &hidden);
		if (!err)
			note_shape(result, &hidden);
		ao_hidden_release(&hidden);
	}
	return err;
}
