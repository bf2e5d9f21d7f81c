char *s = R"x(
#define M
)x";
