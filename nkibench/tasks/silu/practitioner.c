/* SPDX-License-Identifier: MIT */
/* cflags: -fno-math-errno -fno-trapping-math -funroll-loops */
/* y = x / (1 + exp(-x)) */
#include <math.h>

void kernel(const float x[restrict M][N], float y[restrict M][N])
{
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++)
			y[i][j] = x[i][j] / (1.0f + expf(-x[i][j]));
}
