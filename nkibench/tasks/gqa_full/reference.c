/* SPDX-License-Identifier: MIT */
#include <math.h>

/* One row of the answer, for one query of one head. */
static void attend(const float q[D], const float k[N][KH][D],
		   const float v[N][KH][D], int of, double y[D])
{
	static double score[N];
	double max = -INFINITY;
	double sum = 0;

	for (int j = 0; j < N; j++) {
		double dot = 0;

		for (int d = 0; d < D; d++)
			dot += (double)q[d] * k[j][of][d];
		score[j] = dot / sqrt(D);
		max = fmax(max, score[j]);
	}
	for (int j = 0; j < N; j++) {
		score[j] = exp(score[j] - max);
		sum += score[j];
	}
	for (int d = 0; d < D; d++)
		y[d] = 0;
	for (int j = 0; j < N; j++)
		for (int d = 0; d < D; d++)
			y[d] += score[j] / sum * v[j][of][d];
}

void reference(const float q[B][N][QH][D], const float k[B][N][KH][D],
	       const float v[B][N][KH][D], double y[B][QH][N][D])
{
	for (int b = 0; b < B; b++)
		for (int h = 0; h < QH; h++)
			for (int i = 0; i < N; i++)
				attend(q[b][i][h], k[b], v[b], h / (QH / KH),
				       y[b][h][i]);
}
