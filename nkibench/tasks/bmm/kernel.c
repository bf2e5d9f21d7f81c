/* SPDX-License-Identifier: MIT */
/* y = a b, for each of the batch */
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
}
