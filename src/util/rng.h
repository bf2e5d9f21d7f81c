/* SPDX-License-Identifier: MIT */
/*
 * rng.h - reproducible random numbers.
 *
 * xoshiro256** seeded through splitmix64 (Blackman and Vigna, public domain).
 * Not for secrets: those come from crypto.h.
 */
#ifndef AO_UTIL_RNG_H
#define AO_UTIL_RNG_H

#include "util/base.h"

struct ao_rng {
	uint64_t s[4];
	double spare; /* the second half of the last normal pair */
	bool has_spare;
};

void ao_rng_seed(struct ao_rng *rng, uint64_t seed);

/*
 * A generator of its own for one purpose: `stream` numbers what it is for, so
 * that adding a use never shifts the numbers of another.
 */
void ao_rng_seed_stream(struct ao_rng *rng, uint64_t seed, uint64_t stream);

uint64_t ao_rng_next(struct ao_rng *rng);

/* Uniform in 0 .. n-1, without bias; n > 0. */
uint64_t ao_rng_below(struct ao_rng *rng, uint64_t n);

/* Uniform in [0, 1). */
double ao_rng_uniform(struct ao_rng *rng);

/* Normal with mean 0 and deviation 1. */
double ao_rng_normal(struct ao_rng *rng);

/* Put the `n` elements of `items` into random order. */
void ao_rng_shuffle(struct ao_rng *rng, size_t *items, size_t n);

#endif
