/* SPDX-License-Identifier: MIT */
#include <math.h>

void reference(const float delta[C][M], const float u[C][M],
	       const float a[C][S], const float b[S][M], const float c[S][M],
	       double y[C][M])
{
	for (int i = 0; i < C; i++) {
		for (int t = 0; t < M; t++)
			y[i][t] = 0;
		for (int s = 0; s < S; s++) {
			double h = 0;

			for (int t = 0; t < M; t++) {
				double d = delta[i][t];

				h = exp(d * a[i][s]) * h + d * b[s][t] * u[i][t];
				y[i][t] += c[s][t] * h;
			}
		}
	}
}
