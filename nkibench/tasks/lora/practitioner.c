/* SPDX-License-Identifier: MIT */
/* y = x w + (x a) b, by the library */

enum { ROW_MAJOR = 101, AS_IS = 111 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

static float low[M][R];

void kernel(const float x[restrict M][K], const float w[restrict K][N],
	    const float a[restrict K][R], const float b[restrict R][N],
	    float y[restrict M][N])
{
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, R, K, 1.0f, x[0], K, a[0], R,
		    0.0f, low[0], R);
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, K, 1.0f, x[0], K, w[0], N,
		    0.0f, y[0], N);
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, R, 1.0f, low[0], R, b[0], N,
		    1.0f, y[0], N);
}
