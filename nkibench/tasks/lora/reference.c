/* SPDX-License-Identifier: MIT */
void reference(const float x[M][K], const float w[K][N], const float a[K][R],
	       const float b[R][N], double y[M][N])
{
	for (int i = 0; i < M; i++) {
		double low[R] = { 0 };

		for (int j = 0; j < N; j++)
			y[i][j] = 0;
		for (int k = 0; k < K; k++) {
			for (int j = 0; j < N; j++)
				y[i][j] += (double)x[i][k] * w[k][j];
			for (int r = 0; r < R; r++)
				low[r] += (double)x[i][k] * a[k][r];
		}
		for (int r = 0; r < R; r++)
			for (int j = 0; j < N; j++)
				y[i][j] += low[r] * b[r][j];
	}
}
