/* SPDX-License-Identifier: MIT */
void reference(const float a[M][K], const float b[K][N], double c[M][N])
{
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++) {
			c[i][j] = 0;
			for (int k = 0; k < K; k++)
				c[i][j] += (double)a[i][k] * b[k][j];
		}
}
