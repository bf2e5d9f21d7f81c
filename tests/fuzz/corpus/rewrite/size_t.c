#include <stddef.h>
void kernel(size_t m, size_t n, size_t kk, const float *a, const float *b, float *c)
{
	size_t i, j, l;
	float s;

	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++) {
			s = 0.0f;
			for (l = 0; l < kk; l++)
				s += a[i * kk + l] * b[l * n + j];
			c[i * n + j] = s;
		}
}
