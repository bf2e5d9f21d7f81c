#define A /* two
 lines */ 1 \
  + 2
??=
int été = L'\'';
#if A
void f(void) {
#else
void f(int x) {
#endif
}