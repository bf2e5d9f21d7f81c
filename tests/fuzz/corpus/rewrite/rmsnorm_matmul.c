/* SPDX-License-Identifier: MIT */
/* y = (x / sqrt(mean of the squares of its row)) w */
#include <math.h>

void kernel(const float x[restrict M][K], const float w[restrict K][N],
	    float y[restrict M][N])
{
	float scale[M];

	for (int i = 0; i < M; i++) {
		float sum = 0.0f;

		for (int k = 0; k < K; k++)
			sum += x[i][k] * x[i][k];
		scale[i] = 1.0f / sqrtf(sum / K);
	}
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			y[i][j] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				y[i][j] += x[i][k] * scale[i] * w[k][j];
	}
}
