/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "evolve/select.h"

/* An index with what it is ordered by: greater first, then lower index. */
struct keyed {
	double key;
	size_t index;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key > y->key)
		return -1;
	if (x->key < y->key)
		return 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

size_t ao_select_rank(size_t *ranked, const struct ao_scored *scored, size_t n)
{
	struct keyed *order = ao_xcalloc(n, sizeof(*order));
	size_t passed = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(scored[i].score))
			order[passed++] = (struct keyed){ scored[i].score, i };
	qsort(order, passed, sizeof(*order), by_key);

	for (size_t i = 0; i < passed; i++) {
		const struct ao_scored *s = &scored[order[i].index];
		bool is_new = true;

		for (size_t k = 0; k < kept && is_new; k++) {
			const struct ao_scored *t = &scored[ranked[k]];

			if (!strcmp(s->kernel, t->kernel) ||
			    (!strcmp(s->parent, t->parent) &&
			     !strcmp(s->plan, t->plan)))
				is_new = false;
		}
		if (is_new)
			ranked[kept++] = order[i].index;
	}
	free(order);
	return kept;
}

static bool same_group(const struct ao_timed *a, const struct ao_timed *b)
{
	return !strcmp(a->parent, b->parent) && !strcmp(a->plan, b->plan);
}

/* The best, or with `worst` the slowest, of i's group; the first of equals. */
static size_t extreme_of_group(const struct ao_timed *timed, size_t n, size_t i,
			       bool worst)
{
	size_t found = n;

	for (size_t j = 0; j < n; j++) {
		if (isnan(timed[j].log_gain) ||
		    !same_group(&timed[i], &timed[j]))
			continue;
		if (found == n ||
		    (worst ? timed[j].log_gain < timed[found].log_gain
			   : timed[j].log_gain > timed[found].log_gain))
			found = j;
	}
	return found;
}

size_t ao_select_lessons(struct ao_lesson *lessons, size_t most,
			 const struct ao_timed *timed, size_t n,
			 double positive, double negative)
{
	struct keyed *wins = ao_xcalloc(n, sizeof(*wins));
	struct keyed *losses = ao_xcalloc(n, sizeof(*losses));
	size_t win_count = 0, loss_count = 0, filled = 0, win = 0;

	for (size_t i = 0; i < n; i++) {
		size_t best, worst;

		if (isnan(timed[i].log_gain))
			continue;
		best = extreme_of_group(timed, n, i, false);
		worst = extreme_of_group(timed, n, i, true);
		if (best == i && timed[i].log_gain > log(positive))
			wins[win_count++] = (struct keyed){ timed[i].log_gain,
							    i };
		if (worst == i && timed[best].log_gain < -log(negative))
			losses[loss_count++] = (struct keyed){
				-timed[i].log_gain, i
			};
	}
	qsort(wins, win_count, sizeof(*wins), by_key);
	qsort(losses, loss_count, sizeof(*losses), by_key);

	for (; win < win_count && filled < most / 2; win++)
		lessons[filled++] = (struct ao_lesson){ wins[win].index, true };
	for (size_t i = 0; i < loss_count && filled < most; i++)
		lessons[filled++] = (struct ao_lesson){ losses[i].index,
							false };
	for (; win < win_count && filled < most; win++)
		lessons[filled++] = (struct ao_lesson){ wins[win].index, true };

	free(wins);
	free(losses);
	return filled;
}
