/* SPDX-License-Identifier: MIT */
/*
 * The bursts for any CPU, in registers of 16 bytes, as C with vector
 * extensions.  Here the compiler has a say: with -O0 they are too low.
 */
#include "util/base.h"

#include "eval/burst.h"

typedef float vf __attribute__((vector_size(16), aligned(16)));
typedef int32_t vi __attribute__((vector_size(16), aligned(16)));

#if defined(__x86_64__)
#define IN_REGISTER "+x"
#elif defined(__aarch64__)
#define IN_REGISTER "+w"
#else
#define IN_REGISTER "+m"
#endif

/* The compiler believes that the value changed, so it computes it anew. */
#define USE(v) __asm__ volatile("" : IN_REGISTER(v))

/* gcc contracts a * b + c to an FMA when asked, whatever -std says. */
#if defined(__GNUC__) && !defined(__clang__)
#define CONTRACT __attribute__((optimize("fp-contract=fast")))
#else
#define CONTRACT
#endif

static vf all(float x)
{
	return (vf){ x, x, x, x };
}

/* Lanes of vf. */
enum { LANES = 4, CHAINS = 8 };

#define EIGHT(ONE) ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7)

/*
 * A loop over eight independent values r0 to r7, each made by `step` out of
 * itself (r), a and b; b seems to be another each time, or one result would do
 * for all eight.
 */
#define DECLARE(n) vf r##n = all(start[n]);
#define PORTABLE(name, STEP)                                           \
	CONTRACT static void name(uint64_t rounds, const float *start, \
				  float *result)                       \
	{                                                              \
		vf a = all(start[12]), b = all(start[13]);             \
                                                                       \
		EIGHT(DECLARE)                                         \
		while (rounds--) {                                     \
			EIGHT(STEP)                                    \
		}                                                      \
		memcpy(result, &r0, sizeof(r0));                       \
	}

#define FMA(n)         \
	USE(b);        \
	r##n += a * b; \
	USE(r##n);
#define ADD(n)        \
	USE(b);       \
	r##n = a + b; \
	USE(r##n);
#define MUL(n)        \
	USE(b);       \
	r##n = a * b; \
	USE(r##n);
#define MUL_ADD(n)              \
	{                       \
		vf sum = a + b; \
		USE(sum);       \
		MUL(n)          \
	}
#define DIV(n)        \
	USE(b);       \
	r##n = b / a; \
	USE(r##n);

PORTABLE(fma_burst, FMA)
PORTABLE(add_burst, ADD)
PORTABLE(mul_burst, MUL)
PORTABLE(mul_add_burst, MUL_ADD)
PORTABLE(div_burst, DIV)

static void sqrt_burst(uint64_t rounds, const float *start, float *result)
{
	float x = start[12];
	float root = 0;

	while (rounds--) {
		for (int i = 0; i < CHAINS; i++) {
			USE(x);
			root = __builtin_sqrtf(x);
			USE(root);
		}
	}
	for (int i = 0; i < LANES; i++)
		result[i] = root;
}

/* As burst.h has it. */
CONTRACT static vf exp_of(vf x)
{
	vf scaled = x * all(AO_BURST_LOG2E);
	vf rounded = scaled + all(AO_BURST_ROUND);
	vf f = scaled - (rounded - all(AO_BURST_ROUND));
	vf p = all(AO_BURST_EXP4);

	p = p * f + all(AO_BURST_EXP3);
	p = p * f + all(AO_BURST_EXP2);
	p = p * f + all(AO_BURST_EXP1);
	p = p * f + all(AO_BURST_EXP0);
	return (vf)((vi)p + ((vi)rounded << 23));
}

static void exp_burst(uint64_t rounds, const float *start, float *result)
{
	vf x = all(start[8]);
	vf e = all(0);

	while (rounds--) {
		for (int i = 0; i < CHAINS; i++) {
			USE(x);
			e = exp_of(x);
			USE(e);
		}
	}
	memcpy(result, &e, sizeof(e));
}

static const float portable_start[AO_BURST_REGISTERS] = {
	1, 1, 1, 1, 1, 1, 1, 1, -1.75F, 1, 1, 1, 1.5F, 1.25F, 1, 0.5F,
};
static const float fma_start[AO_BURST_REGISTERS] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1e-6F, 0.5F, 0, 0,
};

static const struct ao_burst portable_bursts[] = {
	{ "fma", AO_WORK_BIT(AO_WORK_FMA), CHAINS *LANES, fma_burst,
	  fma_start },
	{ "add", AO_WORK_BIT(AO_WORK_ADD), CHAINS *LANES, add_burst,
	  portable_start },
	{ "mul", AO_WORK_BIT(AO_WORK_MUL), CHAINS *LANES, mul_burst,
	  portable_start },
	{ "mul and add", AO_WORK_BIT(AO_WORK_MUL) | AO_WORK_BIT(AO_WORK_ADD),
	  2 * CHAINS *LANES, mul_add_burst, portable_start },
	{ "div", AO_WORK_BIT(AO_WORK_DIV), CHAINS *LANES, div_burst,
	  portable_start },
	{ "sqrt", AO_WORK_BIT(AO_WORK_SQRT), CHAINS, sqrt_burst,
	  portable_start },
	{ "exp", AO_WORK_BIT(AO_WORK_EXP), CHAINS *LANES, exp_burst,
	  portable_start },
};

static void triad(float *to, const float *from, const float *from2,
		  size_t bytes)
{
	vf *t = (vf *)to;
	const vf *f = (const vf *)from, *f2 = (const vf *)from2;
	vf half = all(0.5F);

	for (size_t i = 0; i < bytes / sizeof(vf); i += 4) {
		t[i] = f[i] + half * f2[i];
		t[i + 1] = f[i + 1] + half * f2[i + 1];
		t[i + 2] = f[i + 2] + half * f2[i + 2];
		t[i + 3] = f[i + 3] + half * f2[i + 3];
	}
	/* Or the compiler could leave out a pass that the next overwrites. */
	__asm__ volatile("" ::: "memory");
}

static const struct ao_stream portable_streams[] = { { "triad", 3, triad } };

const struct ao_burst *ao_bursts(size_t *count_out, uint32_t vector_bytes)
{
	const struct ao_burst *bursts = ao_bursts_x86(count_out, vector_bytes);

	if (bursts)
		return bursts;
	*count_out = AO_ARRAY_SIZE(portable_bursts);
	return portable_bursts;
}

const struct ao_stream *ao_streams(size_t *count_out, uint32_t vector_bytes)
{
	const struct ao_stream *streams = ao_streams_x86(count_out,
							 vector_bytes);

	if (streams)
		return streams;
	*count_out = AO_ARRAY_SIZE(portable_streams);
	return portable_streams;
}
