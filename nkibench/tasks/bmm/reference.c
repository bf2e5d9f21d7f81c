/* SPDX-License-Identifier: MIT */
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
		}
	}
}
