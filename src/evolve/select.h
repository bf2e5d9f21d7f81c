/* SPDX-License-Identifier: MIT */
/* select.h - which candidates live on, and which pairs teach something. */
#ifndef AO_EVOLVE_SELECT_H
#define AO_EVOLVE_SELECT_H

#include "util/base.h"

/* One evaluated candidate, as selection sees it; strings are borrowed. */
struct ao_scored {
	const char *parent; /* commit it was made from; "" for the baseline */
	const char *plan;   /* plan id; samples of one plan share it */
	const char *kernel; /* kernel id */
	double score;	    /* log gain over the baseline; NAN: not passed */
};

/*
 * Rank the candidates that passed: the best of each (parent, plan) only, each
 * kernel once, best first, ties to the lower index.
 *
 * scored  [n]  in any order
 * ranked  [n]  out: indices into scored
 *
 * Returns how many entries of `ranked` were filled.  The beam is the first B
 * of them; as the baseline and all earlier candidates take part, the beam
 * never loses its best.
 *
 * Source: AccelOpt, arXiv:2511.15915, where one parent's duplicates could fill
 * the beam and the best could fall out of it.
 */
size_t ao_select_rank(size_t *ranked, const struct ao_scored *scored, size_t n);

/* A timed child and its parent. */
struct ao_timed {
	const char *parent;
	const char *plan;
	double log_gain; /* over its parent; NAN: not timed */
};

struct ao_lesson {
	size_t index;	  /* into the timed children */
	bool is_positive; /* the child is the fast one of the pair */
};

/*
 * Choose the pairs worth an insight, at most `most`: of groups (parent, plan)
 * whose best gain is over `positive` (a ratio such as 1.04) the best child, at
 * most most/2 of them, fastest first; then of groups whose best is under
 * 1/`negative` the slowest child, slowest first; what is left goes to further
 * positives.
 *
 * lessons  [most]  out
 *
 * Returns how many were filled.
 *
 * Source: AccelOpt, arXiv:2511.15915.
 */
size_t ao_select_lessons(struct ao_lesson *lessons, size_t most,
			 const struct ao_timed *timed, size_t n,
			 double positive, double negative);

#endif
