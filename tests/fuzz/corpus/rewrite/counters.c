void kernel(long n, const float *x, float *y, float *z)
{
	long i, j, at = 0;
	float s, t;

	for (i = n; i-- > 0;)
		y[i] = x[i] / 3;
	for (i = 1; i <= n - 1; i += 4)
		for (j = n - 1; j >= 0; j--)
			z[j * n + i] = 2.0f * z[j * n + i];
	for (i = 0; i != n; ++i) {
		t = x[i];
		y[i] += t;
	}
	for (i = 0, j = n; i < n; i++, j--)
		y[j] += x[i];
	for (s = 0, i = 0; i < n && x[i] > 0; i++)
		s += x[at], at += 2;
	for (i = n; i > 0 && i--;) {
		y[i] = s;
	}
	for (i = n; i > 0 && i--;) {
		z[i] += y[i];
	}
}
