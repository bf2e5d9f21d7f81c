/* SPDX-License-Identifier: MIT */
/*
 * Grouped-query attention without a mask: QH / KH heads of q share a head of
 * k and v.
 */
#include <math.h>

void kernel(const float q[restrict B][N][QH][D],
	    const float k[restrict B][N][KH][D],
	    const float v[restrict B][N][KH][D], float y[restrict B][QH][N][D])
{
	for (int b = 0; b < B; b++) {
		for (int h = 0; h < QH; h++) {
			int of = h / (QH / KH);

			for (int i = 0; i < N; i++) {
				float score[N];

				for (int j = 0; j < N; j++) {
					float dot = 0.0f;

					for (int d = 0; d < D; d++)
						dot += q[b][i][h][d] *
						       k[b][j][of][d];
					score[j] = dot / sqrtf(D);
				}

				float max = score[0];
				float sum = 0.0f;

				for (int j = 1; j < N; j++)
					if (score[j] > max)
						max = score[j];
				for (int j = 0; j < N; j++) {
					score[j] = expf(score[j] - max);
					sum += score[j];
				}
				for (int j = 0; j < N; j++)
					score[j] /= sum;
				for (int d = 0; d < D; d++)
					y[b][h][i][d] = 0.0f;
				for (int j = 0; j < N; j++)
					for (int d = 0; d < D; d++)
						y[b][h][i][d] +=
							score[j] *
							v[b][j][of][d];
			}
		}
	}
}
