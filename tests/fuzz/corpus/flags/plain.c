// cflags: -O2 -fno-math-errno compiler=clang -mllvm -polly
void kernel(void) { }
