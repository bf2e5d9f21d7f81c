/* SPDX-License-Identifier: MIT */
#include <math.h>

void reference(const float theta[M][N], const float g[M][N],
	       const float m[M][N], const float v[M][N], double y[M][N])
{
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++) {
			double t = theta[i][j];
			double d = g[i][j];
			double first = 0.9 * m[i][j] + 0.1 * d;
			double second = 0.999 * v[i][j] + 0.001 * d * d;

			y[i][j] = t - 1e-5 * t -
				  0.01 * first / (sqrt(1000 * second) + 1e-8);
		}
	}
}
