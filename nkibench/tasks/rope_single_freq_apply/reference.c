/* SPDX-License-Identifier: MIT */
void reference(const float x[D][T], const float cosine[H][T],
	       const float sine[H][T], double y[D][T])
{
	for (int d = 0; d < H; d++) {
		for (int t = 0; t < T; t++) {
			double x0 = x[d][t];
			double x1 = x[d + H][t];

			y[d][t] = x0 * cosine[d][t] - x1 * sine[d][t];
			y[d + H][t] = x0 * sine[d][t] + x1 * cosine[d][t];
		}
	}
}
