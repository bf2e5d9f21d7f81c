/* SPDX-License-Identifier: MIT */
/*
 * Bursts for AVX2 with FMA and for AVX-512, from one text: the macros below
 * take the name of the registers, "ymm" or "zmm", of which 0 to 15 are used.
 * Results of one round do not depend on each other nor, but for accumulators,
 * on those of the round before, so that throughput is what is measured.
 */
#include "util/base.h"

#include "eval/burst.h"

#ifdef __x86_64__

/* clang-format 14 never comes to an end with lists of macros. */
/* clang-format off */

/* op a, b, d in the order of AT&T: d = b op a. */
#define OP3(op, R, a, b, d) op " %%" R #a ", %%" R #b ", %%" R #d "\n"
#define OP2(op, R, a, d)    op " %%" R #a ", %%" R #d "\n"

#define TWELVE(ONE, R)                                                 \
	ONE(R, 0) ONE(R, 1) ONE(R, 2) ONE(R, 3) ONE(R, 4) ONE(R, 5)    \
	ONE(R, 6) ONE(R, 7) ONE(R, 8) ONE(R, 9) ONE(R, 10) ONE(R, 11)

/* Twelve accumulators: two pipes times a latency of up to six. */
#define FMA(R, n)  OP3("vfmadd231ps", R, 12, 13, n)
#define FMAS(R)    TWELVE(FMA, R)
#define ADD(R, n)  OP3("vaddps", R, 12, 13, n)
#define ADDS(R)    TWELVE(ADD, R)
#define MUL(R, n)  OP3("vmulps", R, 12, 13, n)
#define MULS(R)    TWELVE(MUL, R)
#define DIV(R, n)  OP3("vdivps", R, 12, 13, n)
#define DIVS(R)    TWELVE(DIV, R)
#define SQRT(R, n) OP2("vsqrtps", R, 12, n)
#define SQRTS(R)   TWELVE(SQRT, R)

/* Some CPUs add and multiply in different pipes. */
#define MUL_ADD(R, n, m) MUL(R, n) ADD(R, m)
#define MUL_ADDS(R)                                         \
	MUL_ADD(R, 0, 1) MUL_ADD(R, 2, 3) MUL_ADD(R, 4, 5)  \
	MUL_ADD(R, 6, 7) MUL_ADD(R, 8, 9) MUL_ADD(R, 10, 11)

/* r += r12 * r14, which is 1: there, an addition may be done as an FMA. */
#define AND_FMA(ONE, R, n, r) ONE(R, n) OP3("vfmadd231ps", R, 14, 12, r)
#define AND_FMAS(ONE, R)                              \
	AND_FMA(ONE, R, 0, 4) AND_FMA(ONE, R, 1, 5)   \
	AND_FMA(ONE, R, 2, 6) AND_FMA(ONE, R, 3, 7)   \
	AND_FMA(ONE, R, 0, 8) AND_FMA(ONE, R, 1, 9)   \
	AND_FMA(ONE, R, 2, 10) AND_FMA(ONE, R, 3, 11)

/* q = r13 / r12 by an approximation and one step of Newton; r14 is 1. */
#define NEWTON_DIV(RCP, R, q, t, e)      \
	OP2(RCP, R, 12, t)               \
	OP3("vmulps", R, t, 13, q)       \
	OP2("vmovaps", R, 14, e)         \
	OP3("vfnmadd231ps", R, 12, t, e) \
	OP3("vfmadd231ps", R, e, q, q)
#define NEWTON_DIVS(RCP, R)                                      \
	NEWTON_DIV(RCP, R, 0, 1, 2) NEWTON_DIV(RCP, R, 3, 4, 5)  \
	NEWTON_DIV(RCP, R, 6, 7, 8) NEWTON_DIV(RCP, R, 9, 10, 11)

