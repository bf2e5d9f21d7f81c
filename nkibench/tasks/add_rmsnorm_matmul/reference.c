/* SPDX-License-Identifier: MIT */
#include <math.h>

void reference(const float x[M][K], const float w[K][N], const float z[M][K],
	       const float g[K], double y[M][N])
{
	for (int i = 0; i < M; i++) {
		double sum = 0;

		for (int j = 0; j < N; j++)
			y[i][j] = 0;
		for (int k = 0; k < K; k++) {
			double h = (double)x[i][k] + z[i][k];

			sum += h * h;
		}
		for (int k = 0; k < K; k++) {
			double h = (double)x[i][k] + z[i][k];
			double normal = h / sqrt(sum / K + EPS) * g[k];

			for (int j = 0; j < N; j++)
				y[i][j] += normal * w[k][j];
		}
	}
}
