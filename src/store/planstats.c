/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "store/planstats.h"
#include "util/text.h"

/* What one attempt adds; its strings are borrowed from the history. */
struct entry {
	const char *move; /* with parameters */
	size_t move_len;  /* without */
	const char *params;
	const char *features;
	bool is_failure;
	double log_gain; /* over the parent */
	double credit;
	size_t order; /* what is equal stays in the order of history */
};

struct entries {
	struct entry *list; /* [count] */
	size_t count;
	size_t alloc;
};

/* Whether the attempt was judged for itself. */
static bool counts(const struct ao_candidate *candidate)
{
	enum ao_verdict verdict = ao_candidate_verdict(candidate);

	return candidate->plan && candidate->plan->move &&
	       !ao_candidate_drops(NULL, candidate) &&
	       verdict != AO_VERDICT_NONE && verdict != AO_VERDICT_DUPLICATE &&
	       verdict != AO_VERDICT_INTERRUPTED &&
	       !candidate->profile->result.is_reused;
}

/* The gain over the baseline, or NAN. */
static double gain_of(const struct ao_candidate *candidate, const char *base)
{
	struct ao_gain gain;

	if (!ao_candidate_gain_baseline(&gain, candidate, base))
		return (double)NAN;
	return gain.log_gain;
}

/* Where the accepted lineage of a run ends, or NULL. */
static const struct ao_candidate *winner_of(const struct ao_history *history,
					    const struct ao_history_run *run)
{
	const struct ao_candidate *best = NULL;
	double most = 0;

	if (*run->best)
		return ao_history_find(history, run->best, NULL);
	for (size_t i = 0; i < run->candidate_count; i++) {
		double gain = gain_of(&run->candidates[i],
				      run->run.base_kernel);

		if (gain > most) {
			most = gain;
			best = &run->candidates[i];
		}
	}
	return best;
}

/* Set credit[i] of each attempt that the run's accepted lineage keeps. */
static void credit_chain(double *credit, const struct ao_history *history,
			 const struct ao_history_run *run)
{
	const struct ao_candidate *at = winner_of(history, run);
	size_t count;
	size_t *steps;
	double gain;

	if (!at)
		return;
	gain = gain_of(at, run->run.base_kernel);
	if (!isfinite(gain))
		return;
	steps = ao_history_lineage(&count, run, at->commit);
	for (size_t i = 0; i < count; i++)
		if (ao_history_keeps(run, steps, i))
			credit[steps[i]] = gain;
	free(steps);
}

static void add_run(struct entries *entries, const struct ao_history *history,
		    const struct ao_history_run *run)
{
	double *credit = ao_xcalloc(run->candidate_count + 1, sizeof(*credit));

	credit_chain(credit, history, run);
	for (size_t i = 0; i < run->candidate_count; i++) {
		const struct ao_candidate *c = &run->candidates[i];
		struct ao_gain gain;
		struct entry *entry;

		if (!counts(c))
			continue;
		entries->list = ao_grow(entries->list, &entries->alloc,
					entries->count + 1, sizeof(*entry));
		entry = &entries->list[entries->count];
		*entry = (struct entry){
			.move = c->plan->move,
			.features = c->plan->features ? c->plan->features : "",
			.is_failure = ao_candidate_verdict(c) !=
				      AO_VERDICT_PASSED,
			.credit = credit[i],
			.order = entries->count++,
		};
		entry->move_len = strcspn(entry->move, " ");
		entry->params = entry->move + entry->move_len;
		entry->params += strspn(entry->params, " ");
		if (ao_candidate_gain_parent(&gain, c) &&
		    isfinite(gain.log_gain))
			entry->log_gain = gain.log_gain;
	}
	free(credit);
}

/* By move, then parameters, then features. */
static int compare_keys(const struct entry *a, const struct entry *b)
{
	size_t x = a->move_len, y = b->move_len;
	int order = strncmp(a->move, b->move, x < y ? x : y);

	if (!order)
		order = (x > y) - (x < y);
	if (!order)
		order = strcmp(a->params, b->params);
	return order ? order : strcmp(a->features, b->features);
}

/* Those that passed first, by gain, so that their median is in their middle. */
static int compare_outcomes(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = x->is_failure - y->is_failure;

	if (!order)
		order = (x->log_gain > y->log_gain) -
			(x->log_gain < y->log_gain);
	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int compare_entries(const void *a, const void *b)
{
	int order = compare_keys(a, b);

	return order ? order : compare_outcomes(a, b);
}

/* The median gain of the first of `count` equal entries, those that passed. */
static double median_of(const struct entry *entries, size_t count)
{
	size_t passed = 0;

	while (passed < count && !entries[passed].is_failure)
		passed++;
	if (!passed)
		return 0;
	return (entries[(passed - 1) / 2].log_gain +
		entries[passed / 2].log_gain) /
	       2;
}

/* The statistics of `count` > 0 entries of one move. */
static void sum_up(struct ao_plan_stat *out, const struct entry *entries,
		   size_t count, const char *params, const char *features)
{
	struct ao_plan_stat stat = {
		.move = ao_xstrndup(entries->move, entries->move_len),
		.params = ao_xstrdup(params),
		.features = ao_xstrdup(features),
		.tries = (uint32_t)count,
		.median_log_gain = median_of(entries, count),
	};

	for (const struct entry *e = entries; e < entries + count; e++) {
		stat.failures += e->is_failure;
		stat.sum_log_gain += e->log_gain;
		stat.sum_faster += fmax(e->log_gain, 0);
		stat.credited += e->credit > 0;
		stat.sum_credit += e->credit;
	}
	*out = stat;
}

/* Add the statistics of `count` entries that are of one kind. */
static void add_stat(struct ao_memory *memory, size_t *alloc,
		     const struct entry *entries, size_t count)
{
	memory->stats = ao_grow(memory->stats, alloc, memory->stat_count + 1,
				sizeof(*memory->stats));
	sum_up(&memory->stats[memory->stat_count++], entries, count,
	       entries->params, entries->features);
}

bool ao_planstats_of_move(struct ao_plan_stat *out,
			  const struct ao_history *history, const char *move)
{
	struct entries entries = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < history->run_count; i++)
		add_run(&entries, history, &history->runs[i]);
	for (size_t i = 0; i < entries.count; i++)
		if (strlen(move) == entries.list[i].move_len &&
		    ao_text_starts_with(entries.list[i].move, move))
			entries.list[count++] = entries.list[i];
	if (count) {
		qsort(entries.list, count, sizeof(*entries.list),
		      compare_outcomes);
		sum_up(out, entries.list, count, "", "");
	}
	free(entries.list);
	return count > 0;
}

void ao_planstats(struct ao_memory *out, const struct ao_history *history)
{
	struct entries entries = { 0 };
	size_t alloc = 0, first = 0;

	for (size_t i = 0; i < history->run_count; i++)
		add_run(&entries, history, &history->runs[i]);
	if (entries.count)
		qsort(entries.list, entries.count, sizeof(*entries.list),
		      compare_entries);
	for (size_t i = 1; i <= entries.count; i++) {
		if (i < entries.count &&
		    !compare_keys(&entries.list[first], &entries.list[i]))
			continue;
		add_stat(out, &alloc, &entries.list[first], i - first);
		first = i;
	}
	free(entries.list);
}