/* s = sqrt(r12) the same way; r15 is 1/2. */
#define NEWTON_SQRT(RSQRT, R, s, y, e)  \
	OP2(RSQRT, R, 12, y)            \
	OP3("vmulps", R, y, 12, s)      \
	OP2("vmovaps", R, 12, e)        \
	OP3("vfnmadd231ps", R, s, s, e) \
	OP3("vmulps", R, 15, y, y)      \
	OP3("vfmadd231ps", R, e, y, s)
#define NEWTON_SQRTS(RSQRT, R)                                         \
	NEWTON_SQRT(RSQRT, R, 0, 1, 2) NEWTON_SQRT(RSQRT, R, 3, 4, 5)  \
	NEWTON_SQRT(RSQRT, R, 6, 7, 8) NEWTON_SQRT(RSQRT, R, 9, 10, 11)

/* p = exp(r8); see burst.h for the constants in r9 to r15. */
#define EXP(R, p, t, f)                        \
	OP2("vmovaps", R, 10, t)               \
	OP3("vfmadd231ps", R, 8, 9, t)         \
	OP3("vsubps", R, 10, t, f)             \
	OP3("vfmsub231ps", R, 8, 9, f)         \
	OP2("vmovaps", R, 11, p)               \
	OP3("vfmadd213ps", R, 12, f, p)        \
	OP3("vfmadd213ps", R, 13, f, p)        \
	OP3("vfmadd213ps", R, 14, f, p)        \
	OP3("vfmadd213ps", R, 15, f, p)        \
	"vpslld $23, %%" R #t ", %%" R #t "\n" \
	OP3("vpaddd", R, t, p, p)
#define EXPS(R) EXP(R, 0, 1, 2) EXP(R, 3, 4, 5)

#define LOAD(R, n, at) "vbroadcastss " #at "(%[start]), %%" R #n "\n"
#define LOADS(R)                                                    \
	LOAD(R, 0, 0) LOAD(R, 1, 4) LOAD(R, 2, 8) LOAD(R, 3, 12)    \
	LOAD(R, 4, 16) LOAD(R, 5, 20) LOAD(R, 6, 24) LOAD(R, 7, 28) \
	LOAD(R, 8, 32) LOAD(R, 9, 36) LOAD(R, 10, 40)               \
	LOAD(R, 11, 44) LOAD(R, 12, 48) LOAD(R, 13, 52)             \
	LOAD(R, 14, 56) LOAD(R, 15, 60)

#define CLOBBERS                                                          \
	"cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",   \
	"xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",        \
	"xmm13", "xmm14", "xmm15"

#define BURST(name, isa, R, body)                                      \
	__attribute__((target(isa))) static void name(                 \
		uint64_t rounds, const float *start, float *result)    \
	{                                                              \
		__asm__ volatile(LOADS(R) ".p2align 5\n"               \
				 "1:\n" body "dec %[rounds]\n"         \
				 "jnz 1b\n"                            \
				 "vmovups %%" R "0, (%[result])\n"     \
				 "vzeroupper\n"                        \
				 : [rounds] "+r"(rounds)               \
				 : [start] "r"(start),                 \
				   [result] "r"(result)                \
				 : CLOBBERS);                          \
	}

