/* SPDX-License-Identifier: MIT */
#include <math.h>

static void softmax(double y[N])
{
	double max = y[0];
	double sum = 0;

	for (int j = 1; j < N; j++)
		max = fmax(max, y[j]);
	for (int j = 0; j < N; j++) {
		y[j] = exp(y[j] - max);
		sum += y[j];
	}
	for (int j = 0; j < N; j++)
		y[j] /= sum;
}

void reference(const float a[B][M][K], const float b[B][K][N],
	       double y[B][M][N])
{
	for (int n = 0; n < B; n++) {
		for (int i = 0; i < M; i++) {
			for (int j = 0; j < N; j++)
				y[n][i][j] = 0;
			for (int k = 0; k < K; k++)
				for (int j = 0; j < N; j++)
					y[n][i][j] += (double)a[n][i][k] *
						      b[n][k][j];
			softmax(y[n][i]);
		}
	}
}
