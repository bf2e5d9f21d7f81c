#pragma GCC optimize ("O3,fast-math")
