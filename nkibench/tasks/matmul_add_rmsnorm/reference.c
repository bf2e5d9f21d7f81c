/* SPDX-License-Identifier: MIT */
#include <math.h>

void reference(const float x[M][K], const float w[K][N], const float z[M][N],
	       const float g[N], double y[M][N])
{
	for (int i = 0; i < M; i++) {
		double sum = 0;

		for (int j = 0; j < N; j++)
			y[i][j] = z[i][j];
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				y[i][j] += (double)x[i][k] * w[k][j];
		for (int j = 0; j < N; j++)
			sum += y[i][j] * y[i][j];
		for (int j = 0; j < N; j++)
			y[i][j] = y[i][j] * g[j] / sqrt(sum / N + EPS);
	}
}
