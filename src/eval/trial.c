/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/feedback.h"
#include "eval/hidden_check.h"
#include "eval/machine_lock.h"
#include "eval/object.h"
#include "eval/protect.h"
#include "eval/selfpair.h"
#include "eval/session.h"
#include "eval/trial.h"

void ao_trial_release(struct ao_trial *trial)
{
	ao_lock_free(trial->lock);
	free(trial->chosen);
	ao_machine_release(&trial->machine);
	ao_result_release(&trial->result);
	*trial = (struct ao_trial){ 0 };
}

/* Take turns: hold the machine's lock this way from now on. */
static struct ao_error *take_turn(struct ao_trial *trial,
				  enum ao_lock_mode mode)
{
	ao_lock_free(trial->lock);
	trial->lock = NULL;
	return ao_machine_lock_take(&trial->lock, mode);
}

static struct ao_error *check_all(struct ao_trial *trial)
{
	struct ao_error *err = take_turn(trial, AO_LOCK_SHARED);

	trial->result.cases = ao_xcalloc(trial->chosen_count,
					 sizeof(*trial->result.cases));
	trial->result.case_count = trial->chosen_count;
	for (size_t i = 0; i < trial->chosen_count; i++)
		trial->result.cases[i].case_name = ao_xstrdup(
			ao_trial_case_at(trial, i)->name);
	for (size_t i = 0;
	     i < trial->chosen_count && !err && !ao_trial_has_verdict(trial);
	     i++)
		err = ao_trial_check_case(trial, i, AO_TRIAL_CHECK_CALLS);
	return err;
}

static struct ao_error *check_hidden(struct ao_trial *trial)
{
	const struct ao_court court = ao_trial_court(trial);

	return ao_hidden_check(&trial->result, &court);
}

/* Where nothing is timed, opponents are there to be checked as well. */
static struct ao_error *check_opponents(struct ao_trial *trial)
{
	const struct ao_bundle *bundle = trial->bundle;
	struct ao_error *err = NULL;

	if (bundle->stage != AO_STAGE_CHECK)
		return NULL;
	for (size_t o = 0; o < bundle->opponent_count; o++)
		for (size_t i = 0; i < trial->chosen_count && !err; i++)
			err = ao_trial_check_opponent(trial, i,
						      &bundle->opponents[o]);
	return err;
}

static bool is_full(const struct ao_trial *trial)
{
	return trial->bundle->stage == AO_STAGE_FULL ||
	       trial->bundle->stage == AO_STAGE_CONFIRM;
}

/* Whether somebody named the cases, and so wants to know about each. */
static bool is_choice(const struct ao_trial *trial)
{
	return trial->bundle->cases && trial->bundle->cases->count;
}

/* Whether a case is timed against opponents at this stage. */
static bool is_timed(const struct ao_trial *trial, size_t i)
{
	const struct ao_case *c = ao_trial_case_at(trial, i);

	if (trial->bundle->stage == AO_STAGE_CHECK)
		return false;
	return i == 0 || (is_full(trial) && (c->weight > 0 || c->is_protected ||
					     is_choice(trial)));
}

/* Build what is timed while others may work beside us. */
static struct ao_error *build_opponents(struct ao_trial *trial)
{
	struct ao_error *err = NULL;

	for (size_t i = 0; i < trial->chosen_count; i++) {
		for (size_t o = 0; o < trial->bundle->opponent_count && !err;
		     o++) {
			const char *object;

			if (is_timed(trial, i))
				err = ao_trial_get_object(
					&object, trial, i,
					&trial->bundle->opponents[o]);
		}
	}
	return err;
}

/* Time the candidate against one opponent, with a judge that is open. */
static struct ao_error *time_pair(struct ao_trial *trial, size_t i,
				  struct ao_judge *judge,
				  const struct ao_kernel *opponent)
{
	struct ao_pair_options options = {
		.rules = ao_trial_timing_rules(trial->bundle->stage, !i),
		.opponent_libraries = opponent->libraries,
	};
	struct ao_judgement a = { 0 }, b = { 0 };
	const char *object_a = NULL, *object_b = NULL;
	struct ao_pair pair = { 0 };
	struct ao_error *err;

	err = ao_trial_get_object(&object_a, trial, i,
				  trial->bundle->candidate);
	if (!err)
		err = ao_trial_get_object(&object_b, trial, i, opponent);
	if (!err)
		err = ao_judge_pair(&pair, &a, &b, judge, object_a, object_b,
				    &options);
	if (err)
		return err;
	if (b.verdict != AO_VERDICT_PASSED && a.verdict == AO_VERDICT_PASSED)
		err = ao_trial_refuse_opponent(opponent, &b);
	memcpy(pair.against, opponent->id, sizeof(pair.against));
	*ao_result_add_pair(&trial->result, opponent->id) = pair;
	ao_trial_note(trial, i, &a);
	ao_judgement_release(&b);
	return err;
}

/* See selfpair.h.  What is linked with libraries is never a candidate. */
static struct ao_error *control(struct ao_trial *trial, struct ao_judge *judge)
{
	const struct ao_bundle *bundle = trial->bundle;
	const struct ao_kernel *kernel = bundle->opponents;
	const char *object = NULL;
	struct ao_error *err;

	if (kernel->libraries)
		kernel = bundle->candidate;
	err = ao_trial_get_object(&object, trial, 0, kernel);
	if (err)
		return err;
	err = ao_selfpair_ensure(trial->session, judge, object, kernel->id);
	if (!err)
		ao_selfpair_apply(&trial->result, bundle,
				  ao_session_control(trial->session));
	return err;
}

static struct ao_error *time_case(struct ao_trial *trial, size_t i)
{
	struct ao_judge *judge = NULL;
	struct ao_error *err = ao_trial_open_judge(&judge, trial, i);

