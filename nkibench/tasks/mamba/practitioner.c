/* SPDX-License-Identifier: MIT */
/*
 * A selective state space, as its author wrote it: no library has it, and what
 * ten minutes came to, another order or other flags, was not faster.
 */
#include <math.h>

void kernel(const float delta[restrict C][M], const float u[restrict C][M],
	    const float a[restrict C][S], const float b[restrict S][M],
	    const float c[restrict S][M], float y[restrict C][M])
{
	for (int i = 0; i < C; i++) {
		for (int t = 0; t < M; t++)
			y[i][t] = 0.0f;
		for (int s = 0; s < S; s++) {
			float h = 0.0f;

			for (int t = 0; t < M; t++) {
				h = expf(delta[i][t] * a[i][s]) * h +
				    delta[i][t] * b[s][t] * u[i][t];
				y[i][t] += c[s][t] * h;
			}
		}
	}
}
