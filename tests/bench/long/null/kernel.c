/* SPDX-License-Identifier: MIT */
void kernel(const float a[restrict M][K], const float b[restrict K][N],
	    float c[restrict M][N])
{
	const int rows = M;
	const int depth = K;

	for (int i = 0; i < rows; i++) {
		for (int j = 0; j < N; j++)
			c[i][j] = 0;
		for (int k = 0; k < depth; k++) {
			float factor = a[i][k];
			for (int j = 0; j < N; j++)
				c[i][j] += factor * b[k][j];
		}
	}
}