#define BURSTS(suffix, isa, R, RCP, RSQRT)                          \
	BURST(fma_##suffix, isa, R, FMAS(R))                        \
	BURST(add_##suffix, isa, R, ADDS(R))                        \
	BURST(add_fma_##suffix, isa, R, AND_FMAS(ADD, R))           \
	BURST(mul_##suffix, isa, R, MULS(R))                        \
	BURST(mul_fma_##suffix, isa, R, AND_FMAS(MUL, R))           \
	BURST(mul_add_##suffix, isa, R, MUL_ADDS(R))                \
	BURST(div_##suffix, isa, R, DIVS(R))                        \
	BURST(newton_div_##suffix, isa, R, NEWTON_DIVS(RCP, R))     \
	BURST(sqrt_##suffix, isa, R, SQRTS(R))                      \
	BURST(newton_sqrt_##suffix, isa, R, NEWTON_SQRTS(RSQRT, R)) \
	BURST(exp_##suffix, isa, R, EXPS(R))

/* NOLINTBEGIN(readability-non-const-parameter): the assembly writes there */
BURSTS(avx2, "avx2,fma", "ymm", "vrcpps", "vrsqrtps")
BURSTS(avx512, "avx512f", "zmm", "vrcp14ps", "vrsqrt14ps")
/* NOLINTEND(readability-non-const-parameter) */

/* clang-format on */

/* Accumulators from 1, and 1.25 / 1.5 or the like: no denormals, no NaN. */
static const float plain_start[AO_BURST_REGISTERS] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5F, 1.25F, 1, 0.5F,
};

/* What is added is so small that no number of rounds overflows. */
static const float fma_start[AO_BURST_REGISTERS] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1e-6F, 0.5F, 0, 0,
};

static const float exp_start[AO_BURST_REGISTERS] = {
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	-1.75F, /* x */
	AO_BURST_LOG2E,
	AO_BURST_ROUND,
	AO_BURST_EXP4,
	AO_BURST_EXP3,
	AO_BURST_EXP2,
	AO_BURST_EXP1,
	AO_BURST_EXP0,
};

/* clang-format off */
#define ROW(name, works, count, burst, start) \
	{ name, works, count, burst, start }
#define FMA_BIT  AO_WORK_BIT(AO_WORK_FMA)
#define ADD_BIT  AO_WORK_BIT(AO_WORK_ADD)
#define MUL_BIT  AO_WORK_BIT(AO_WORK_MUL)
#define DIV_BIT  AO_WORK_BIT(AO_WORK_DIV)
#define SQRT_BIT AO_WORK_BIT(AO_WORK_SQRT)
#define EXP_BIT  AO_WORK_BIT(AO_WORK_EXP)
#define TABLE(x, lanes) {                                                    \
	ROW("fma", FMA_BIT, 12 * (lanes), fma_##x, fma_start),               \
	ROW("add", ADD_BIT, 12 * (lanes), add_##x, plain_start),             \
	ROW("add, also by FMA", ADD_BIT, 16 * (lanes), add_fma_##x,          \
	    plain_start),                                                    \
	ROW("mul", MUL_BIT, 12 * (lanes), mul_##x, plain_start),             \
	ROW("mul and fma", MUL_BIT | FMA_BIT, 16 * (lanes), mul_fma_##x,     \
	    plain_start),                                                    \
	ROW("mul and add", MUL_BIT | ADD_BIT, 12 * (lanes), mul_add_##x,     \
	    plain_start),                                                    \
	ROW("div", DIV_BIT, 12 * (lanes), div_##x, plain_start),             \
	ROW("div by Newton", DIV_BIT, 4 * (lanes), newton_div_##x,           \
	    plain_start),                                                    \
	ROW("sqrt", SQRT_BIT, 12 * (lanes), sqrt_##x, plain_start),          \
	ROW("sqrt by Newton", SQRT_BIT, 4 * (lanes), newton_sqrt_##x,        \
	    plain_start),                                                    \
	ROW("exp", EXP_BIT, 2 * (lanes), exp_##x, exp_start),                \
}
/* clang-format on */

static const struct ao_burst bursts_avx2[] = TABLE(avx2, 8);
static const struct ao_burst bursts_avx512[] = TABLE(avx512, 16);

const struct ao_burst *ao_bursts_x86(size_t *count_out, uint32_t vector_bytes)
{
	*count_out = AO_ARRAY_SIZE(bursts_avx2);
	if (vector_bytes == 64)
		return bursts_avx512;
	return vector_bytes == 32 ? bursts_avx2 : NULL;
}

/* clang-format off */

/* One register's worth of to = from + r15 * from2, at an offset. */
#define TRIAD(STORE, R, n, offset)                                         \
	"vmovaps " #offset "(%[from],%[at]), %%" R #n "\n"                 \
	"vfmadd231ps " #offset "(%[from2],%[at]), %%" R "15, %%" R #n "\n" \
	STORE " %%" R #n ", " #offset "(%[to],%[at])\n"
#define READ(R, n, offset) \
	"vaddps " #offset "(%[from],%[at]), %%" R #n ", %%" R #n "\n"

#define STREAM(name, isa, body)                                           \
	__attribute__((target(isa))) static void name(                    \
		float *to, const float *from, const float *from2,         \
		size_t bytes)                                             \
	{                                                                 \
		size_t at = 0;                                            \
		__asm__ volatile(".p2align 5\n"                           \
				 "1:\n" body "add $256, %[at]\n"          \
				 "cmp %[bytes], %[at]\n"                  \
				 "jb 1b\n"                                \
				 "sfence\n"                               \
				 "vzeroupper\n"                           \
				 : [at] "+r"(at)                          \
				 : [to] "r"(to), [from] "r"(from),        \
				   [from2] "r"(from2), [bytes] "r"(bytes) \
				 : CLOBBERS);                             \
	}

#define TRIADS_YMM(STORE)                                       \
	TRIAD(STORE, "ymm", 0, 0) TRIAD(STORE, "ymm", 1, 32)    \
	TRIAD(STORE, "ymm", 2, 64) TRIAD(STORE, "ymm", 3, 96)   \
	TRIAD(STORE, "ymm", 4, 128) TRIAD(STORE, "ymm", 5, 160) \
	TRIAD(STORE, "ymm", 6, 192) TRIAD(STORE, "ymm", 7, 224)
#define TRIADS_ZMM(STORE)                                      \
	TRIAD(STORE, "zmm", 0, 0) TRIAD(STORE, "zmm", 1, 64)   \
	TRIAD(STORE, "zmm", 2, 128) TRIAD(STORE, "zmm", 3, 192)
#define READS_YMM                                                 \
	READ("ymm", 0, 0) READ("ymm", 1, 32) READ("ymm", 2, 64)   \
	READ("ymm", 3, 96) READ("ymm", 4, 128) READ("ymm", 5, 160) \
	READ("ymm", 6, 192) READ("ymm", 7, 224)
#define READS_ZMM                                                \
	READ("zmm", 0, 0) READ("zmm", 1, 64) READ("zmm", 2, 128) \
	READ("zmm", 3, 192)

/* NOLINTBEGIN(readability-non-const-parameter): the same */
STREAM(triad_avx2, "avx2,fma", TRIADS_YMM("vmovaps"))
STREAM(stream_avx2, "avx2,fma", TRIADS_YMM("vmovntps"))
STREAM(read_avx2, "avx2,fma", READS_YMM)
STREAM(triad_avx512, "avx512f", TRIADS_ZMM("vmovaps"))
STREAM(stream_avx512, "avx512f", TRIADS_ZMM("vmovntps"))
STREAM(read_avx512, "avx512f", READS_ZMM)
/* NOLINTEND(readability-non-const-parameter) */

/* clang-format on */

static const struct ao_stream streams_avx2[] = {
	{ "triad", 3, triad_avx2 },
	{ "triad past the cache", 3, stream_avx2 },
	{ "read", 1, read_avx2 },
};
static const struct ao_stream streams_avx512[] = {
	{ "triad", 3, triad_avx512 },
	{ "triad past the cache", 3, stream_avx512 },
	{ "read", 1, read_avx512 },
};

const struct ao_stream *ao_streams_x86(size_t *count_out, uint32_t vector_bytes)
{
	*count_out = AO_ARRAY_SIZE(streams_avx2);
	if (vector_bytes == 64)
		return streams_avx512;
	return vector_bytes == 32 ? streams_avx2 : NULL;
}

#else

const struct ao_burst *ao_bursts_x86(size_t *count_out, uint32_t vector_bytes)
{
	(void)vector_bytes;
	*count_out = 0;
	return NULL;
}

const struct ao_stream *ao_streams_x86(size_t *count_out, uint32_t vector_bytes)
{
	(void)vector_bytes;
	*count_out = 0;
	return NULL;
}

#endif
