/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "eval/burst.h"
#include "eval/ceilings.h"
#include "eval/cpu.h"
#include "eval_task.h"

static struct ao_cpu cpu;

/* The registers that this CPU has, widest first; 0 at the end. */
static const uint32_t widths[] = { 64, 32, 16, 0 };

static float first_lane(const struct ao_burst *burst, uint64_t rounds)
{
	float result[AO_BURST_LANES] = { 0 };

	burst->run(rounds, burst->start, result);
	return result[0];
}

static enum ao_work last_of(unsigned works)
{
	enum ao_work last = AO_WORK_FMA;

	for (enum ao_work w = 0; w < AO_WORK_COUNT; w++)
		if (works & AO_WORK_BIT(w))
			last = w;
	return last;
}

/* What the result of a burst must be, by its work and what it starts from. */
static double right_result(const struct ao_burst *burst)
{
	const float *start = burst->start;
	double a = (double)start[12], b = (double)start[13];

	switch (last_of(burst->works)) {
	case AO_WORK_FMA:
		return (double)start[0] + 3 * a * b;
	case AO_WORK_ADD:
		return a + b;
	case AO_WORK_MUL:
		return a * b;
	case AO_WORK_DIV:
		return b / a;
	case AO_WORK_SQRT:
		return sqrt(a);
	case AO_WORK_EXP:
		return exp((double)start[8]);
	case AO_WORK_COUNT:
		break;
	}
	return NAN;
}

/* A ceiling is only one if the work is really done. */
static void bursts_compute_what_they_claim(void)
{
	for (const uint32_t *width = widths; *width; width++) {
		size_t count;
		const struct ao_burst *bursts = ao_bursts(&count, *width);

		if (*width > cpu.vector_bytes)
			continue;
		for (size_t i = 0; i < count; i++) {
			double result = (double)first_lane(&bursts[i], 3);
			double right = right_result(&bursts[i]);

			if (!(fabs(result / right - 1) < 4e-6))
				printf("# %s: %.9g, not %.9g\n", bursts[i].name,
				       result, right);
			EXPECT(fabs(result / right - 1) < 4e-6);
		}
	}
}

static void every_class_of_work_has_a_burst(void)
{
	for (const uint32_t *width = widths; *width; width++) {
		size_t count;
		const struct ao_burst *bursts = ao_bursts(&count, *width);

		for (size_t w = 0; w < AO_WORK_COUNT; w++) {
			size_t i = 0;

			while (i < count && bursts[i].works != AO_WORK_BIT(w))
				i++;
			EXPECT(i < count);
		}
	}
}

static void every_burst_is_under_some_ceiling(void)
{
	for (const uint32_t *width = widths; *width; width++) {
		size_t count;
		const struct ao_burst *bursts = ao_bursts(&count, *width);

		for (size_t i = 0; i < count; i++) {
			size_t c = 0;

			while (c < AO_CEILING_COUNT &&
			       bursts[i].works & ~ao_ceiling_works(c))
				c++;
			EXPECT(bursts[i].works && c < AO_CEILING_COUNT);
		}
	}
}

static void no_number_of_rounds_overflows(void)
{
	for (const uint32_t *width = widths; *width; width++) {
		size_t count;
		const struct ao_burst *bursts = ao_bursts(&count, *width);

		for (size_t i = 0; i < count; i++) {
			if (*width <= cpu.vector_bytes)
				EXPECT(isfinite(
					first_lane(&bursts[i], 100000)));
		}
	}
}

static void streams_move_all_of_their_bytes_and_no_more(void)
{
	enum { FLOATS = 1024, STREAM = 256 };
	static _Alignas(64) float memory[FLOATS];

	for (const uint32_t *width = widths; *width; width++) {
		size_t count;
		const struct ao_stream *streams = ao_streams(&count, *width);

		for (size_t s = 0; s < count; s++) {
			float *to = memory, *from = memory + STREAM;
			float *from2 = memory + 2 * STREAM;
			size_t changed = 0;

			if (*width > cpu.vector_bytes ||
			    streams[s].streams != 3)
				continue;
			for (size_t i = 0; i < FLOATS; i++)
				memory[i] = 1;
			for (size_t i = 0; i < STREAM; i++)
				to[i] = -1;
			streams[s].run(to, from, from2, STREAM * sizeof(float));
			for (size_t i = 0; i < STREAM; i++)
				changed += to[i] != -1.0F;
			for (size_t i = STREAM; i < FLOATS; i++)
				changed += memory[i] != 1.0F;
			EXPECT(changed == STREAM);
		}
	}
}

