/* SPDX-License-Identifier: MIT */
/* c = a^T b */
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

/* Before a function whose vectors clang would halve. */
#if defined(__clang__) && defined(__AVX512F__)
#define VEC_WIDE __attribute__((min_vector_width(512)))
#else
#define VEC_WIDE
#endif

/* A tile of a product: rows, vectors in a row, depth packed, rows a block,
 * stripes packed together. */
enum {
	TILE_ROWS = 6,
	TILE_VECS = 2,
	TILE_DEPTH = 256,
	TILE_BLOCK = 96,
	TILE_STRIPES = 32,
	TILE_COLS = TILE_VECS * VEC_LANES,
};

VEC_WIDE
void kernel(const float a[restrict K][M], const float b[restrict K][N],
	    float c[restrict M][N])
{
	if (M < TILE_ROWS || N < TILE_COLS || K < 1) {
		/* Too small for a tile. */
		for (int i = 0; i < M; i++) {
			for (int j = 0; j < N; j++)
				c[i][j] = 0.0f;
			for (int k = 0; k < K; k++)
				for (int j = 0; j < N; j++)
					c[i][j] += a[k][i] * b[k][j];
		}
	} else {
		/*
		 * In tiles of TILE_ROWS x TILE_COLS sums
		 * that stay in registers.  What a stripe of tiles needs of
		 * the right factor is packed for it, several at a time.
		 * The left factor is packed by blocks of rows.
		 */
		vec_float panels[TILE_STRIPES][TILE_DEPTH][TILE_VECS] __attribute__((aligned(64)));
		float lefts[2 * TILE_BLOCK / TILE_ROWS + 1][TILE_DEPTH][TILE_ROWS]
			__attribute__((aligned(64)));

		for (int k0 = 0, k1; k0 < K; k0 = k1) {
			k1 = K - k0 < TILE_DEPTH ? K : k0 + TILE_DEPTH;
			for (int first_col = 0, end_col; first_col < N; first_col = end_col) {
				end_col = N - first_col < TILE_STRIPES * TILE_COLS ?
					N : first_col + TILE_STRIPES * TILE_COLS;
				for (int k = k0; k < k1; k++)
					for (int col = first_col; col < end_col; col += TILE_COLS) {
						const int j0 =
							col < N - TILE_COLS ? col : N - TILE_COLS;
						float *to = (float *)panels[(col - first_col) / TILE_COLS][k - k0];

						for (int lane = 0; lane < TILE_COLS; lane++)
							to[lane] = b[k][j0 + lane];
						/* What another stripe has is added once. */
						for (int lane = 0; k0 && lane < col - j0; lane++)
							to[lane] = 0.0f;
					}
				for (int first_row = 0, end_row; first_row < M; first_row = end_row) {
					/* The last block has the rest of the rows. */
					end_row = M - first_row < 2 * TILE_BLOCK ? M : first_row + TILE_BLOCK;
					for (int k = k0; k < k1; k++)
						for (int row = first_row; row < end_row; row += TILE_ROWS) {
							const int i0 =
								row < end_row - TILE_ROWS ? row : end_row - TILE_ROWS;
							float *to = lefts[(row - first_row) / TILE_ROWS][k - k0];

							VEC_UNROLL
							for (int r = 0; r < TILE_ROWS; r++)
								to[r] = a[k][i0 + r];
						}
					for (int col = first_col; col < end_col; col += TILE_COLS) {
						const int j0 =
							col < N - TILE_COLS ? col : N - TILE_COLS;
						vec_float (*panel)[TILE_VECS] = panels[(col - first_col) / TILE_COLS];

						for (int row = first_row; row < end_row; row += TILE_ROWS) {
							const int i0 =
								row < end_row - TILE_ROWS ? row : end_row - TILE_ROWS;
							float (*left)[TILE_ROWS] = lefts[(row - first_row) / TILE_ROWS];
							vec_float sums[TILE_ROWS][TILE_VECS] = { { { 0 } } };

							for (int k = k0; k < k1; k++)
								VEC_UNROLL
								for (int r = 0; r < TILE_ROWS; r++)
									VEC_UNROLL
									for (int v = 0; v < TILE_VECS; v++)
										sums[r][v] += left[k - k0][r] *
											panel[k - k0][v];
							VEC_UNROLL
							for (int r = 0; r < TILE_ROWS; r++) {
								/* Done by the tile before? */
								if (k0 && i0 + r < row)
									continue;
								VEC_UNROLL
								for (int v = 0; v < TILE_VECS; v++) {
									vec_float *to =
										(vec_float *)&c[i0 + r][j0 + v * VEC_LANES];

									if (k0)
										*to += sums[r][v];
									else
										*to = sums[r][v];
								}
							}
						}
					}
				}
			}
		}
	}
}
