/* SPDX-License-Identifier: MIT */
/*
 * burst.h - loops that do nothing but one class of operation, or two that may
 * share pipes, or move memory, as fast as this CPU can.
 *
 * On x86 they are assembly: a ceiling must not depend on how this program
 * itself was compiled.  (A first probe in C kept its accumulators in memory
 * and was three times too low.)
 */
#ifndef AO_EVAL_BURST_H
#define AO_EVAL_BURST_H

#include "model/machine.h"

enum {
	AO_BURST_REGISTERS = 16, /* that a burst starts from */
	AO_BURST_LANES = 16,	 /* floats of the widest register */
};

/*
 * One loop.  Several may be under the same ceiling, as all are that do nothing
 * but work of its classes; it is the fastest.
 */
struct ao_burst {
	const char *name;
	unsigned works;	   /* the set of classes that its operations are of */
	double operations; /* a round */
	/*
	 * start   [AO_BURST_REGISTERS] the value in all lanes of each register
	 * result  [AO_BURST_LANES] out: a result of the last round, that of its
	 *         last class, in as many lanes as registers have
	 */
	void (*run)(uint64_t rounds, const float *start, float *result);
	const float *start;
};

/*
 * Memory traffic: two streams are read and one is written, or one is read.
 * `bytes` of each stream are a multiple of 256, aligned to 64.
 */
struct ao_stream {
	const char *name;
	unsigned streams; /* that it moves */
	void (*run)(float *to, const float *from, const float *from2,
		    size_t bytes);
};

/*
 * The exp of the bursts: 2^n (1 + ...) with n = round(x log2 e) and a
 * polynomial of degree 4 in the rest, right to 3e-6.  It is the least that
 * stays within a tolerance of 2e-5 (degree 3 errs by 7e-5), so no honest
 * kernel has a cheaper one, and the ceiling is not too low.
 */
#define AO_BURST_LOG2E 1.44269504F
#define AO_BURST_ROUND 12582912.0F /* 1.5 * 2^23: adding it rounds */
#define AO_BURST_EXP4  9.570101908e-3F
#define AO_BURST_EXP3  5.591786032e-2F
#define AO_BURST_EXP2  2.402474483e-1F
#define AO_BURST_EXP1  6.931218147e-1F
#define AO_BURST_EXP0  9.999992614e-1F

/*
 * Those for registers of that many bytes.  Borrowed for ever.
 */
const struct ao_burst *ao_bursts(size_t *count_out, uint32_t vector_bytes);
const struct ao_stream *ao_streams(size_t *count_out, uint32_t vector_bytes);

/* What they choose from; NULL where this is another CPU. */
const struct ao_burst *ao_bursts_x86(size_t *count_out, uint32_t vector_bytes);
const struct ao_stream *ao_streams_x86(size_t *count_out,
				       uint32_t vector_bytes);

#endif
