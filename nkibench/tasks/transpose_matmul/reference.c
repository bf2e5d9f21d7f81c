/* SPDX-License-Identifier: MIT */
void reference(const float a[K][M], const float b[K][N], double c[M][N])
{
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			c[i][j] = 0;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += (double)a[k][i] * b[k][j];
	}
}
