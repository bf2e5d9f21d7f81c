/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "evolve/attempt.h"
#include "evolve/population.h"
#include "evolve/settle.h"

/* How many may challenge the best after one iteration. */
enum { MAX_CHALLENGERS = 2 };

/* What a score is more by, so that one of two that are as fast ranks first. */
#define RANKS_BEFORE 1e-6

/* Inputs of a second measurement are not those of the first. */
#define SECOND_SEED 0x9e3779b97f4a7c15u

/*
 * Time one member against another with the full budget.  The result stays
 * without verdict if work had to halt first, the opponent fails, or nothing can
 * be timed, which may be otherwise the next time.
 */
AO_MUST_CHECK
static struct ao_error *fight(struct ao_result *out, struct ao_search *search,
			      enum ao_stage stage, const char *commit,
			      const char *opponent)
{
	struct ao_bundle bundle = {
		.task = search->task,
		.opponent_count = 1,
		.machine = &search->machine,
		.stage = stage,
		.seed = search->self->run.settings.seed ^ SECOND_SEED,
	};
	struct ao_error *err;

	err = ao_population_kernel(&bundle.candidate, search, commit);
	if (!err)
		err = ao_population_kernel(&bundle.opponents, search, opponent);
	if (!err)
		err = ao_search_evaluate(out, search, &bundle);
	if (ao_error_code(err) == AO_EINVALID) {
		/* The opponent passed before: one failure is no verdict. */
		ao_search_warn(search, "%s", ao_error_message(err));
		ao_error_free(err);
		return NULL;
	}
	if (err)
		return ao_error_wrap(err, "cannot time '%.10s' against '%.10s'",
				     commit, opponent);
	if (ao_pair_tells_apart(&out->control)) {
		ao_search_warn(search, "%.10s against %.10s: %s", commit,
			       opponent, out->detail);
		ao_result_release(out);
	}
	return NULL;
}

/*
 * Keep what a duel found: a profile in place of the candidate's, with all the
 * pairs of the old one before the new ones.  Takes over `result`.
 */
AO_MUST_CHECK
static struct ao_error *record(struct ao_search *search, const char *commit,
			       struct ao_result *result, double score,
			       double variance)
{
	const struct ao_candidate *candidate;
	struct ao_profile *profile = ao_xcalloc(1, sizeof(*profile));
	struct ao_result duel = *result;
	struct ao_error *err;

	*result = (struct ao_result){ 0 };
	candidate = ao_history_find(&search->history, commit, NULL);
	ao_record_head_init(&profile->head);
	memcpy(profile->head.replaces, candidate->profile->head.id,
	       sizeof(profile->head.replaces));
	memcpy(profile->kernel, candidate->kernel, AO_ID_SIZE);
	memcpy(profile->task, search->self->run.task_id, AO_ID_SIZE);
	profile->score = score;
	profile->score_variance = variance;
	if (duel.verdict == AO_VERDICT_PASSED) {
		ao_result_copy(&profile->result, &candidate->profile->result);
		ao_result_append_pairs(&profile->result, &duel);
		ao_result_release(&duel);
	} else {
		profile->result = duel;
	}
	err = ao_journal_add_profile(search->journal, commit, profile);
	if (err) {
		ao_profile_release(profile);
		free(profile);
		return err;
	}
	ao_population_replace_profile(search, commit, profile);
	return ao_search_flush(search);
}

static void crown(struct ao_search *search, const char *commit)
{
	struct ao_event event = { .kind = AO_EVENT_BEST };
	struct ao_member member;

	memcpy(search->best, commit, AO_ID_SIZE);
	if (ao_population_member(&member, search, commit))
		ao_gain_of_score(&search->best_gain, member.score,
				 member.variance);
	event.candidate = ao_history_find(&search->history, commit, NULL);
	ao_search_emit(search, &event);
}

