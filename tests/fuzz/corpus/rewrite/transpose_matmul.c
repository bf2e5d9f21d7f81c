/* SPDX-License-Identifier: MIT */
/* c = a^T b */
void kernel(const float a[restrict K][M], const float b[restrict K][N],
	    float c[restrict M][N])
{
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++)
			c[i][j] = 0.0f;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[k][i] * b[k][j];
	}
}
