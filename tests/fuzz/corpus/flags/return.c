// #define M 3
