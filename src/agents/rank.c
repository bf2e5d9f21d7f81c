/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "agents/rank.h"
#include "rewrite/params.h"

/* So many tries of history weigh as much as what was believed before them. */
#define PRIOR_TRIES 2.0

/* Any number of tries weighs as much as this number of independent ones. */
#define MOST_TRIES 20.0

/*
 * A move that only enables the next one gains nothing by itself, so each step
 * of an accepted chain gets a share of what the whole chain gained.
 */
#define CHAIN_SHARE 0.2

/* Variants of one move that a request gets at most; a sweep gets all. */
enum { VARIANTS_OF_A_MOVE = 3 };

/* What a further variant at the same place is worth of the one before. */
#define VARIANT_WORTH 0.3

/*
 * What is worth less than this share of the best waits for the next request,
 * unless even the best promises so little that beliefs tell nothing apart.
 */
#define WORTH_OF_BEST	0.3
#define LITTLE_LOG_GAIN 0.1

/* Sums over the statistics that a proposal is compared with. */
struct evidence {
	double tries;
	double gain;
};

/* The length of the next word of *at that is a place, or is none. */
static size_t next_word(const char **at, bool wants_place)
{
	for (;;) {
		size_t len;

		*at += strspn(*at, " ");
		len = strcspn(*at, " ");
		if (!len || ao_params_begin_with_place(*at) == wants_place)
			return len;
		*at += len;
	}
}

/*
 * Whether parameters have the same places in their sources, or are the same
 * but for these, which mean nothing elsewhere.
 */
static bool same_words(const char *a, const char *b, bool are_places)
{
	for (;;) {
		size_t a_len = next_word(&a, are_places);
		size_t b_len = next_word(&b, are_places);

		if (a_len != b_len || memcmp(a, b, a_len) != 0)
			return false;
		if (!a_len)
			return true;
		a += a_len;
		b += b_len;
	}
}

static void add(struct evidence *sum, const struct ao_plan_stat *stat)
{
	sum->tries += stat->tries;
	sum->gain += stat->sum_faster + CHAIN_SHARE * stat->sum_credit;
}

static double mean(const struct evidence *seen)
{
	return seen->tries > 0 ? seen->gain / seen->tries : 0;
}

/* What evidence counts beside a belief, 0 to 1. */
static double weight(const struct evidence *seen)
{
	double tries = seen->tries * MOST_TRIES / (seen->tries + MOST_TRIES);

	return tries / (tries + PRIOR_TRIES);
}

static double shrink(double belief, const struct evidence *seen)
{
	return belief + weight(seen) * (mean(seen) - belief);
}

double ao_rank_expect(const struct ao_proposal *proposal,
		      const struct ao_memory *memory)
{
	struct evidence move = { 0 }, features = { 0 }, params = { 0 };

	for (size_t i = 0; i < memory->stat_count; i++) {
		const struct ao_plan_stat *stat = &memory->stats[i];

		if (strcmp(stat->move, proposal->move) != 0)
			continue;
		add(&move, stat);
		if (strcmp(stat->features, proposal->features) != 0)
			continue;
		add(&features, stat);
		if (same_words(stat->params, proposal->params, false))
			add(&params, stat);
	}
	/*
	 * A poor start in one place speaks against all variants of the move
	 * there.  Against one of them speaks only what it did worse than they.
	 */
	return shrink(shrink(proposal->prior, &move), &features) +
	       weight(&params) * (mean(&params) - mean(&features));
}

char *ao_rank_name(const struct ao_proposal *proposal)
{
	return ao_xstrf("%s%s%s", proposal->move, *proposal->params ? " " : "",
			proposal->params);
}

static bool is_tried(const struct ao_proposal *proposal,
		     const struct ao_strs *tried)
{
	char *name = ao_rank_name(proposal);
	bool found = ao_strs_has(tried, name);

	free(name);
	return found;
}

/* Proposals that may be chosen, and what they are worth so far. */
struct choice {
	const struct ao_proposal *proposals; /* [count] */
	double *worth;	/* [count] NAN: it may not be chosen any more */
	unsigned *same; /* [count] chosen ones of the same move */
	size_t count;
};

/* The one that is worth most; count: there is none. */
static size_t best_of(const struct choice *choice)
{
	size_t best = choice->count;

	for (size_t i = 0; i < choice->count; i++)
		if (!isnan(choice->worth[i]) &&
		    (best == choice->count ||
		     choice->worth[i] > choice->worth[best]))
			best = i;
	return best;
}

/* One was chosen: others of its move are worth less, or too many. */
static void devalue(struct choice *choice, size_t chosen)
{
	const struct ao_proposal *one = &choice->proposals[chosen];

	for (size_t i = 0; i < choice->count; i++) {
		const struct ao_proposal *p = &choice->proposals[i];

		if (strcmp(p->move, one->move) != 0)
			continue;
		if (++choice->same[i] == VARIANTS_OF_A_MOVE)
			choice->worth[i] = (double)NAN;
		else if (choice->worth[i] > 0 &&
			 same_words(p->params, one->params, true))
			choice->worth[i] *= VARIANT_WORTH;
	}
}

size_t ao_rank_choose(size_t *chosen, size_t most, bool is_sweep,
		      const struct ao_proposal *proposals, size_t count,
		      const struct ao_memory *memory,
		      const struct ao_strs *tried)
{
	struct choice choice = {
		.proposals = proposals,
		.worth = ao_xcalloc(count, sizeof(*choice.worth)),
		.same = ao_xcalloc(count, sizeof(*choice.same)),
		.count = count,
	};
	double least = -INFINITY;
	size_t taken = 0;

	for (size_t i = 0; i < count; i++)
		choice.worth[i] = is_tried(&proposals[i], tried)
					  ? (double)NAN
					  : ao_rank_expect(&proposals[i],
							   memory);
	while (taken < most) {
		size_t best = best_of(&choice);

		if (best == count)
			break;
		if (!is_sweep) {
			if (!taken && choice.worth[best] > LITTLE_LOG_GAIN)
				least = WORTH_OF_BEST * choice.worth[best];
			if (choice.worth[best] < least)
				break;
			devalue(&choice, best);
		}
		choice.worth[best] = (double)NAN;
		chosen[taken++] = best;
	}
	free(choice.worth);
	free(choice.same);
	return taken;
}