/* Whether a protected case was slower than the same opponent. */
static bool has_paid(const struct ao_search *search,
		     const struct ao_result *result, const char *against)
{
	for (size_t i = 0; i < result->pair_count; i++) {
		const struct ao_pair *pair = &result->pairs[i];
		const struct ao_case *c = ao_task_case(search->task,
						       pair->case_name);

		if (c && c->is_protected &&
		    pair->decision == AO_DECISION_SLOWER &&
		    !strcmp(pair->against, against))
			return true;
	}
	return false;
}

/*
 * Whether a pair of a result makes a challenger the best.  One that leaves a
 * step out has less to review, so being as fast is enough, on protected cases,
 * too; a gain that these pay for is a tie already.
 */
static bool wins(const struct ao_search *search,
		 const struct ao_candidate *challenger,
		 const struct ao_result *result, const struct ao_pair *pair)
{
	return pair->decision == AO_DECISION_FASTER ||
	       (pair->decision == AO_DECISION_TIE &&
		ao_candidate_drops(NULL, challenger) &&
		!has_paid(search, result, pair->against));
}

/* Being as fast is not looked for by who confirms a gain. */
static enum ao_stage stage_for(const struct ao_search *search,
			       const struct ao_member *challenger)
{
	return ao_candidate_drops(NULL,
				  ao_history_find(&search->history,
						  challenger->commit, NULL))
		       ? AO_STAGE_FULL
		       : AO_STAGE_CONFIRM;
}

/* One challenge; the challenger's score becomes what the duel says. */
AO_MUST_CHECK
static struct ao_error *challenge(struct ao_search *search,
				  const struct ao_member *challenger)
{
	struct ao_member best = { .score = 0.0 };
	struct ao_result result = { 0 };
	const struct ao_pair *pair;
	double gain = 0.0, variance = 0.0, score = NAN;
	bool has_won;
	struct ao_error *err;

	if (!ao_population_member(&best, search, search->best))
		return NULL;
	err = fight(&result, search, stage_for(search, challenger),
		    challenger->commit, search->best);
	if (err || result.verdict == AO_VERDICT_NONE)
		return err;

	pair = ao_result_main_pair(&result);
	has_won = pair && result.verdict == AO_VERDICT_PASSED &&
		  ao_search_may_promote(search, &result) &&
		  wins(search,
		       ao_history_find(&search->history, challenger->commit,
				       NULL),
		       &result, pair);
	if (pair && result.verdict == AO_VERDICT_PASSED) {
		ao_attempt_gain(&gain, &variance, pair);
		/* Who did not win does not score over the best any more. */
		if (!has_won && gain > 0.0)
			gain = 0.0;
		score = best.score + gain;
		if (has_won && gain <= 0.0)
			score += RANKS_BEFORE;
	}
	err = record(search, challenger->commit, &result, score,
		     best.variance + variance);
	if (!err && has_won)
		crown(search, challenger->commit);
	return err;
}

/* Whether it won a duel; its first pair is the screening by its parent. */
static bool has_won_a_duel(const struct ao_search *search,
			   const struct ao_candidate *c)
{
	const struct ao_result *result = &c->profile->result;

	for (size_t i = 1; i < result->pair_count; i++)
		if (wins(search, c, result, &result->pairs[i]) &&
		    ao_result_is_main_pair(result, &result->pairs[i]))
			return true;
	return false;
}

void ao_settle_recall(struct ao_search *search)
{
	struct ao_member best = { .score = 0.0 }, member;

	memcpy(search->best, search->self->run.base, AO_ID_SIZE);
	for (size_t i = 0; i < search->self->candidate_count; i++) {
		const struct ao_candidate *c = &search->self->candidates[i];

		if (ao_population_member(&member, search, c->commit) &&
		    member.score > best.score && has_won_a_duel(search, c))
			best = member;
	}
	if (*best.commit)
		memcpy(search->best, best.commit, AO_ID_SIZE);
	ao_gain_of_score(&search->best_gain, best.score, best.variance);
}

