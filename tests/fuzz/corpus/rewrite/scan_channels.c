/* SPDX-License-Identifier: MIT */
/*
 * A selective state space: each channel has S states, each a recurrence over
 * time, and y is their sum weighted by c.
 */
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

/*
 * expf() without a branch or call, so that loops of it vectorise: within 2
 * units in the last place; infinity above 88.72, zero below -87, NaN for NaN.
 */
static inline float exp_inline(float x)
{
	union {
		float value;
		unsigned bits;
		int order; /* of positive floats; that of negative ones is bits */
	} t = { x }, n, low = { -87.3f }, high = { 89.0f };
	float k, r, p;

	t.order = t.order < high.order ? t.order : high.order;
	t.bits = t.bits < low.bits ? t.bits : low.bits;
	/* x = k ln(2) + r: adding 1.5 * 2^23 (and 126) rounds k to an integer */
	n.value = t.value * 1.44269504f + 12583038.0f;
	k = n.value - 12583038.0f;
	r = t.value - k * 0.693359375f;
	r = r - k * -2.12194440e-4f;
	/* 2 exp(r), times 2^(k - 1) */
	p = 2.762774006e-3f;
	p = p * r + 1.673813723e-2f;
	p = p * r + 8.333684504e-2f;
	p = p * r + 3.333303630e-1f;
	p = p * r + 9.999998808e-1f;
	p = p * r + 2.0f;
	p = p * r + 2.0f;
	n.bits <<= 23;
	t.value = p * n.value;
	/* All bits set are a NaN. */
	t.bits |= -(unsigned)(x != x);
	return t.value;
}

/* Steps whose copies stay in the first cache. */
enum { KEPT_STEPS = 64 };

/* Transposed, [step][state]. */
static float b_of[M][S];
static float c_of[M][S];

void kernel(const float delta[restrict C][M], const float u[restrict C][M],
	    const float a[restrict C][S], const float b[restrict S][M],
	    const float c[restrict S][M], float y[restrict C][M])
{
	const int whole = C - C % VEC_LANES;

	/* Of each step, the states lie side by side. */
	if (whole) {
		for (int s = 0; s < S; s++)
			for (int t = 0; t < M; t++) {
				b_of[t][s] = b[s][t];
				c_of[t][s] = c[s][t];
			}
	}
	/* Lanes of a vector hold a channel each. */
	for (int first = 0; first < whole; first += VEC_LANES) {
		float a_of[S][VEC_LANES];
		float h_of[S][VEC_LANES];

		for (int i = first; i < first + VEC_LANES; i++) {
			for (int t = 0; t < M; t++)
				y[i][t] = 0.0f;
			for (int s = 0; s < S; s++) {
				a_of[s][i - first] = a[i][s];
				h_of[s][i - first] = 0.0f;
			}
		}
		for (int from = 0; from < M; from += KEPT_STEPS) {
			const int end = M - from < KEPT_STEPS ? M : from + KEPT_STEPS;
			float delta_of[KEPT_STEPS][VEC_LANES];
			float u_of[KEPT_STEPS][VEC_LANES];
			float y_of[KEPT_STEPS][VEC_LANES];

			for (int t = from; t < end; t++)
				for (int i = first; i < first + VEC_LANES; i++)
					delta_of[t - from][i - first] = delta[i][t];
			for (int t = from; t < end; t++)
				for (int i = first; i < first + VEC_LANES; i++)
					u_of[t - from][i - first] = u[i][t];
			for (int t = from; t < end; t++) {
				float sum[VEC_LANES] = { 0 };

				VEC_UNROLL
				for (int s = 0; s < S; s++) {
#pragma omp simd
					for (int lane = 0; lane < VEC_LANES; lane++) {
						h_of[s][lane] = exp_inline(delta_of[t - from][lane] * a_of[s][lane]) * h_of[s][lane] + delta_of[t - from][lane] * b_of[t][s] * u_of[t - from][lane];
						sum[lane] += c_of[t][s] * h_of[s][lane];
					}
				}
				for (int lane = 0; lane < VEC_LANES; lane++)
					y_of[t - from][lane] = sum[lane];
			}
			for (int i = first; i < first + VEC_LANES; i++)
				for (int t = from; t < end; t++)
					y[i][t] += y_of[t - from][i - first];
		}
	}
	if (C % VEC_LANES)
		for (int i = whole; i < C; i++) {
			for (int t = 0; t < M; t++)
				y[i][t] = 0.0f;
			for (int s = 0; s < S; s++) {
				float h = 0.0f;

				for (int t = 0; t < M; t++) {
					h = expf(delta[i][t] * a[i][s]) * h +
					    delta[i][t] * b[s][t] * u[i][t];
					y[i][t] += c[s][t] * h;
				}
			}
		}
}
