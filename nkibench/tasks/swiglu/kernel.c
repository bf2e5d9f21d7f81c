/* SPDX-License-Identifier: MIT */
/* y = (silu(x w_gate) * (x w_up)) w_down */
#include <math.h>

static float up[M][N];
static float gate[M][N];

void kernel(const float x[restrict M][K], const float w_up[restrict K][N],
	    const float w_gate[restrict K][N],
	    const float w_down[restrict N][K], float y[restrict M][K])
{
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			up[i][j] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				up[i][j] += x[i][k] * w_up[k][j];
	}
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			gate[i][j] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				gate[i][j] += x[i][k] * w_gate[k][j];
	}
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++)
			gate[i][j] = gate[i][j] / (1.0f + expf(-gate[i][j])) *
				     up[i][j];
	for (int i = 0; i < M; i++) {
		for (int k = 0; k < K; k++)
			y[i][k] = 0.0f;
		for (int j = 0; j < N; j++)
			for (int k = 0; k < K; k++)
				y[i][k] += gate[i][j] * w_down[j][k];
	}
}
