/* SPDX-License-Identifier: MIT */
#include <math.h>

void reference(const float x[M][K], const float w[K][N], double y[M][N])
{
	for (int i = 0; i < M; i++) {
		double sum = 0;

		for (int j = 0; j < N; j++)
			y[i][j] = 0;
		for (int k = 0; k < K; k++)
			sum += (double)x[i][k] * x[i][k];
		for (int k = 0; k < K; k++) {
			double normal = x[i][k] / sqrt(sum / K);

			for (int j = 0; j < N; j++)
				y[i][j] += normal * w[k][j];
		}
	}
}