	if (!err && !i)
		err = control(trial, judge);
	for (size_t o = 0; o < trial->bundle->opponent_count && !err &&
			   !ao_trial_has_verdict(trial) &&
			   !ao_pair_tells_apart(&trial->result.control);
	     o++)
		err = time_pair(trial, i, judge, &trial->bundle->opponents[o]);
	ao_court_close(judge, &trial->result);
	return err;
}

/* Without an opponent: the main case, and each that was asked for. */
static struct ao_error *time_roughly(struct ao_trial *trial)
{
	size_t count = is_full(trial) && is_choice(trial) ? trial->chosen_count
							  : 1;
	struct ao_error *err = NULL;

	for (size_t i = 0; i < count && !err && !ao_trial_has_verdict(trial);
	     i++)
		err = ao_trial_check_case(trial, i, AO_TRIAL_ROUGH_CALLS);
	return err;
}

/* Whether the main case has shown that there is nothing to confirm, or time. */
static bool is_refuted(const struct ao_trial *trial)
{
	if (ao_pair_tells_apart(&trial->result.control))
		return true;
	for (size_t i = 0; i < trial->result.pair_count; i++)
		if (trial->result.pairs[i].decision == AO_DECISION_FASTER)
			return false;
	return trial->bundle->stage == AO_STAGE_CONFIRM;
}

/* With the machine to ourselves. */
static struct ao_error *time_all(struct ao_trial *trial)
{
	struct ao_error *err = take_turn(trial, AO_LOCK_EXCLUSIVE);

	if (!err && (trial->bundle->stage == AO_STAGE_CHECK ||
		     !trial->bundle->opponent_count))
		return time_roughly(trial);
	for (size_t i = 0; i < trial->chosen_count && !err; i++) {
		if (is_timed(trial, i) && !ao_trial_has_verdict(trial))
			err = time_case(trial, i);
		if (!err && !i && is_refuted(trial))
			break;
	}
	return err;
}

/*
 * The same machine code as its only opponent's is as fast without a doubt.
 * Who asks for a full timing gets one.
 */
static struct ao_error *compare_code(bool *is_same_out, struct ao_trial *trial)
{
	const struct ao_bundle *bundle = trial->bundle;
	const char *ours = NULL, *theirs = NULL;
	struct ao_pair *pair;
	bool is_same = false;
	struct ao_error *err;

	if (bundle->opponent_count != 1 || bundle->opponents->libraries ||
	    (bundle->stage != AO_STAGE_SCREEN &&
	     bundle->stage != AO_STAGE_CONFIRM))
		return NULL;
	err = ao_trial_get_object(&ours, trial, 0, bundle->candidate);
	if (!err)
		err = ao_trial_get_object(&theirs, trial, 0, bundle->opponents);
	if (!err)
		err = ao_object_equals(&is_same, ours, theirs);
	if (err || !is_same)
		return err;
	pair = ao_result_add_pair(&trial->result, bundle->opponents->id);
	pair->decision = AO_DECISION_TIE;
	pair->case_name = ao_xstrdup(ao_trial_case_at(trial, 0)->name);
	trial->result.detail = ao_xstrdup(
		"not timed: the same machine code as its opponent");
	*is_same_out = true;
	return NULL;
}

/*
 * It costs as much as screening a candidate, so it is for those that somebody
 * will build on: what is judged in full, and what is faster.
 */
static bool wants_feedback(const struct ao_trial *trial)
{
	const struct ao_pair *pair = ao_result_main_pair(&trial->result);

	return trial->bundle->with_remarks || trial->bundle->with_cachegrind ||
	       trial->bundle->stage == AO_STAGE_FULL ||
	       (pair && pair->decision == AO_DECISION_FASTER);
}

/* While others may work beside us. */
static struct ao_error *add_feedback(struct ao_trial *trial)
{
	const struct ao_feedback_request request = {
		.session = trial->session,
		.bundle = trial->bundle,
		.c = ao_trial_case_at(trial, 0),
		.call_ns = trial->result.cases[0].median_ns,
	};
	struct ao_error *err;

	if (!wants_feedback(trial))
		return NULL;
	err = take_turn(trial, AO_LOCK_SHARED);
	if (!err)
		err = ao_feedback_add(&trial->result, &request);
	return err;
}

static struct ao_error *choose(struct ao_trial *trial)
{
	free(trial->chosen); /* of a run before */
	trial->chosen = NULL;
	return ao_task_choose(&trial->chosen, &trial->chosen_count,
			      trial->bundle->task, trial->bundle->cases);
}

struct ao_error *ao_trial_run(struct ao_trial *trial)
{
	struct ao_error *err = choose(trial);
	bool is_same = false;

	if (!err)
		err = check_all(trial);
	if (!err && !ao_trial_has_verdict(trial))
		err = check_hidden(trial);
	if (!err && !ao_trial_has_verdict(trial))
		err = check_opponents(trial);
	if (!err && !ao_trial_has_verdict(trial))
		err = build_opponents(trial);
	if (!err && !ao_trial_has_verdict(trial))
		err = compare_code(&is_same, trial);
	if (!err && !ao_trial_has_verdict(trial) && !is_same)
		err = time_all(trial);
	if (!err && !ao_trial_has_verdict(trial))
		err = add_feedback(trial);
	if (!err && !ao_trial_has_verdict(trial)) {
		trial->result.verdict = AO_VERDICT_PASSED;
		ao_protect(&trial->result, trial->bundle->task,
			   ao_trial_case_at(trial, 0)->name);
	}
	ao_lock_free(trial->lock);
	trial->lock = NULL;
	return err;
}
