/* SPDX-License-Identifier: MIT */
/* y = x w + (x a) b */
static float low[M][R];

void kernel(const float x[restrict M][K], const float w[restrict K][N],
	    const float a[restrict K][R], const float b[restrict R][N],
	    float y[restrict M][N])
{
	for (int i = 0; i < M; i++) {
		for (int r = 0; r < R; r++)
			low[i][r] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int r = 0; r < R; r++)
				low[i][r] += x[i][k] * a[k][r];
	}
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			y[i][j] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				y[i][j] += x[i][k] * w[k][j];
	}
	for (int i = 0; i < M; i++)
		for (int r = 0; r < R; r++)
			for (int j = 0; j < N; j++)
				y[i][j] += low[i][r] * b[r][j];
}
