/* SPDX-License-Identifier: MIT */
/* Rotary embedding: turn the halves of x, row against row, by an angle each. */
void kernel(const float x[restrict D][T], const float cosine[restrict H][T],
	    const float sine[restrict H][T], float y[restrict D][T])
{
	for (int d = 0; d < H; d++) {
#pragma omp simd
		for (int t = 0; t < T; t++) {
			float low = x[d][t], high = x[d + H][t];

			y[d][t] = low * cosine[d][t] - high * sine[d][t];
			y[d + H][t] = low * sine[d][t] + high * cosine[d][t];
		}
	}
}
