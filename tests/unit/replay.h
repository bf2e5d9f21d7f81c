/* SPDX-License-Identifier: MIT */
/*
 * replay.h - a search on a table of gains in place of a machine.
 *
 * It goes as src/evolve does: the same ranking of plans and candidates, every
 * member's first plan before anyone's second, duplicates for nothing, and
 * after each iteration the memory of what went before, in the end without the
 * steps that did not pay.  Without duels and sweep.
 */
#ifndef AO_TESTS_REPLAY_H
#define AO_TESTS_REPLAY_H

#include "gaintable.h"

#include "agents/rank.h"
#include "evolve/select.h"
#include "model/run.h"
#include "store/planstats.h"
#include "util/rng.h"

struct replay_options {
	const struct ao_memory *memory; /* of other searches; NULL: none */
	bool forgets;			/* even what it tries itself */
	uint32_t max_evals;
	uint32_t iterations; /* at most; 0: as many as by default */
	double noise;	     /* deviation of a measured log gain */
	struct ao_rng *rng;  /* where there is noise */
};

/* A search under way, with its history in the form that the product has. */
struct replay {
	const struct gaintask *task;
	const struct replay_options *options;
	struct ao_settings settings;
	struct ao_history_run *run;
	size_t *states; /* [run->candidate_count] where each led to */
	bool *visited;	/* [task->state_count] */
	uint32_t iteration;
	uint32_t evals;
	uint32_t evals_to_most; /* until 90 % of the best; 0: not reached */
	double best;		/* score so far */
};

#define REPLAY_MOST 0.9

static inline void replay_id(char out[AO_ID_SIZE], size_t n)
{
	snprintf(out, AO_ID_SIZE, "%040zx", n);
}

/* At most so many attempts, those that cost nothing among them. */
static inline size_t replay_capacity(const struct ao_settings *settings)
{
	return (size_t)settings->iterations * settings->beam * settings->plans;
}

static inline void replay_attempt(struct replay *replay, size_t parent_commit,
				  double parent_score, size_t row)
{
	const struct gaintask *task = replay->task;
	const struct replay_options *options = replay->options;
	struct ao_history_run *run = replay->run;
	size_t i = run->candidate_count++, to = task->to[row];
	struct ao_candidate *c = &run->candidates[i];
	enum ao_verdict verdict = AO_VERDICT_PASSED;
	double gain = task->log_gain[row];

	if (to == GAINTABLE_NO_STATE)
		verdict = AO_VERDICT_INCORRECT_NUMERICAL;
	else if (replay->visited[to])
		verdict = AO_VERDICT_DUPLICATE;
	else
		replay->visited[to] = true;
	replay->evals += verdict != AO_VERDICT_DUPLICATE;
	if (options->noise > 0)
		gain += options->noise * ao_rng_normal(options->rng);
	if (verdict == AO_VERDICT_PASSED)
		replay->best = fmax(replay->best, task->states[to].score);
	if (!replay->evals_to_most && replay->best >= REPLAY_MOST * task->best)
		replay->evals_to_most = replay->evals;

	*c = (struct ao_candidate){
		.profile = ao_xcalloc(1, sizeof(*c->profile)),
		.plan = ao_xcalloc(1, sizeof(*c->plan)),
		.message = { .attempt = { replay->iteration,
					  (uint32_t)i + 1 } },
	};
	replay_id(c->commit, i + 1);
	replay_id(c->parent, parent_commit);
	replay_id(c->kernel, to + 1);
	c->plan->move = ao_rank_name(&task->plans[row]);
	c->plan->features = ao_xstrdup(task->plans[row].features);
	c->profile->result.verdict = verdict;
	c->profile->score = (double)NAN;
	replay->states[i] = to;
	if (verdict == AO_VERDICT_PASSED) {
		struct ao_pair *pair = ao_xcalloc(1, sizeof(*pair));

		*pair = (struct ao_pair){ .log_gain = gain,
					  .log_low = gain,
					  .log_high = gain };
		c->profile->result.pairs = pair;
		c->profile->result.pair_count = 1;
		c->profile->score = parent_score + gain;
	}
}

