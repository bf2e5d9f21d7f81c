/* SPDX-License-Identifier: MIT */
#include <math.h>

void reference(const float x[M][K], const float w_up[K][N],
	       const float w_gate[K][N], const float w_down[N][K],
	       double y[M][K])
{
	for (int i = 0; i < M; i++) {
		double up[N] = { 0 };
		double gate[N] = { 0 };

		for (int k = 0; k < K; k++) {
			for (int j = 0; j < N; j++) {
				up[j] += (double)x[i][k] * w_up[k][j];
				gate[j] += (double)x[i][k] * w_gate[k][j];
			}
		}
		for (int k = 0; k < K; k++)
			y[i][k] = 0;
		for (int j = 0; j < N; j++) {
			double h = gate[j] / (1 + exp(-gate[j])) * up[j];

			for (int k = 0; k < K; k++)
				y[i][k] += h * w_down[j][k];
		}
	}
}
