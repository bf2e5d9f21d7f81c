void kernel(const float *a, float *restrict y, size_t n)
{
#pragma omp simd
	for (size_t i = 0; n > i; i = i + 4)
		if (a[i] > y[0]) y[0] = a[i]; else switch (i) { case 1: default: break; }
	do y[1] += 1; while (y[1] < 3);
	UNROLL(4) for (;;) goto out;
out:	return;
}
