/* SPDX-License-Identifier: MIT */
/*
 * Grouped-query attention without a mask: for each head the scores of all
 * pairs; the products by the library.
 */
#include <math.h>

enum { ROW_MAJOR = 101, AS_IS = 111, TURNED = 112 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

static float score[N][N];

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

void kernel(const float q[restrict B][N][QH][D],
	    const float k[restrict B][N][KH][D],
	    const float v[restrict B][N][KH][D], float y[restrict B][QH][N][D])
{
	for (int b = 0; b < B; b++) {
		for (int h = 0; h < QH; h++) {
			int of = h / (QH / KH);

			cblas_sgemm(ROW_MAJOR, AS_IS, TURNED, N, N, D,
				    1.0f / sqrtf(D), q[b][0][h], QH * D,
				    k[b][0][of], KH * D, 0.0f, score[0], N);
			for (int i = 0; i < N; i++)
				softmax(score[i]);
			cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, N, D, N, 1.0f,
				    score[0], N, v[b][0][of], KH * D, 0.0f,
				    y[b][h][0], D);
		}
	}
}
