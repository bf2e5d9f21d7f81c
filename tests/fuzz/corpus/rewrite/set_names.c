void kernel(int m, int n, int kk, const float *a, const float *b, float *c)
{
	int i, j, l;
	float t;
	const float *ai;
	for (i = 0; i < m; ++i) {
		ai = a + i * kk;
		for (j = 0; j < n; ++j)
			c[i * n + j] = 0;
		for (l = 0; l < kk; ++l) {
			t = ai[l];
			for (j = 0; j < n; ++j)
				c[i * n + j] += t * b[l * n + j];
		}
	}
}
void scale(int n, float *x, float a) { int i; for (i = 1; i <= n; i++) x[i] = a * x[i]; for (i = n; i-- > 0;) x[i] += 1; }
