extern "C" {
#ifdef A
void kernel(float *x)
#else
void kernel(x) float *x;
#endif
{
	int i, j;

#if B
	for (i = 0; i < M; i++) {
#elif C
	for (i = 1; i < M; i++) {
#else
	for (i = 2; i < M; i++) {
#endif
		EACH(j, N) {
			for (j = 0; j < N; j++)
				x[i * N + j] *= 2;
		}
#ifdef D
	}
	if (x[0]) {
#endif
	}
}
}
