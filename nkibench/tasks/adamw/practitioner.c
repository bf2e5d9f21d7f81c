/* SPDX-License-Identifier: MIT */
/* cflags: -fno-math-errno -fno-trapping-math */
/* One step of AdamW, with a square root that can be vectorised. */
#include <math.h>

void kernel(const float theta[restrict M][N], const float g[restrict M][N],
	    const float m[restrict M][N], const float v[restrict M][N],
	    float y[restrict M][N])
{
	for (int i = 0; i < M; i++) {
#pragma omp simd
		for (int j = 0; j < N; j++) {
			float decayed = theta[i][j] - 1e-5f * theta[i][j];
			float first = 0.9f * m[i][j] + 0.1f * g[i][j];
			float second = 0.999f * v[i][j] +
				       0.001f * g[i][j] * g[i][j];

			y[i][j] = decayed - 0.01f * first /
						    (sqrtf(1000.0f * second) +
						     1e-8f);
		}
	}
}