struct ao_error *ao_settle_challenge(struct ao_search *search,
				     const char *commit)
{
	struct ao_member challenger;

	if (!ao_population_member(&challenger, search, commit) ||
	    ao_search_halt(search))
		return NULL;
	return challenge(search, &challenger);
}

struct ao_error *ao_settle_best(struct ao_search *search)
{
	struct ao_error *err = NULL;

	for (int i = 0; i < MAX_CHALLENGERS && !err; i++) {
		struct ao_member *members, best = { .score = 0.0 };
		size_t count = ao_population_rank(&members, search, UINT32_MAX);
		bool is_over = !count ||
			       !ao_population_member(&best, search,
						     search->best) ||
			       members[0].score <= best.score ||
			       !strcmp(members[0].commit, search->best) ||
			       ao_search_halt(search);

		if (!is_over)
			err = challenge(search, &members[0]);
		free(members);
		if (is_over)
			break;
	}
	return err;
}

/* Whether the best was timed against the baseline in a full duel already. */
static bool has_met_baseline(const struct ao_candidate *best,
			     const char *base_kernel)
{
	/* The first pair is the screening against its parent. */
	for (size_t i = 1; i < best->profile->result.pair_count; i++)
		if (!strcmp(best->profile->result.pairs[i].against,
			    base_kernel))
			return true;
	return false;
}

/*
 * Time the best against the baseline.  One that fails on these inputs is no
 * best any more: *is_settled is false then, with the next best in its place.
 */
AO_MUST_CHECK
static struct ao_error *meet_baseline(bool *is_settled,
				      struct ao_search *search)
{
	const struct ao_run *run = &search->self->run;
	const struct ao_candidate *best = ao_history_find(&search->history,
							  search->best, NULL);
	struct ao_result result = { 0 };
	struct ao_member member;
	struct ao_error *err;

	*is_settled = true;
	if (!strcmp(search->best, run->base) ||
	    has_met_baseline(best, run->base_kernel))
		return NULL;
	err = fight(&result, search, AO_STAGE_FULL, search->best, run->base);
	if (err || result.verdict == AO_VERDICT_NONE)
		return err;
	if (!ao_population_member(&member, search, search->best)) {
		ao_result_release(&result);
		return NULL;
	}
	if (result.verdict == AO_VERDICT_PASSED)
		return record(search, search->best, &result, member.score,
			      member.variance);
	ao_search_warn(search,
		       "the best kernel, %.10s, did not pass when it met the "
		       "baseline: %s",
		       search->best, ao_verdict_name(result.verdict));
	err = record(search, search->best, &result, NAN, NAN);
	ao_settle_recall(search);
	*is_settled = false;
	return err;
}

struct ao_error *ao_settle_final(struct ao_search *search)
{
	struct ao_event event = { .kind = AO_EVENT_BEST };
	const char *base = search->self->run.base;
	const char *best = search->best;
	struct ao_error *err = NULL;
	bool is_settled = false;

	while (!err && !is_settled && search->evaluator &&
	       !ao_search_halt(search))
		err = meet_baseline(&is_settled, search);
	if (!err)
		err = ao_search_flush(search);
	if (!err)
		err = ao_journal_set_best(search->journal, best);
	if (ao_error_code(err) == AO_ECONFLICT) {
		/* All is stored; where the branch points is for its user. */
		ao_search_warn(search, "%s: %s", ao_error_message(err),
			       ao_error_message(ao_error_cause(err)));
		ao_error_free(err);
		err = NULL;
	}
	if (err || !strcmp(best, base))
		return err;

	event.candidate = ao_history_find(&search->history, best, NULL);
	ao_candidate_gain_baseline(&search->best_gain, event.candidate,
				   search->self->run.base_kernel);
	ao_search_emit(search, &event);
	return NULL;
}
