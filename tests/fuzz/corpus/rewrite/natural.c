void kernel(const float *a, const float *b, const float *z, float *c)
{
	int i, j, k;

	for (i = 0; i < M; i++) {
		const float *row = &a[i * K];
		float best = 0.0f;
		for (j = 0; j < N; j++) {
			float s = z[j];
			for (k = 0; k < K; k++)
				s = s + row[k] * b[j * K + k];
			best = s > best ? s : best;
			c[i * N + j] = s;
		}
		for (j = 0; j < N; j++)
			c[i * N + j] = c[i * N + j] / best;
	}
	for (j = 0; j < N; j++)
		for (i = 0; i < M; i++)
			c[i * N + j] += z[j];
}
