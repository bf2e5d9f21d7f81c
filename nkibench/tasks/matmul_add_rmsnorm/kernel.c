/* SPDX-License-Identifier: MIT */
/* y = h / rms(h) * g with h = x w + z, row by row */
#include <math.h>

void kernel(const float x[restrict M][K], const float w[restrict K][N],
	    const float z[restrict M][N], const float g[restrict N],
	    float y[restrict M][N])
{
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			y[i][j] = z[i][j];
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				y[i][j] += x[i][k] * w[k][j];
	}
	for (int i = 0; i < M; i++) {
		float sum = 0.0f;
		float rms;

		for (int j = 0; j < N; j++)
			sum += y[i][j] * y[i][j];
		rms = sqrtf(sum / N + (float)EPS);
		for (int j = 0; j < N; j++)
			y[i][j] = y[i][j] * g[j] / rms;
	}
}
