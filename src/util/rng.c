/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <math.h>

#include "util/rng.h"

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

void ao_rng_seed(struct ao_rng *rng, uint64_t seed)
{
	*rng = (struct ao_rng){ 0 };
	for (size_t i = 0; i < AO_ARRAY_SIZE(rng->s); i++)
		rng->s[i] = splitmix(&seed);
}

void ao_rng_seed_stream(struct ao_rng *rng, uint64_t seed, uint64_t stream)
{
	/*
	 * Mixed one after the other: seed + stream would make stream 1 of seed
	 * 0 the same as stream 0 of seed 1.
	 */
	uint64_t mixed = splitmix(&seed) ^ stream;

	ao_rng_seed(rng, splitmix(&mixed));
}

uint64_t ao_rng_next(struct ao_rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t ao_rng_below(struct ao_rng *rng, uint64_t n)
{
	uint64_t least, number;

	assert(n > 0);
	/* What is left is a multiple of n: 2^64 mod n numbers are passed. */
	least = (0 - n) % n;
	do
		number = ao_rng_next(rng);
	while (number < least);
	return number % n;
}

double ao_rng_uniform(struct ao_rng *rng)
{
	return (double)(ao_rng_next(rng) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method: sqrt and log only, two numbers a time. */
double ao_rng_normal(struct ao_rng *rng)
{
	double u, v, square, scale;

	if (rng->has_spare) {
		rng->has_spare = false;
		return rng->spare;
	}
	do {
		u = 2 * ao_rng_uniform(rng) - 1;
		v = 2 * ao_rng_uniform(rng) - 1;
		square = u * u + v * v;
	} while (square >= 1 || square <= 0);
	scale = sqrt(-2 * log(square) / square);
	rng->spare = v * scale;
	rng->has_spare = true;
	return u * scale;
}

void ao_rng_shuffle(struct ao_rng *rng, size_t *items, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = ao_rng_below(rng, i);
		size_t item = items[i - 1];

		items[i - 1] = items[j];
		items[j] = item;
	}
}
