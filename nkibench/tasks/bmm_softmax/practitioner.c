/* SPDX-License-Identifier: MIT */
/* y = softmax(a b) over the last axis; the products by the library */
#include <math.h>

enum { ROW_MAJOR = 101, AS_IS = 111 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

static void softmax(float row[restrict N])
{
	float max = row[0];
	float sum = 0.0f;

	for (int j = 1; j < N; j++)
		max = row[j] > max ? row[j] : max;
	for (int j = 0; j < N; j++) {
		row[j] = expf(row[j] - max);
		sum += row[j];
	}
	for (int j = 0; j < N; j++)
		row[j] *= 1.0f / sum;
}

void kernel(const float a[restrict B][M][K], const float b[restrict B][K][N],
	    float y[restrict B][M][N])
{
	for (int n = 0; n < B; n++) {
		cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, K, 1.0f, a[n][0], K,
			    b[n][0], N, 0.0f, y[n][0], N);
		for (int i = 0; i < M; i++)
			softmax(y[n][i]);
	}
}
