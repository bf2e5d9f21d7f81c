/* SPDX-License-Identifier: MIT */
/* y = (silu(x w_gate) * (x w_up)) w_down; the products by the library */
#include <math.h>

enum { ROW_MAJOR = 101, AS_IS = 111 };

/* <cblas.h> calls its parameters M, N and K, which are axes here. */
void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k,
		 float alpha, const float *a, int lda, const float *b, int ldb,
		 float beta, float *c, int ldc);

static float up[M][N];
static float gate[M][N];

void kernel(const float x[restrict M][K], const float w_up[restrict K][N],
	    const float w_gate[restrict K][N],
	    const float w_down[restrict N][K], float y[restrict M][K])
{
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, K, 1.0f, x[0], K, w_up[0], N,
		    0.0f, up[0], N);
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, N, K, 1.0f, x[0], K, w_gate[0],
		    N, 0.0f, gate[0], N);
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++)
			gate[i][j] = gate[i][j] / (1.0f + expf(-gate[i][j])) *
				     up[i][j];
	cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, M, K, N, 1.0f, gate[0], N,
		    w_down[0], K, 0.0f, y[0], K);
}
