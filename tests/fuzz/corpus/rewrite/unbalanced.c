void kernel(float *x) { for (int i = 0; i < 3; i++) { x[i] = (((((( }
}}}} ]]) "unterminated
' /* open