/* A candidate that may be planned for; commit 0 is the baseline. */
struct replay_member {
	size_t commit;
	size_t state;
	double score;
	size_t chosen[64]; /* rows */
	size_t chosen_count;
};

static inline void replay_choose(struct replay *replay,
				 struct replay_member *member,
				 const struct ao_memory *memory)
{
	const struct gainstate *state = &replay->task->states[member->state];
	struct ao_strs tried = { 0 };
	char commit[AO_ID_SIZE];

	replay_id(commit, member->commit);
	for (size_t i = 0; i < replay->run->candidate_count; i++)
		if (!strcmp(replay->run->candidates[i].parent, commit))
			ao_strs_push(&tried,
				     replay->run->candidates[i].plan->move);
	member->chosen_count = ao_rank_choose(
		member->chosen, replay->settings.plans, false,
		&replay->task->plans[state->first], state->count, memory,
		&tried);
	for (size_t i = 0; i < member->chosen_count; i++)
		member->chosen[i] += state->first;
	ao_strs_release(&tried);
}

/* Best first; returns how many.  The caller frees *out. */
static inline size_t replay_rank(struct replay_member **out,
				 const struct replay *replay)
{
	const struct ao_history_run *run = replay->run;
	size_t n = run->candidate_count + 1, count;
	struct ao_scored *scored = ao_xcalloc(n, sizeof(*scored));
	size_t *ranked = ao_xcalloc(n, sizeof(*ranked));

	scored[0] = (struct ao_scored){ "", "", run->run.base_kernel, 0.0 };
	for (size_t i = 1; i < n; i++) {
		const struct ao_candidate *c = &run->candidates[i - 1];

		scored[i] = (struct ao_scored){ c->parent, c->plan->move,
						c->kernel, c->profile->score };
	}
	count = ao_select_rank(ranked, scored, n);
	*out = ao_xcalloc(count, sizeof(**out));
	for (size_t i = 0; i < count; i++) {
		size_t commit = ranked[i];

		(*out)[i] = (struct replay_member){
			.commit = commit,
			.state = commit ? replay->states[commit - 1] : 0,
			.score = scored[commit].score,
		};
	}
	free(scored);
	free(ranked);
	return count;
}

/* What is remembered at this point: of others, then of this search. */
static inline void replay_remember(struct ao_memory *out, struct ao_memory *own,
				   struct replay *replay)
{
	const struct ao_memory *others = replay->options->memory;
	struct ao_history history = { .runs = replay->run, .run_count = 1 };
	size_t count = others ? others->stat_count : 0;

	*own = (struct ao_memory){ 0 };
	if (!replay->options->forgets)
		ao_planstats(own, &history);
	*out = (struct ao_memory){ .stat_count = count + own->stat_count };
	out->stats = ao_xcalloc(out->stat_count + 1, sizeof(*out->stats));
	if (count)
		memcpy(out->stats, others->stats, count * sizeof(*out->stats));
	if (own->stat_count)
		memcpy(out->stats + count, own->stats,
		       own->stat_count * sizeof(*out->stats));
}

/* One iteration; false if nothing is left to try. */
static inline bool replay_iterate(struct replay *replay)
{
	struct replay_member *members;
	size_t count = replay_rank(&members, replay), asked = 0, most = 0;
	struct ao_memory memory, own;

	replay_remember(&memory, &own, replay);
	for (uint32_t fruitful = 0;
	     asked < count && fruitful < replay->settings.beam; asked++) {
		replay_choose(replay, &members[asked], &memory);
		fruitful += members[asked].chosen_count > 0;
		if (members[asked].chosen_count > most)
			most = members[asked].chosen_count;
	}
	for (size_t p = 0; p < most; p++)
		for (size_t m = 0; m < asked; m++)
			if (p < members[m].chosen_count &&
			    replay->evals < replay->options->max_evals)
				replay_attempt(replay, members[m].commit,
					       members[m].score,
					       members[m].chosen[p]);
	ao_memory_release(&own);
	free(memory.stats);
	free(members);
	return most > 0;
}

