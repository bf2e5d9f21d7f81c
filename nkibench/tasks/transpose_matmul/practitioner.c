/* SPDX-License-Identifier: MIT */
/* c = a^T b, by the library */

enum { ROW_MAJOR = 101, AS_IS = 111, TURNED = 112 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

void kernel(const float a[restrict K][M], const float b[restrict K][N],
	    float c[restrict M][N])
{
	cblas_sgemm(ROW_MAJOR, TURNED, AS_IS, M, N, K, 1.0f, a[0], M, b[0], N,
		    0.0f, c[0], N);
}
