/* SPDX-License-Identifier: MIT */
/* Rotary embedding: turn the halves of x, row against row, by an angle each. */
void kernel(const float x[restrict D][T], const float cosine[restrict H][T],
	    const float sine[restrict H][T], float y[restrict D][T])
{
	for (int d = 0; d < H; d++) {
		for (int t = 0; t < T; t++) {
			y[d][t] = x[d][t] * cosine[d][t] -
				  x[d + H][t] * sine[d][t];
			y[d + H][t] = x[d][t] * sine[d][t] +
				      x[d + H][t] * cosine[d][t];
		}
	}
}
