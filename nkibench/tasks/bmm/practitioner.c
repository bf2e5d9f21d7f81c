/* SPDX-License-Identifier: MIT */
/* y = a b, for each of the batch, by the library */

enum { ROW_MAJOR = 101, AS_IS = 111 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

void kernel(const float a[restrict B][M][K], const float b[restrict B][K][N],
	    float y[restrict B][M][N])
{
	for (int n = 0; n < B; n++)
		cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, K, 1.0f, a[n][0], K,
			    b[n][0], N, 0.0f, y[n][0], N);
}