/* A step that gains less is left out again at the end. */
#define REPLAY_PAYS 0.02

/* Append an attempt that leaves out the step at `step`, as ablation does. */
static inline void replay_drop(struct ao_history_run *run, size_t step,
			       const struct ao_candidate *from)
{
	struct ao_candidate *c = &run->candidates[run->candidate_count++];
	const struct ao_attempt *at = &run->candidates[step].message.attempt;

	*c = (struct ao_candidate){
		.profile = ao_xcalloc(1, sizeof(*c->profile)),
		.plan = ao_xcalloc(1, sizeof(*c->plan)),
	};
	replay_id(c->commit, run->candidate_count);
	memcpy(c->parent, from->commit, AO_ID_SIZE);
	c->plan->move = ao_xstrf(AO_MOVE_DROP " %" PRIu32 ".%" PRIu32,
				 at->iteration, at->number);
	c->profile->result.verdict = AO_VERDICT_PASSED;
	c->profile->score = from->profile->score;
	memcpy(run->best, c->commit, AO_ID_SIZE);
}

/* The best wins, without those of its steps that did not pay. */
static inline void replay_crown(struct ao_history_run *run)
{
	const struct ao_candidate *best = NULL;
	size_t count, *steps;

	for (size_t i = 0; i < run->candidate_count; i++) {
		const struct ao_candidate *c = &run->candidates[i];

		if (c->profile->score > (best ? best->profile->score : 0))
			best = c;
	}
	if (!best)
		return;
	memcpy(run->best, best->commit, AO_ID_SIZE);
	steps = ao_history_lineage(&count, run, run->best);
	for (size_t i = 0; i < count; i++) {
		struct ao_gain gain;

		if (ao_candidate_gain_parent(&gain,
					     &run->candidates[steps[i]]) &&
		    gain.log_gain < REPLAY_PAYS) {
			replay_drop(run, steps[i], best);
			best = &run->candidates[run->candidate_count - 1];
		}
	}
	free(steps);
}

/* How a search went. */
struct replay_result {
	/* Until 90 % of the best log gain there is; all, if never. */
	uint32_t evals_to_most;
	double share; /* of the best log gain, at the end */
};

/* Search; the run, which is empty, becomes what a history would have of it. */
static inline struct replay_result replay_search(
	struct ao_history_run *run, const struct gaintask *task,
	const struct replay_options *options)
{
	struct replay replay = { .task = task, .options = options, .run = run };
	size_t capacity;

	ao_settings_init(&replay.settings);
	if (options->iterations)
		replay.settings.iterations = options->iterations;
	/* Each step may be left out again. */
	capacity = replay_capacity(&replay.settings) +
		   replay.settings.iterations;
	run->candidates = ao_xcalloc(capacity, sizeof(*run->candidates));
	replay_id(run->run.base, 0);
	replay_id(run->run.base_kernel, 1);
	replay.states = ao_xcalloc(capacity, sizeof(*replay.states));
	replay.visited = ao_xcalloc(task->state_count, sizeof(bool));
	replay.visited[0] = true;
	while (replay.iteration < replay.settings.iterations &&
	       replay.evals < options->max_evals && replay_iterate(&replay))
		replay.iteration++;
	replay_crown(run);
	free(replay.visited);
	free(replay.states);
	ao_settings_release(&replay.settings);
	return (struct replay_result){
		.evals_to_most = replay.evals_to_most ? replay.evals_to_most
						      : options->max_evals,
		.share = replay.best / task->best,
	};
}

static inline void replay_release(struct ao_history_run *run)
{
	for (size_t i = 0; i < run->candidate_count; i++)
		ao_candidate_release(&run->candidates[i]);
	free(run->candidates);
	*run = (struct ao_history_run){ 0 };
}

#endif
