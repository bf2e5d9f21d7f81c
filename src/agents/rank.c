/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "agents/rank.h"
#include "util/text.h"

/* So many tries of history weigh as much as what was believed before them. */
#define PRIOR_TRIES 3.0

/*
 * A move that only enables the next one gains nothing by itself, so each step
 * of an accepted chain gets a share of what the whole chain gained.
 */
#define CHAIN_SHARE 0.1

/* Sums over the statistics that a proposal is compared with. */
struct evidence {
	double tries;
	double gain;
};

/* The next word of *at that is no place; places mean nothing elsewhere. */
static size_t next_word(const char **at)
{
	for (;;) {
		size_t len;

		*at += strspn(*at, " ");
		len = strcspn(*at, " ");
		if (!ao_text_starts_with(*at, "site=") &&
		    !ao_text_starts_with(*at, "fuse=") &&
		    !ao_text_starts_with(*at, "split="))
			return len;
		*at += len;
	}
}

/* Whether parameters are the same but for the place in their sources. */
static bool same_params(const char *a, const char *b)
{
	for (;;) {
		size_t a_len = next_word(&a), b_len = next_word(&b);

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
	sum->gain += stat->sum_log_gain + CHAIN_SHARE * stat->sum_credit;
}

static double shrink(double belief, const struct evidence *seen)
{
	return (seen->gain + PRIOR_TRIES * belief) /
	       (seen->tries + PRIOR_TRIES);
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
		if (same_params(stat->params, proposal->params))
			add(&params, stat);
	}
	return shrink(shrink(shrink(proposal->prior, &move), &features),
		      &params);
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

/* A proposal with what is expected of it. */
struct expected {
	double gain;
	size_t index;
};

static int by_gain(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->gain > y->gain)
		return -1;
	if (x->gain < y->gain)
		return 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

size_t ao_rank_choose(size_t *chosen, size_t most, size_t per_move,
		      const struct ao_proposal *proposals, size_t count,
		      const struct ao_memory *memory,
		      const struct ao_strs *tried)
{
	struct expected *order = ao_xcalloc(count, sizeof(*order));
	size_t left = 0, taken = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_tried(&proposals[i], tried))
			order[left++] = (struct expected){
				ao_rank_expect(&proposals[i], memory), i
			};
	qsort(order, left, sizeof(*order), by_gain);

	for (size_t i = 0; i < left && taken < most; i++) {
		const struct ao_proposal *p = &proposals[order[i].index];
		size_t same = 0;

		for (size_t k = 0; k < taken; k++)
			same += !strcmp(proposals[chosen[k]].move, p->move);
		if (same < per_move)
			chosen[taken++] = order[i].index;
	}
	free(order);
	return taken;
}
