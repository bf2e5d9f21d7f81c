/* SPDX-License-Identifier: MIT */
/* y = (h / rms(h) * g) w with h = x + z; the product by the library */
#include <math.h>

enum { ROW_MAJOR = 101, AS_IS = 111 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

static float h[M][K];

void kernel(const float x[restrict M][K], const float w[restrict K][N],
	    const float z[restrict M][K], const float g[restrict K],
	    float y[restrict M][N])
{
	for (int i = 0; i < M; i++) {
		float sum = 0.0f;
		float scale;

#pragma omp simd reduction(+ : sum)
		for (int k = 0; k < K; k++) {
			h[i][k] = x[i][k] + z[i][k];
			sum += h[i][k] * h[i][k];
		}
		scale = 1.0f / sqrtf(sum / K + (float)EPS);
		for (int k = 0; k < K; k++)
			h[i][k] *= scale * g[k];
	}
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, K, 1.0f, h[0], K, w[0], N,
		    0.0f, y[0], N);
}
