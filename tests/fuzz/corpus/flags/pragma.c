_Pragma("GCC optimize (\"fast-math\")")
#pragma GCC optimize "fast-math"
