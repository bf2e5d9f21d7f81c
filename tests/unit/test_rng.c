/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "util/rng.h"

static void the_generator_gives_the_published_numbers(void)
{
	static const uint64_t published[] = { 11520, 0, 1509978240,
					      1215971899390074240 };
	struct ao_rng rng = { .s = { 1, 2, 3, 4 } };

	for (size_t i = 0; i < AO_ARRAY_SIZE(published); i++)
		EXPECT(ao_rng_next(&rng) == published[i]);
}

static void seeding_gives_the_published_state(void)
{
	struct ao_rng rng;

	ao_rng_seed(&rng, 0);
	EXPECT(rng.s[0] == 0xe220a8397b1dcdaf);
	EXPECT(rng.s[1] == 0x6e789e6aa1b965f4);
	EXPECT(rng.s[2] == 0x06c45d188009454f);
	EXPECT(rng.s[3] == 0xf88bb8a8724c81ec);
}

static void a_seed_reproduces_and_streams_differ(void)
{
	struct ao_rng a, b;

	ao_rng_seed_stream(&a, 7, 1);
	ao_rng_seed_stream(&b, 7, 1);
	EXPECT(ao_rng_next(&a) == ao_rng_next(&b));
	ao_rng_seed_stream(&b, 7, 2);
	EXPECT(ao_rng_next(&a) != ao_rng_next(&b));
	ao_rng_seed_stream(&a, 1, 0);
	ao_rng_seed_stream(&b, 0, 1);
	EXPECT(ao_rng_next(&a) != ao_rng_next(&b));
}

static void numbers_below_n_are_all_met_and_none_above(void)
{
	unsigned met[5] = { 0 };
	struct ao_rng rng;

	ao_rng_seed(&rng, 1);
	for (int i = 0; i < 5000; i++) {
		uint64_t number = ao_rng_below(&rng, 5);

		EXPECT(number < 5);
		met[number % 5]++;
	}
	for (int i = 0; i < 5; i++)
		EXPECT(met[i] > 850 && met[i] < 1150);
	EXPECT(ao_rng_below(&rng, 1) == 0);
	EXPECT(ao_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
}

static void uniform_numbers_are_in_range_with_mean_one_half(void)
{
	struct ao_rng rng;
	double sum = 0;

	ao_rng_seed(&rng, 2);
	for (int i = 0; i < 10000; i++) {
		double number = ao_rng_uniform(&rng);

		EXPECT(number >= 0 && number < 1);
		sum += number;
	}
	EXPECT(fabs(sum / 10000 - 0.5) < 0.01);
}

static void normal_numbers_have_mean_0_and_deviation_1(void)
{
	struct ao_rng rng;
	double sum = 0;
	double squares = 0;

	ao_rng_seed(&rng, 3);
	for (int i = 0; i < 20000; i++) {
		double number = ao_rng_normal(&rng);

		sum += number;
		squares += number * number;
	}
	EXPECT(fabs(sum / 20000) < 0.03);
	EXPECT(fabs(squares / 20000 - 1) < 0.05);
}

static void shuffling_keeps_every_item(void)
{
	size_t items[100];
	bool met[100] = { false };
	size_t moved = 0;
	struct ao_rng rng;

	for (size_t i = 0; i < 100; i++)
		items[i] = i;
	ao_rng_seed(&rng, 4);
	ao_rng_shuffle(&rng, items, 100);
	for (size_t i = 0; i < 100; i++) {
		EXPECT(items[i] < 100 && !met[items[i]]);
		met[items[i]] = true;
		moved += items[i] != i;
	}
	EXPECT(moved > 80);
	ao_rng_shuffle(&rng, items, 0);
	ao_rng_shuffle(&rng, items, 1);
}

int main(void)
{
	RUN(the_generator_gives_the_published_numbers);
	RUN(seeding_gives_the_published_state);
	RUN(a_seed_reproduces_and_streams_differ);
	RUN(numbers_below_n_are_all_met_and_none_above);
	RUN(uniform_numbers_are_in_range_with_mean_one_half);
	RUN(normal_numbers_have_mean_0_and_deviation_1);
	RUN(shuffling_keeps_every_item);
	return tap_done();
}
