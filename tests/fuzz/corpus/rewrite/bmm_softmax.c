/* SPDX-License-Identifier: MIT */
/* y = softmax(a b) over the last axis, for each of the batch */
#include <math.h>

void kernel(const float a[restrict B][M][K], const float b[restrict B][K][N],
	    float y[restrict B][M][N])
{
	for (int n = 0; n < B; n++) {
		for (int i = 0; i < M; i++) {
			for (int j = 0; j < N; j++)
				y[n][i][j] = 0.0f;
			for (int k = 0; k < K; k++)
				for (int j = 0; j < N; j++)
					y[n][i][j] += a[n][i][k] * b[n][k][j];
		}
	}
	for (int n = 0; n < B; n++) {
		for (int i = 0; i < M; i++) {
			float max = y[n][i][0];
			float sum = 0.0f;

			for (int j = 1; j < N; j++)
				if (y[n][i][j] > max)
					max = y[n][i][j];
			for (int j = 0; j < N; j++) {
				y[n][i][j] = expf(y[n][i][j] - max);
				sum += y[n][i][j];
			}
			for (int j = 0; j < N; j++)
				y[n][i][j] /= sum;
		}
	}
}
