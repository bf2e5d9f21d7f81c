/* SPDX-License-Identifier: MIT */
/* y = x / (1 + exp(-x)) */
#include <math.h>

/* A vector of floats, as wide as the compiler's machine has them. */
#if defined(__AVX512F__)
#define VEC_BYTES 64
#elif defined(__AVX__)
#define VEC_BYTES 32
#else
#define VEC_BYTES 16
#endif
#define VEC_LANES (VEC_BYTES / 4)
#define VEC_UNROLL _Pragma("GCC unroll 16")
typedef float vec_float
	__attribute__((vector_size(VEC_BYTES), aligned(4), may_alias));

#if defined(__AVX__) && !defined(__clang__)
#include <immintrin.h>
#endif
#include <stdint.h>

/* Store a vector past the caches; `to` is aligned to VEC_BYTES. */
static inline void vec_stream(float *to, const float *from)
{
#if defined(__clang__)
	typedef float aligned_vec __attribute__((vector_size(VEC_BYTES)));

	__builtin_nontemporal_store(*(const aligned_vec *)from,
				    (aligned_vec *)to);
#elif defined(__AVX512F__)
	_mm512_stream_ps(to, _mm512_load_ps(from));
#elif defined(__AVX__)
	_mm256_stream_ps(to, _mm256_load_ps(from));
#else
	*(vec_float *)to = *(const vec_float *)from;
#endif
}

/* What was streamed is visible to others once this returns. */
static inline void vec_stream_end(void)
{
#if defined(__x86_64__)
	__builtin_ia32_sfence();
#else
	__sync_synchronize();
#endif
}

/* Fewer results stay in a cache: they are not streamed. */
enum { STREAM_FLOATS = 1 << 20 };

void kernel(const float x[restrict M][N], float y[restrict M][N])
{
	for (int i = 0; i < M; i++) {
		int streamed = 0;

		/* Whole vectors pass the caches by. */
		if ((uintptr_t)N * M >= STREAM_FLOATS &&
		    (uintptr_t)&y[i][0] % VEC_BYTES == 0)
			for (; streamed + VEC_LANES <= N; streamed += VEC_LANES) {
				float line[VEC_LANES] __attribute__((aligned(VEC_BYTES)));

#pragma omp simd
				for (int lane = 0; lane < VEC_LANES; lane++) {
					const int j = streamed + lane;

					line[lane] = x[i][j] / (1.0f + expf(-x[i][j]));
				}
				vec_stream(&y[i][streamed], line);
			}
		for (int j = streamed; j < N; j++)
			y[i][j] = x[i][j] / (1.0f + expf(-x[i][j]));
	}
	vec_stream_end();
}
