/* SPDX-License-Identifier: MIT */
/* y = softmax(a b) over the last axis, for each of the batch */
#include <math.h>

/* A vector of floats, as wide as the compiler's machine has them. */
#if defined(__AVX512F__)
#define VEC_BYTES 64
#elif defined(__AVX__)
#define VEC_BYTES 32
#else
#define VEC_BYTES 16
#endif
#define VEC_LANES (VEC_BYTES / 4)
#define VEC_UNROLL _Pragma("GCC unroll 16")
typedef float vec_float
	__attribute__((vector_size(VEC_BYTES), aligned(4), may_alias));

/* A tile of a product: rows, vectors in a row, depth packed, rows a block. */
enum {
	TILE_ROWS = 6,
	TILE_VECS = 2,
	TILE_DEPTH = 64,
	TILE_BLOCK = 12,
	TILE_COLS = TILE_VECS * VEC_LANES,
};

void kernel(const float a[restrict B][M][K], const float b[restrict B][K][N],
	    float y[restrict B][M][N])
{
	for (int n = 0; n < B; n++) {
		if (M < TILE_ROWS || N < TILE_COLS || K < 1) {
			/* Too small for a tile. */
			for (int i = 0; i < M; i++) {
				for (int j = 0; j < N; j++)
					y[n][i][j] = 0.0f;
				for (int k = 0; k < K; k++)
					for (int j = 0; j < N; j++)
						y[n][i][j] += a[n][i][k] * b[n][k][j];

				float max = y[n][i][0];
				float sum = 0.0f;

				for (int j = 1; j < N; j++)
					if (y[n][i][j] > max)
						max = y[n][i][j];
				for (int j = 0; j < N; j++) {
					y[n][i][j] = expf(y[n][i][j] - max);
					sum += y[n][i][j];
				}
				for (int j = 0; j < N; j++)
					y[n][i][j] /= sum;
			}
		} else {
			/*
			 * In tiles of TILE_ROWS x TILE_COLS sums
			 * that stay in registers.  What a stripe of tiles needs of
			 * the right factor is packed for it.
			 */
			vec_float panel[TILE_DEPTH][TILE_VECS] __attribute__((aligned(64)));

			for (int first_row = 0, end_row; first_row < M; first_row = end_row) {
				/* The last block has the rest of the rows. */
				end_row = M - first_row < 2 * TILE_BLOCK ? M : first_row + TILE_BLOCK;
				for (int col = 0; col < N; col += TILE_COLS) {
					/* The last tile ends where the matrix does. */
					const int j0 =
						col < N - TILE_COLS ? col : N - TILE_COLS;

					for (int k0 = 0, k1; k0 < K; k0 = k1) {
						k1 = K - k0 < TILE_DEPTH ? K : k0 + TILE_DEPTH;
						for (int k = k0; k < k1; k++) {
							float *to = (float *)panel[k - k0];

							for (int lane = 0; lane < TILE_COLS; lane++)
								to[lane] = b[n][k][j0 + lane];
						}
						for (int row = first_row; row < end_row; row += TILE_ROWS) {
							const int i0 =
								row < end_row - TILE_ROWS ? row : end_row - TILE_ROWS;
							vec_float sums[TILE_ROWS][TILE_VECS] = { { { 0 } } };

							for (int k = k0; k < k1; k++)
								VEC_UNROLL
								for (int r = 0; r < TILE_ROWS; r++)
									VEC_UNROLL
									for (int v = 0; v < TILE_VECS; v++)
										sums[r][v] += a[n][i0 + r][k] *
											panel[k - k0][v];
							VEC_UNROLL
							for (int r = 0; r < TILE_ROWS; r++) {
								/* Done by the tile before? */
								if (k0 && i0 + r < row)
									continue;
								VEC_UNROLL
								for (int v = 0; v < TILE_VECS; v++) {
									vec_float *to =
										(vec_float *)&y[n][i0 + r][j0 + v * VEC_LANES];

									if (k0)
										*to += sums[r][v];
									else
										*to = sums[r][v];
								}
							}
						}
					}
				}
				for (int i = first_row; i < end_row; i++) {
					float max = y[n][i][0];
					float sum = 0.0f;

					for (int j = 1; j < N; j++)
						if (y[n][i][j] > max)
							max = y[n][i][j];
					for (int j = 0; j < N; j++) {
						y[n][i][j] = expf(y[n][i][j] - max);
						sum += y[n][i][j];
					}
					for (int j = 0; j < N; j++)
						y[n][i][j] /= sum;
				}
			}
		}
	}
}
