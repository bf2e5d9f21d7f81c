/* SPDX-License-Identifier: MIT */
/* y = (h / rms(h) * g) w with h = x + z, row by row */
#include <math.h>

static float h[M][K];

void kernel(const float x[restrict M][K], const float w[restrict K][N],
	    const float z[restrict M][K], const float g[restrict K],
	    float y[restrict M][N])
{
	for (int i = 0; i < M; i++) {
		float sum = 0.0f;
		float rms;

		for (int k = 0; k < K; k++) {
			h[i][k] = x[i][k] + z[i][k];
			sum += h[i][k] * h[i][k];
		}
		rms = sqrtf(sum / K + (float)EPS);
		for (int k = 0; k < K; k++)
			h[i][k] = h[i][k] / rms * g[k];
	}
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			y[i][j] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				y[i][j] += h[i][k] * w[k][j];
	}
}