static void ceilings_are_complete_once_measured(void)
{
	struct ao_ceilings ceilings = { 0 };

	EXPECT(!ao_ceilings_are_complete(&ceilings));
	must(ao_ceilings_measure(&ceilings, cpu.vector_bytes, 60));
	EXPECT(ao_ceilings_are_complete(&ceilings));
	ceilings.work_per_s[AO_WORK_EXP] = 0;
	EXPECT(!ao_ceilings_are_complete(&ceilings));
	ceilings.work_per_s[AO_WORK_EXP] = 1;
	ceilings.work_per_s[AO_CEILING_FMA_ADD_MUL] = 0;
	EXPECT(!ao_ceilings_are_complete(&ceilings));
	ceilings.work_per_s[AO_CEILING_FMA_ADD_MUL] = 1;
	ceilings.bandwidth_count--;
	EXPECT(!ao_ceilings_are_complete(&ceilings));
}

/* Or one class would seem to be faster by itself than with others. */
static void a_ceiling_of_several_classes_is_no_lower_than_theirs(void)
{
	struct ao_ceilings ceilings = { 0 };

	must(ao_ceilings_measure(&ceilings, cpu.vector_bytes, 20));
	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		for (size_t k = 0; k < AO_CEILING_COUNT; k++)
			if (!(ao_ceiling_works(k) & ~ao_ceiling_works(i)))
				EXPECT(ceilings.work_per_s[i] >=
				       ceilings.work_per_s[k]);
}

static void footprints_ascend(void)
{
	struct ao_ceilings ceilings = { 0 };

	must(ao_ceilings_measure(&ceilings, cpu.vector_bytes, 1));
	for (size_t i = 1; i < ceilings.bandwidth_count; i++)
		EXPECT(ceilings.bandwidth[i].footprint_bytes >
		       ceilings.bandwidth[i - 1].footprint_bytes);
}

static void raising_keeps_the_best_of_both(void)
{
	struct ao_ceilings a = { .bandwidth_count = 2 };
	struct ao_ceilings b = { .bandwidth_count = 2 };

	a.work_per_s[AO_WORK_FMA] = 5;
	b.work_per_s[AO_WORK_FMA] = 3;
	b.work_per_s[AO_WORK_EXP] = 7;
	b.work_per_s[AO_CEILING_FMA_MUL] = 8;
	a.bandwidth[0].footprint_bytes = b.bandwidth[0].footprint_bytes = 10;
	a.bandwidth[1].footprint_bytes = 20;
	b.bandwidth[1].footprint_bytes = 30;
	a.bandwidth[0].bytes_per_s = 1;
	b.bandwidth[0].bytes_per_s = 2;
	a.bandwidth[1].bytes_per_s = 3;
	b.bandwidth[1].bytes_per_s = 9;
	ao_ceilings_raise(&a, &b);
	EXPECT(a.work_per_s[AO_WORK_FMA] == 5);
	EXPECT(a.work_per_s[AO_WORK_EXP] == 7);
	EXPECT(a.work_per_s[AO_CEILING_FMA_MUL] == 8);
	EXPECT(a.bandwidth[0].bytes_per_s == 2);
	/* Another footprint says nothing about this one. */
	EXPECT(a.bandwidth[1].bytes_per_s == 3);
}

static void a_cpu_is_described(void)
{
	EXPECT(cpu.model && *cpu.model);
	EXPECT(cpu.cores >= 1);
	EXPECT(cpu.vector_bytes == 16 || cpu.vector_bytes == 32 ||
	       cpu.vector_bytes == 64);
}

int main(void)
{
	ao_cpu_detect(&cpu);
	RUN(bursts_compute_what_they_claim);
	RUN(every_class_of_work_has_a_burst);
	RUN(every_burst_is_under_some_ceiling);
	RUN(no_number_of_rounds_overflows);
	RUN(streams_move_all_of_their_bytes_and_no_more);
	RUN(ceilings_are_complete_once_measured);
	RUN(a_ceiling_of_several_classes_is_no_lower_than_theirs);
	RUN(footprints_ascend);
	RUN(raising_keeps_the_best_of_both);
	RUN(a_cpu_is_described);
	ao_cpu_release(&cpu);
	return tap_done();
}
