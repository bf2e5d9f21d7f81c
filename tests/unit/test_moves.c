/* SPDX-License-Identifier: MIT */
/* What the moves make of a kernel, and that it still works; see test_tile. */
#include "tap.h"

#include "movebox.h"

static const char matmul[] =
	"/* c = a b */\n"
	"void kernel(const float a[restrict M][K], const float b[restrict K][N],\n"
	"\t    float c[restrict M][N])\n"
	"{\n"
	"\tfor (int i = 0; i < M; i++) {\n"
	"\t\tfor (int j = 0; j < N; j++)\n"
	"\t\t\tc[i][j] = 0.0f;\n"
	"\t\tfor (int k = 0; k < K; k++)\n"
	"\t\t\tfor (int j = 0; j < N; j++)\n"
	"\t\t\t\tc[i][j] += a[i][k] * b[k][j];\n"
	"\t}\n"
	"}\n";
static const char matmul_arrays[] = "i:M*K i:K*N o:M*N";

static void nests_over_the_same_rows_become_one(void)
{
	static const char source[] =
		"#include <math.h>\n"
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float y[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] = 0.0f;\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\ty[i][j] += a[i][k] * b[k][j];\n"
		"\t}\n"
		"\t/* softmax */\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tfloat max = y[i][0], sum = 0.0f;\n"
		"\n"
		"\t\tfor (int j = 1; j < N; j++)\n"
		"\t\t\tif (y[i][j] > max)\n"
		"\t\t\t\tmax = y[i][j];\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\ty[i][j] = expf(y[i][j] - max);\n"
		"\t\t\tsum += y[i][j];\n"
		"\t\t}\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] /= sum;\n"
		"\t}\n"
		"}\n";
	char *after = box_apply(source, "fuse", "site=0");

	EXPECT(after && strstr(after, "/* softmax */"));
	free(after);
	box_check(source, "fuse", "site=0", matmul_arrays);
	box_check(source, "fuse_tile",
		  "fuse=0 site=0 rows=6 vecs=2 depth=16 block=12",
		  matmul_arrays);
	box_check(source, "exp", "", matmul_arrays);
	box_check(source, "simd", "", matmul_arrays);
	box_check(source, "exp_simd", "", matmul_arrays);
	box_check(source, "divide", "", matmul_arrays);

	after = box_apply(source, "fuse_tile",
			  "fuse=0 site=0 rows=6 vecs=2 depth=16 block=12");
	after = box_apply_next(after, "exp_simd", "");
	after = box_apply_next(after, "divide", "");
	EXPECT(after && box_both_same(source, after, matmul_arrays));
	free(after);

	/* The other way round as well: promises about loops are in no way. */
	after = box_apply(source, "exp_simd", "");
	/* Its loops are behind two of the helper's. */
	after = box_apply_next(after, "fuse_tile",
			       "fuse=2 site=2 rows=6 vecs=2 depth=16 block=12");
	EXPECT(after && strstr(after, "max = vec_largest(&y[i][0], N, max);"));
	EXPECT(after && box_both_same(source, after, matmul_arrays));
	free(after);
}

/* A search for the largest, as a body of the loop over rows. */
static char *search(const char *before, const char *loop)
{
	return ao_xstrf("void kernel(const float x[restrict M][N], float "
			"y[restrict M])\n"
			"{\n"
			"\tfor (int i = 0; i < M; i++) {\n"
			"\t\tfloat most = %s;\n"
			"\n"
			"\t\t%s\n"
			"\t\ty[i] = most;\n"
			"\t}\n"
			"}\n",
			before, loop);
}

static void a_search_that_starts_at_the_first_starts_below_all(void)
{
	static const struct {
		const char *loop;
		bool starts_below;
	} cases[] = {
		{ "for (int j = 1; j < N; j++) if (x[i][j] > most) most = x[i][j];",
		  true },
		{ "for (int j = 0; j < N; j++) if (x[i][j] > most) most = x[i][j];",
		  true },
		/* may have no round */
		{ "for (int j = 0; j < N - 1; j++) if (x[i][j] > most) most = x[i][j];",
		  false },
		{ "for (int j = 2; j < N; j++) if (x[i][j] > most) most = x[i][j];",
		  false },
		{ "most += 1.0f;\n\t\tfor (int j = 1; j < N; j++) if (x[i][j] > most) most = x[i][j];",
		  false },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(cases); n++) {
		char *source = search("x[i][0]", cases[n].loop);
		char *after = box_apply(source, "simd", "");

		EXPECT(after && !strstr(after, "most = -__builtin_inff();") ==
					!cases[n].starts_below);
		EXPECT(after && box_both_same(source, after, "i:M*N o:M"));
		free(after);
		free(source);
	}
}

static void a_row_is_searched_for_its_largest_by_vectors(void)
{
	static const struct {
		const char *before;
		const char *loop;
		const char
			*call; /* NULL: a promise about the loop, or nothing */
	} cases[] = {
		{ "x[i][0]",
		  "for (int j = 1; j < N; j++) if (x[i][j] > most) most = x[i][j];",
		  "most = vec_largest(&x[i][0], N, most);" },
		{ "-1.5f",
		  "for (int j = 1; j < N; j++) if (most < x[i][j]) most = x[i][j];",
		  "most = vec_largest(&x[i][1], N - 1, most);" },
		{ "0.25f",
		  "for (int j = M - M; j < N - 1; j++) most = x[i][j] > most ? x[i][j] : most;",
		  "most = vec_largest(&x[i][M - M], N - 1 - (M - M), most);" },
		/* N - 1 would be large without a sign */
		{ "0.0f",
		  "for (unsigned j = 1; j < (unsigned)N; j++) if (x[i][j] > most) most = x[i][j];",
		  NULL },
		{ "0.0f",
		  "for (int j = 0; j < N; j++) if (-x[i][j] > most) most = -x[i][j];",
		  NULL },
		{ "0.0f",
		  "for (int j = 0; j < M; j++) if (x[j][0] > most) most = x[j][0];",
		  NULL },
		{ "0.0f",
		  "for (int j = 0; j < N; j++) if (x[i][j] < most) most = x[i][j];",
		  NULL },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(cases); n++) {
		char *source = search(cases[n].before, cases[n].loop);
		char *after = box_apply(source, "simd", "");

		EXPECT(after &&
		       !strstr(after, "= vec_largest(&") == !cases[n].call);
		EXPECT(after &&
		       (!cases[n].call || strstr(after, cases[n].call)));
		EXPECT(after && box_both_same(source, after, "i:M*N o:M"));
		free(after);
		free(source);
	}
}

static void nests_that_read_other_rows_stay_two(void)
{
	static const char source[] =
		"void kernel(const float *x, float *restrict y,\n"
		"\t    float *restrict z)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\ty[i] = x[i];\n"
		"\t}\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tz[i] = y[M - 1 - i];\n"
		"\t}\n"
		"}\n";
	char *after = box_apply(source, "fuse", "site=0");

	EXPECT(!box_offers(source, "fuse", NULL));
	EXPECT(!after);
	free(after);
}

static const char silu[] =
	"#include <math.h>\n"
	"void kernel(const float x[restrict M][N], float y[restrict M][N])\n"
	"{\n"
	"\tfor (int i = 0; i < M; i++)\n"
	"\t\tfor (int j = 0; j < N; j++)\n"
	"\t\t\ty[i][j] = x[i][j] / (1.0f + expf(-x[i][j]));\n"
	"}\n";

static void results_are_streamed_past_the_caches(void)
{
	char *after;

	box_check(silu, "stream", "site=1 ahead=0", "i:M*N o:M*N");
	after = box_apply(silu, "stream", "site=1 ahead=0");
	EXPECT(after && strstr(after, "vec_stream(&y[i][streamed], line);"));
	EXPECT(after && strstr(after, "for (int j = streamed; j < N; j++)\n"
				      "\t\t\ty[i][j] ="));
	/* As if all sizes were large. */
	if (after)
		memcpy(strstr(after, "1 << 21"), "1      ", 7);
	after = box_apply_next(after, "exp", "");
	EXPECT(after && box_both_same(silu, after, "i:M*N o:M*N"));
	free(after);
}

static void what_a_streamed_loop_reads_is_fetched_early(void)
{
	char *fast = box_apply(silu, "exp", "");
	char *after = fast ? box_apply(fast, "stream", "site=1 ahead=64")
			   : NULL;

	EXPECT(fast && box_offers(fast, "stream", "site=1 ahead=512"));
	EXPECT(!box_apply(fast, "stream", "site=1 ahead=8"));
	EXPECT(after && strstr(after, "__builtin_prefetch(&x[i][streamed] + "
				      "AHEAD_FLOATS);"));
	EXPECT(after && !strstr(after, "__builtin_prefetch(&y"));
	if (after)
		memcpy(strstr(after, "1 << 21"), "1      ", 7);
	EXPECT(after && box_both_same(silu, after, "i:M*N o:M*N"));
	after = box_apply_next(after, "sweep", "AHEAD_FLOATS=128");
	EXPECT(after && strstr(after, "AHEAD_FLOATS = 128"));
	free(after);
	free(fast);
}

static void a_quick_loop_is_streamed_without_early_fetches(void)
{
	static const char source[] =
		"void kernel(const float x[restrict M][N], "
		"float y[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] = x[i][j] + 1.0f;\n"
		"}\n";

	EXPECT(box_offers(source, "stream", "site=1 ahead=0"));
	EXPECT(!box_offers(source, "stream", "site=1 ahead=512"));
	EXPECT(!box_apply(source, "stream", "site=1 ahead=512"));
}

static void what_a_slow_loop_needs_is_fetched_early(void)
{
	char *fast = box_apply(silu, "exp", "");
	char *after = fast ? box_apply(fast, "prefetch", "site=1 ahead=64")
			   : NULL;

	EXPECT(fast && box_offers(fast, "prefetch", "site=1 ahead=512"));
	EXPECT(after && strstr(after, "__builtin_prefetch(&x[i][fetched] + "
				      "AHEAD_FLOATS);"));
	EXPECT(after && strstr(after, "&y[i][fetched] + AHEAD_FLOATS, 1);"));
	EXPECT(after && strstr(after, "for (int j = fetched; j < N; j++)\n"));
	EXPECT(after && !box_offers(after, "prefetch", NULL));
	EXPECT(after && box_both_same(silu, after, "i:M*N o:M*N"));
	after = box_apply_next(after, "sweep", "AHEAD_FLOATS=128");
	EXPECT(after && strstr(after, "AHEAD_FLOATS = 128"));
	free(after);
	free(fast);
}

static void loops_that_early_fetches_would_not_help_get_none(void)
{
	static const char *const values[] = {
		"x[i * N + j] + 1.0f",	       /* quick */
		"sqrtf(x[i * N + j]) / 3.0f",  /* calls a function */
		"x[j * M + i] / z[i * N + j]", /* strides */
		"z[at[j]] / 3.0f",
		"y[i * N + j + 1] / 3.0f", /* a step needs another's */
		/* reads too much at once */
		"x[i*N+j] / z[i*N+j] + u[i*N+j] / v[i*N+j] + w[i*N+j]",
	};
	static const char *const targets[] = { "*restrict y", "*y" };

	for (size_t n = 0; n <= AO_ARRAY_SIZE(values); n++) {
		/* The last one differs from one that helps by its target. */
		bool is_last = n == AO_ARRAY_SIZE(values);
		char *source = ao_xstrf(
			"void kernel(const float *x, const float *z, float %s,\n"
			"\t    const float *u, const float *v, const float *w,\n"
			"\t    const int *at)\n"
			"{\n"
			"\tfor (int i = 0; i < M; i++)\n"
			"\t\tfor (int j = 0; j < N; j++)\n"
			"\t\t\ty[i * N + j] = %s;\n"
			"}\n",
			targets[is_last],
			is_last ? "x[i * N + j] / 3.0f" : values[n]);

		EXPECT(!box_offers(source, "prefetch", NULL));
		free(source);
	}
}

static void what_is_read_again_is_not_streamed(void)
{
	static const char source[] =
		"void kernel(const float *restrict x, float *restrict y)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\ty[i] = x[i] + 1.0f;\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\ty[i] *= 2.0f;\n"
		"}\n";

	EXPECT(!box_offers(source, "stream", NULL));
}

static void several_results_are_streamed_side_by_side(void)
{
	static const char source[] =
		"void kernel(const float *restrict x, float *restrict y,\n"
		"\t    float *restrict z)\n"
		"{\n"
		"\tfor (int i = 0; i < M * N; i++) {\n"
		"\t\tfloat square = x[i] *\n"
		"\t\t\t       x[i]; /* of x */\n"
		"\t\ty[i] = square;\n"
		"\t\tz[i] = square + 1.0f;\n"
		"\t}\n"
		"}\n";

	box_check(source, "stream", "site=0 ahead=0", "i:M*N o:M*N o:M*N");
}

static void loops_that_stride_are_interchanged(void)
{
	static const char source[] =
		"void kernel(const float x[restrict M][N], float y[restrict M][N])\n"
		"{\n"
		"\tfor (int j = 0; j < N; j++)\n"
		"\t\tfor (int i = 0; i < M; i++) {\n"
		"\t\t\t/* twice */\n"
		"\t\t\ty[i][j] = 2.0f * x[i][j];\n"
		"\t\t}\n"
		"}\n";
	char *after = box_apply(source, "interchange", "site=0");

	EXPECT(after && strstr(after, "\tfor (int i = 0; i < M; i++)\n"
				      "\t\tfor (int j = 0; j < N; j++) {\n"
				      "\t\t\t/* twice */\n"));
	EXPECT(after && !box_offers(after, "interchange", NULL));
	free(after);
	box_check(source, "interchange", "site=0", "i:M*N o:M*N");
}

static const char gemv[] =
	"void kernel(const float a[restrict M][K], const float x[restrict K],\n"
	"\t    float y[restrict M])\n"
	"{\n"
	"\tfor (int i = 0; i < M; i++)\n"
	"\t\ty[i] = 0.0f;\n"
	"\tfor (int i = 0; i < M; i++)\n"
	"\t\tfor (int k = 0; k < K; k++)\n"
	"\t\t\ty[i] += a[i][k] * x[k];\n"
	"}\n";

static void sums_in_memory_move_to_a_register(void)
{
	char *after = box_apply(gemv, "scalar", "site=2");

	EXPECT(after && strstr(after, "float total = y[i];\n"));
	EXPECT(after && strstr(after, "#pragma omp simd reduction(+ : total)"));
	EXPECT(after && strstr(after, "\t\ty[i] = total;\n\t}\n"));
	free(after);
	box_check(gemv, "scalar", "site=2", "i:M*K i:K o:M");
}

static void steps_of_an_outer_loop_are_jammed(void)
{
	box_check(gemv, "jam", "site=1 factor=4", "i:M*K i:K o:M");
	box_check(gemv, "jam", "site=1 factor=2", "i:M*K i:K o:M");
}

static void an_inner_loop_is_unrolled(void)
{
	box_check(gemv, "unroll", "site=2 factor=4", "i:M*K i:K o:M");
}

static void the_rest_of_a_loop_is_left_alone(void)
{
	char *jammed = box_apply(gemv, "jam", "site=1 factor=4");
	char *streamed = box_apply(silu, "stream", "site=1 ahead=0");

	EXPECT(box_offers(gemv, "jam", NULL));
	EXPECT(jammed && strstr(jammed, "for (int i = jammed; i < M; i++)"));
	EXPECT(jammed && !box_offers(jammed, "jam", NULL));
	EXPECT(box_offers(silu, "unroll", NULL));
	EXPECT(streamed && !box_offers(streamed, "unroll", NULL));
	free(streamed);
	free(jammed);
}

static void parameters_are_promised_not_to_overlap(void)
{
	static const char source[] =
		"void kernel(const float a[M][N], const float *b, float c[M],\n"
		"\t    float d[])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\td[i] = c[i] = a[i][0] + b[i];\n"
		"}\n";
	char *after = box_apply(source, "restrict", "");

	EXPECT(after && strstr(after, "kernel(const float a[restrict M][N], "
				      "const float *restrict b, "
				      "float c[restrict M],\n"
				      "\t    float d[restrict])\n"));
	EXPECT(after && !box_offers(after, "restrict", NULL));
	EXPECT(after && box_both_same(source, after, "i:M*N i:M o:M o:M"));
	free(after);
}

static void our_own_helpers_need_no_promise(void)
{
	char *after = box_apply(silu, "stream", "site=1 ahead=0");

	EXPECT(after && !box_offers(after, "restrict", NULL));
	free(after);
}

static void a_flag_goes_into_the_first_comment(void)
{
	static const char source[] = "/* SPDX-License-Identifier: MIT */\n"
				     "#include <math.h>\n"
				     "void kernel(float *x)\n"
				     "{\n"
				     "\tfor (int i = 0; i < M; i++)\n"
				     "\t\tx[i] = sqrtf(x[i]);\n"
				     "}\n";
	char *after = box_apply(source, "flag", "flag=-fno-math-errno");

	EXPECT(after && strstr(after, "MIT */\n"
				      "/* cflags: -fno-math-errno */\n"
				      "#include"));
	after = box_apply_next(after, "flag", "flag=compiler=clang");
	EXPECT(after && strstr(after, "/* cflags: -fno-math-errno "
				      "compiler=clang */\n"));
	free(after);
}

static void a_flag_that_changes_results_is_not_in_the_catalogue(void)
{
	char *after = box_apply(matmul, "flag", "flag=-ffast-math");

	EXPECT(!after);
	free(after);
}

static void line_ends_and_indents_are_those_of_the_source(void)
{
	static const char source[] =
		"#include <math.h>\r\n"
		"void kernel(const float *restrict x, float *restrict y)\r\n"
		"{\r\n"
		"  for (int i = 0; i < M; i++)\r\n"
		"    y[i] = expf(x[i]);\r\n"
		"}\r\n";
	char *after = box_apply(source, "stream", "site=0 ahead=0");

	after = box_apply_next(after, "exp", "");
	EXPECT(after != NULL);
	for (char *c = after; c && *c; c++)
		EXPECT(*c != '\n' || c[-1] == '\r');
	EXPECT(after && strstr(after, "\r\n  int streamed = 0;\r\n"));
	EXPECT(box_both_same(source, after, "i:M o:M"));
	free(after);
}

static void a_source_that_uses_our_names_otherwise_is_left_alone(void)
{
	static const char source[] =
		"static float exp_inline(float x) { return x; }\n"
		"#include <math.h>\n"
		"void kernel(float *x)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tx[i] = expf(exp_inline(x[i]));\n"
		"}\n";
	char *after = box_apply(source, "exp", "");

	EXPECT(!after);
	free(after);
}

static void the_inline_exponential_is_exact_and_saturates(void)
{
	static const char before[] =
		"#include <math.h>\n"
		"static void fill(float *x)\n"
		"{\n"
		"\tfor (int i = 0; i < M * N; i++)\n"
		"\t\tx[i] = -86.9f + 175.6f * i / (M * N);\n"
		"}\n"
		"void kernel(float *x)\n"
		"{\n"
		"\tfill(x);\n"
		"\tfor (int i = 0; i < M * N; i++)\n"
		"\t\tx[i] = expf(x[i]) / exp(x[i]);\n"
		"}\n";
	static const char edges[] =
		"#include <math.h>\n"
		"void kernel(float *x)\n"
		"{\n"
		"\tstatic const float at[] = { INFINITY, -INFINITY, NAN,\n"
		"\t\t\t\t    -NAN, 1e30f, -1e30f, 0, -0.0f };\n"
		"\tfor (int i = 0; i < 8; i++) {\n"
		"\t\tfloat y = expf(at[i]);\n"
		"\t\tx[i] = isnan(y) ? 3 : isinf(y) ? 2 : y;\n"
		"\t}\n"
		"}\n";
	char *after = box_apply(before, "exp", "");

	/* "fill" is declared twice then: the driver has both in one file. */
	for (char *c = after; c && (c = strstr(c, "fill"));)
		memcpy(c, "full", 4);
	EXPECT(after && box_both_same(before, after, "o:M*N"));
	free(after);
	after = box_apply(edges, "exp", "");
	EXPECT(after && box_both_same(edges, after, "u:8"));
	free(after);
}

/* A source with one text in place of another; empty if it has no such text. */
static char *source_with(const char *source, const char *text,
			 const char *other)
{
	const char *at = strstr(source, text);

	if (!at)
		return ao_xstrdup("");
	return ao_xstrf("%.*s%s%s", (int)(at - source), source, other,
			at + strlen(text));
}

static const char elements[] =
	"#include <math.h>\n"
	"void kernel(const float x[restrict M][33], float y[restrict M][33])\n"
	"{\n"
	"\tfor (int i = 0; i < M; i++)\n"
	"\t\tfor (int j = 0; j < 33; j++) {\n"
	"\t\t\tfloat half = 0.5f * x[i][j];\n"
	"\n"
	"\t\t\t/* the root of it */\n"
	"\t\t\ty[i][j] = half > 0 ? sqrtf(half) :\n"
	"\t\t\t\t  x[i][j];\n"
	"\t\t}\n"
	"}\n";

static void rows_that_end_in_less_than_a_vector_become_one(void)
{
	char *after = box_apply(elements, "flatten", "site=0");

	box_check(elements, "flatten", "site=0", "i:M*33 o:M*33");
	EXPECT(after && strstr(after, "\tfor (long at = 0; at < (long)M * 33; "
				      "at++) {\n\t\tfloat half = "));
	EXPECT(after && strstr(after, "\t\t/* the root of it */\n"));
	EXPECT(after && !box_offers(after, "flatten", NULL));
	free(after);
}

static void elements_may_be_counted_in_one_subscript(void)
{
	static const char source[] =
		"void kernel(const float *x, float *y)\n"
		"{\n"
		"\tfor (long i = 0; i < M + 1; i++) {\n"
		"\t\tfor (long j = 0; j < N; j++)\n"
		"\t\t\ty[i * N + j] = x[i * N + j] + 1.0f;\n"
		"\t}\n"
		"}\n";
	char *after = box_apply(source, "flatten", "site=0");

	EXPECT(after && strstr(after, "\tfor (long at = 0; at < (long)(M + 1) "
				      "* N; at++)\n\t\ty[at] = x[at] + "));
	EXPECT(after && box_both_same(source, after, "i:(M+1)*N o:(M+1)*N"));
	/* 2048 elements in a row leave none over. */
	EXPECT(!box_offers(source, "flatten", NULL));
	free(after);
}

static void rows_that_matter_stay_rows(void)
{
	static const char *const changes[][2] = {
		/* Of other widths, */
		{ "y[restrict M][33]", "y[restrict M][34]" },
		{ "j < 33", "j < 32" },
		/* from elsewhere, */
		{ "int j = 0", "int j = 1" },
		{ "y[i][j]", "y[i][32 - j]" },
		{ "0.5f * x[i][j]", "0.5f * x[i][0]" },
		{ "0.5f * x[i][j]", "0.5f * j" },
		/* with more to do, */
		{ "for (int j", "y[i][0] = 0.0f; for (int j" },
		{ "float half", "if (i > 9) break; float half" },
		/* or whose number changes. */
		{ "int j = 0; j < 33", "int j = 0; j < i" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(changes); i++) {
		char *source = source_with(elements, changes[i][0],
					   changes[i][1]);

		EXPECT(*source && !box_offers(source, "flatten", NULL));
		EXPECT(!box_apply(source, "flatten", "site=0"));
		free(source);
	}
}

static const char run_time_rows[] =
	"void kernel(const float *x, float *y)\n"
	"{\n"
	"\tint rows = %s, columns = N;\n"
	"\n"
	"\tfor (int i = 0; i < rows; i++)\n"
	"\t\tfor (int j = 0; j < columns; j++)\n"
	"\t\t\ty[i * columns + j] = 2 * x[i * columns + j];\n"
	"}\n";

static void extents_below_zero_are_no_elements(void)
{
	char *positive = source_with(run_time_rows, "%s", "M");
	char *negative = source_with(run_time_rows, "%s, columns = N",
				     "-M, columns = -N");
	char *sizes = source_with(positive, "int rows", "unsigned rows");
	char *after = box_apply(sizes, "flatten", "site=0");

	box_check(positive, "flatten", "site=0", "i:M*N o:M*N");
	box_check(negative, "flatten", "site=0", "i:M*N u:M*N");
	EXPECT(after && !strstr(after, "> 0"));
	free(after);
	free(sizes);
	free(negative);
	free(positive);
}

static void rows_of_another_length_than_the_same_word_stay_rows(void)
{
	static const char *const changes[][2] = {
		{ "\tfor (int i", "\tn = n / 2;\n\tfor (int i" },
		{ "\t{", "\t{ int n = 2;" },
		{ "int m, int n,", "int m, int width, " },
	};
	static const char source[] =
		"static int n;\n"
		"void kernel(int m, int n, const float x[m][n], float y[m][n])\n"
		"{\n"
		"\t{\n"
		"\tfor (int i = 0; i < m; i++)\n"
		"\t\tfor (int j = 0; j < n; j++)\n"
		"\t\t\ty[i][j] = 2 * x[i][j];\n"
		"\t}\n"
		"}\n";

	EXPECT(box_offers(source, "flatten", "site=0"));
	for (size_t i = 0; i < AO_ARRAY_SIZE(changes); i++) {
		char *changed = source_with(source, changes[i][0],
					    changes[i][1]);

		EXPECT(*changed && !box_offers(changed, "flatten", NULL));
		free(changed);
	}
}

static const char recurrence[] =
	"#include <math.h>\n"
	"void kernel(const float delta[restrict M][50],\n"
	"\t    const float a[restrict M][16], const float b[restrict 16][50],\n"
	"\t    const float c[restrict 16][50], float y[restrict M][50])\n"
	"{\n"
	"\tfor (int i = 0; i < M; i++) {\n"
	"\t\tfor (int t = 0; t < 50; t++)\n"
	"\t\t\ty[i][t] = 0.0f;\n"
	"\t\tfor (int s = 0; s < 16; s++) {\n"
	"\t\t\tfloat h = 0.5f;\n"
	"\n"
	"\t\t\tfor (int t = 0; t < 50; t++) {\n"
	"\t\t\t\tfloat in = delta[i][t] * b[s][t];\n"
	"\n"
	"\t\t\t\th = expf(delta[i][t] * a[i][s] - 1.0f) * h + in;\n"
	"\t\t\t\ty[i][t] += c[s][t] * h;\n"
	"\t\t\t}\n"
	"\t\t}\n"
	"\t}\n"
	"}\n";
static const char recurrence_arrays[] = "i:M*50 i:M*16 i:16*50 i:16*50 o:M*50";

static char *recurrence_with(const char *text, const char *other)
{
	return source_with(recurrence, text, other);
}

static void states_of_a_recurrence_are_computed_side_by_side(void)
{
	char *after = box_apply(recurrence, "scan", "site=2"), *half;

	EXPECT(box_offers(recurrence, "scan", "site=2"));
	EXPECT(after && strstr(after, "b_of[t][s] = b[s][t];"));
	EXPECT(after && strstr(after, "simd reduction(+ : sum)"));
	free(after);
	box_check(recurrence, "scan", "site=2", recurrence_arrays);
	/* Exponentials that are inline already stay so. */
	half = box_apply(recurrence, "exp", "");
	EXPECT(half && box_offers(half, "scan", "site=2"));
	after = box_apply_next(half, "scan", "site=2");
	EXPECT(after && box_both_same(recurrence, after, recurrence_arrays));
	free(after);
}

static void a_recurrence_that_is_more_than_one_is_left_alone(void)
{
	static const char *const changes[][2] = {
		/* its steps are not known, */
		{ "t < 50; t++) {", "t < (int)a[0][0]; t++) {" },
		/* or depend on the state, */
		{ "int t = 0; t < 50; t++) {", "int t = s; t < 50; t++) {" },
		/* something else is written, */
		{ "float in = delta[i][t] * b[s][t];", "i += s;" },
		{ "y[i][t] += c[s][t] * h;", "y[i][t] = c[s][t] * h;" },
		{ "y[i][t] += c[s][t] * h;", "y[s][t] += c[s][t] * h;" },
		/* it reads what it adds to, */
		{ "float h = 0.5f;", "float h = y[i][0];" },
		{ "delta[i][t] * b[s][t];", "y[i][t] * b[s][t];" },
		/* something else is called, */
		{ "c[s][t] * h", "sinf(c[s][t]) * h" },
		{ "float h = 0.5f;", "float h = start(i);" },
		/* or the loop may end early. */
		{ "float in = delta[i][t] * b[s][t];",
		  "float in = 0; if (h > 9) break;" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(changes); i++) {
		char *source = recurrence_with(changes[i][0], changes[i][1]);

		EXPECT(*source && !box_offers(source, "scan", NULL));
		free(source);
	}
}

static void a_matrix_that_a_call_may_write_to_is_not_packed(void)
{
	static const char *const calls[] = { "", "decay(b);", "decay(b[0]);",
					     "decay(&b[0][0]);" };
	static const char parameter[] = "const float b[restrict 16][50],";
	char *open = recurrence_with("const float b", "float b");
	char *own = recurrence_with(parameter, "");
	char *of_file = ao_xstrf("static float b[16][50];\n%s", own);
	char *called = source_with(of_file, "\t\tfor (int s = 0;",
				   "\t\tdecay();\n\t\tfor (int s = 0;");
	char *packed = box_apply(of_file, "scan", "site=2");
	char *read = box_apply(called, "scan", "site=2");

	for (size_t i = 0; i < AO_ARRAY_SIZE(calls); i++) {
		char *call = ao_xstrf("%s\t\tfor (int s = 0;", calls[i]);
		char *source = source_with(open, "\t\tfor (int s = 0;", call);
		char *after = box_apply(source, "scan", "site=2");

		EXPECT(after && !strstr(after, "b_of[t][s]") == (i > 0));
		free(after);
		free(source);
		free(call);
	}
	EXPECT(packed && strstr(packed, "b_of[t][s]"));
	EXPECT(read && !strstr(read, "b_of[t][s]"));
	free(read);
	free(packed);
	free(called);
	free(of_file);
	free(own);
	free(open);
}

static const char rows_at_a_time[] =
	"#include <math.h>\n"
	"void kernel(const float a[restrict 70][20],\n"
	"\t    const float b[restrict 33][20], float y[restrict 70][33])\n"
	"{\n"
	"\tfor (int i = 0; i < 70; i++) {\n"
	"\t\tfloat row[33]; /* of scores */\n"
	"\t\tfloat most = 0.1f;\n"
	"\n"
	"\t\tfor (int j = 0; j < 33; j++) {\n"
	"\t\t\tfloat dot = 0.0f;\n"
	"\n"
	"\t\t\tfor (int k = 0; k < 20; k++)\n"
	"\t\t\t\tdot += a[i][k] * b[j][k];\n"
	"\t\t\trow[j] = dot * most;\n"
	"\t\t}\n"
	"\n"
	"\t\t/* softmax */\n"
	"\t\tfloat sum = 0.0f;\n"
	"\n"
	"\t\tfor (int j = 0; j < 33; j++) {\n"
	"\t\t\trow[j] = expf(row[j]);\n"
	"\t\t\tsum += row[j];\n"
	"\t\t}\n"
	"\t\tfor (int j = 0; j < 33; j++)\n"
	"\t\t\ty[i][j] = row[j] / sum;\n"
	"\t}\n"
	"}\n";
static const char rows_arrays[] = "i:70*20 i:33*20 o:70*33";
static const char rows_split[] =
	"split=0 site=0 rows=6 vecs=2 depth=16 block=12";

static void rows_are_kept_so_that_their_product_can_be_tiled(void)
{
	char *after = box_apply(rows_at_a_time, "split_tile", rows_split);

	EXPECT(box_offers(rows_at_a_time, "split_tile", NULL));
	EXPECT(after && strstr(after, "static float row_of[70][33];"));
	EXPECT(after && strstr(after, "/* of scores */"));
	EXPECT(after && strstr(after, "/* softmax */"));
	EXPECT(after && !strstr(after, "float row["));
	after = box_apply_next(after, "exp_simd", "");
	EXPECT(after && box_both_same(rows_at_a_time, after, rows_arrays));
	free(after);
	box_check(rows_at_a_time, "split_tile", rows_split, rows_arrays);
}

static void rows_that_share_more_than_an_array_stay_together(void)
{
	static const char *const changes[][2] = {
		/* A number of the row is needed behind its product, */
		{ "expf(row[j])", "expf(row[j] * most)" },
		/* rows read what other rows made, */
		{ "row[j] = dot * most;",
		  "row[j] = dot + (i ? y[i - 1][j] : 0.0f);" },
		/* or end early. */
		{ "float sum = 0.0f;",
		  "float sum = 0.0f; if (row[0] > 9) continue;" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(changes); i++) {
		const char *at = strstr(rows_at_a_time, changes[i][0]);
		char *source;

		EXPECT(at != NULL);
		if (!at)
			continue;
		source = ao_xstrf("%.*s%s%s", (int)(at - rows_at_a_time),
				  rows_at_a_time, changes[i][1],
				  at + strlen(changes[i][0]));
		EXPECT(!box_offers(source, "split_tile", NULL));
		free(source);
	}
}

/*
 * A kernel whose extents are parameters of a function, which is called `loops`
 * in the one and `others` in the other of two that are compiled together.
 */
static char *generic_of(const char *head, const char *body, const char *call)
{
	return ao_xstrf("#include <math.h>\n#include <stddef.h>\n"
			"static void loops(size_t M, size_t N, size_t K, %s)\n"
			"%s\n"
			"void kernel(%s)\n"
			"{\n\tloops((size_t)M, (size_t)N, (size_t)K, %s);\n}\n",
			head, body, head, call);
}

/* `text` with another word for each of one. */
static char *replace_all(const char *text, const char *word, const char *other)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	const char *at;

	for (; (at = strstr(text, word)); text = at + strlen(word)) {
		ao_buf_add(&out, text, (size_t)(at - text));
		ao_buf_addstr(&out, other);
	}
	ao_buf_addstr(&out, text);
	return ao_buf_take(&out);
}

/*
 * Whether a move keeps what is computed for all extents: with room for what it
 * keeps, and with room for that of the smaller ones only.
 */
static bool generic_works(const char *source, const char *move,
			  const char *params, const char *arrays)
{
	static const char *const room[][2] = {
		{ "1 << 22", "1 << 22" },
		{ "KEPT_FLOATS = 1 << 22", "KEPT_FLOATS = 700" },
		{ "KEPT_STATES = 1 << 10", "KEPT_STATES = 8" },
	};
	char *text = box_apply(source, move, params), *after, *tight;
	bool works = text && strstr(text, "[KEPT_FLOATS];");

	for (size_t i = 0; i < AO_ARRAY_SIZE(room) && works; i++) {
		after = replace_all(text, "loops(", "others(");
		tight = replace_all(after, room[i][0], room[i][1]);
		works = box_both_same(source, tight, arrays);
		free(tight);
		free(after);
	}
	free(text);
	return works;
}

static void recurrences_are_computed_side_by_side(void)
{
	char *after = box_apply(recurrence, "scan_channels", "site=2"), *half;

	EXPECT(box_offers(recurrence, "scan_channels", "site=2"));
	EXPECT(after && strstr(after, "b_of[t][s] = b[s][t];"));
	EXPECT(after && strstr(after, "a_of[s][i - first] = a[i][s];"));
	EXPECT(after && strstr(after, "sum[lane] += c_of[t][s] * "
				      "h_of[s][lane];"));
	/* Once is enough, and what is left over is not worth a try. */
	EXPECT(after && !box_offers(after, "scan_channels", NULL));
	EXPECT(after && !box_offers(after, "scan", NULL));
	EXPECT(after && !box_offers(after, "exp", NULL));
	free(after);
	/* From fewer channels than a vector has lanes to many. */
	box_check(recurrence, "scan_channels", "site=2", recurrence_arrays);
	half = box_apply(recurrence, "exp", "");
	EXPECT(half && box_offers(half, "scan_channels", "site=2"));
	after = box_apply_next(half, "scan_channels", "site=2");
	EXPECT(after && box_both_same(recurrence, after, recurrence_arrays));
	free(after);
}

static void steps_of_more_than_a_block_are_those_of_one(void)
{
	char *source = replace_all(recurrence, "50", "150");

	box_check(source, "scan_channels", "site=2",
		  "i:M*150 i:M*16 i:16*150 i:16*150 o:M*150");
	free(source);
}

static void channels_too_few_for_a_vector_stay_apart(void)
{
	char *seven = replace_all(recurrence, "i < M", "i < 7");
	char *eight = replace_all(recurrence, "i < M", "i < 8");

	EXPECT(!box_offers(seven, "scan_channels", NULL));
	EXPECT(box_offers(eight, "scan_channels", "site=2"));
	free(eight);
	free(seven);
}

static void what_channels_prepare_for_themselves_is_not_for_steps(void)
{
	char *own = recurrence_with("for (int t", "float own = a[i][0];\n"
						  "\t\tfor (int t");
	char *used = replace_all(own, "expf(", "expf(own * ");
	char *kept = replace_all(own, "= 0.0f;", "= own;");

	EXPECT(!box_offers(used, "scan_channels", NULL));
	box_check(kept, "scan_channels", "site=2", recurrence_arrays);
	free(kept);
	free(used);
	free(own);
}

static void channels_that_are_not_alike_stay_apart(void)
{
	static const char *const changes[][2] = {
		/* One reads what another writes, */
		{ "y[i][t] = 0.0f;", "y[i][t] = i ? y[i - 1][t] : 0.0f;" },
		{ "y[i][t] = 0.0f;", "y[t % M][i % 50] = 0.0f;" },
		{ "float h = 0.5f;", "float h = y[i][0];" },
		{ "delta[i][t] * b[s][t];", "y[i][t] * b[s][t];" },
		/* or other rows than its own, */
		{ "delta[i][t] * b[s][t];", "delta[M - 1 - i][t] * b[s][t];" },
		{ "delta[i][t] * b[s][t];", "delta[i][49 - t] * b[s][t];" },
		{ "delta[i][t] * b[s][t];", "delta[i][t] * b[s][i % 50];" },
		{ "y[i][t] += c", "y[M - 1 - i][t] += c" },
		/* it matters which one it is, */
		{ "delta[i][t] * b[s][t];", "delta[i][t] * (float)i;" },
		{ "delta[i][t] * b[s][t];", "delta[i][t] * i;" },
		/* they are not all there are, */
		{ "int i = 0; i < M; i++", "int i = 1; i < M; i++" },
		{ "int i = 0; i < M; i++", "int i = 0; i < M; i += 2" },
		/* something else is done, */
		{ "y[i][t] = 0.0f;", "y[i][t] = sinf(a[0][0]);" },
		{ "y[i][t] = 0.0f;", "{ if (i > 9) return; y[i][t] = 0; }" },
		{ "y[i][t] = 0.0f;", "{ static int n; y[i][t] = n++; }" },
		{ "h;\n\t\t\t}\n\t\t}\n",
		  "h;\n\t\t\t}\n\t\t}\n\t\ty[i][0] = 1.0f;\n" },
		{ "delta[i][t] * b[s][t];", "delta[i][t] * b[s][t++];" },
		/* or a loop is around all of it. */
		{ "\tfor (int i = 0", "\tfor (int k = 0; k < 2; k++) "
				      "for (int i = 0" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(changes); i++) {
		char *source = recurrence_with(changes[i][0], changes[i][1]);

		EXPECT(*source);
		if (box_offers(source, "scan_channels", NULL)) {
			printf("# %s\n", changes[i][1]);
			EXPECT(!"it is left alone");
		}
		EXPECT(!box_apply(source, "scan_channels", "site=2"));
		free(source);
	}
}

static const char generic_recurrence[] =
	"{\n"
	"\tfor (size_t i = 0; i < M; i++)\n"
	"\t\tfor (size_t t = 0; t < N; t++)\n"
	"\t\t\ty[i][t] = 0.0f;\n"
	"\tfor (size_t i = 0; i < M; i++) {\n"
	"\t\tfor (size_t s = 0; s < K / 4; s++) {\n"
	"\t\t\tfloat h = 0.5f;\n"
	"\n"
	"\t\t\tfor (size_t t = 0; t < N; t++) {\n"
	"\t\t\t\th = expf(x[i][t] - 2.0f) * h + b[s][t];\n"
	"\t\t\t\ty[i][t] += b[s][t] * h;\n"
	"\t\t\t}\n"
	"\t\t}\n"
	"\t}\n"
	"}\n";
static const char generic_recurrence_head[] =
	"const float x[restrict M][N], const float b[restrict K][N], "
	"float y[restrict M][N]";

static void a_recurrence_may_have_extents_of_run_time(void)
{
	char *source = generic_of(generic_recurrence_head, generic_recurrence,
				  "x, b, y");

	EXPECT(box_offers(source, "scan", "site=3"));
	EXPECT(generic_works(source, "scan", "site=3", "i:M*N i:K*N o:M*N"));
	EXPECT(box_offers(source, "scan_channels", "site=3"));
	EXPECT(generic_works(source, "scan_channels", "site=3",
			     "i:M*N i:K*N o:M*N"));
	free(source);
}

static void extents_that_a_loop_sets_are_not_known_before_it(void)
{
	char *source = generic_of(generic_recurrence_head, generic_recurrence,
				  "x, b, y");
	char *set = replace_all(source, "s = 0; s < K / 4",
				"s = K = 3; s < K / 4");
	char *own = replace_all(source, "i++) {", "i++) { size_t K = i;");

	EXPECT(!box_offers(set, "scan", NULL));
	EXPECT(!box_offers(own, "scan", NULL));
	EXPECT(!box_offers(set, "scan_channels", NULL));
	EXPECT(!box_offers(own, "scan_channels", NULL));
	free(own);
	free(set);
	free(source);
}

static const char generic_rows[] = "{\n"
				   "\tfor (size_t i = 0; i < M; i++) {\n"
				   "\t\tfloat row[N]; /* of scores */\n"
				   "\n"
				   "\t\tfor (size_t j = 0; j < N; j++) {\n"
				   "\t\t\tfloat dot = 0.0f;\n"
				   "\n"
				   "\t\t\tfor (size_t k = 0; k < K; k++)\n"
				   "\t\t\t\tdot += a[i][k] * b[j][k];\n"
				   "\t\t\trow[j] = dot;\n"
				   "\t\t}\n"
				   "\n"
				   "\t\t/* softmax */\n"
				   "\t\tfloat sum = 0.0f;\n"
				   "\n"
				   "\t\tfor (size_t j = 0; j < N; j++) {\n"
				   "\t\t\trow[j] = expf(row[j]);\n"
				   "\t\t\tsum += row[j];\n"
				   "\t\t}\n"
				   "\t\tfor (size_t j = 0; j < N; j++)\n"
				   "\t\t\ty[i][j] = row[j] / sum;\n"
				   "\t}\n"
				   "}\n";
static const char generic_rows_head[] =
	"const float a[restrict M][K], const float b[restrict N][K], "
	"float y[restrict M][N]";

static void rows_that_are_kept_may_have_extents_of_run_time(void)
{
	char *source = generic_of(generic_rows_head, generic_rows, "a, b, y");
	const char *params = "split=0 site=5 rows=6 vecs=2 depth=16 block=12";
	char *after = box_apply(source, "split_tile", params);

	EXPECT(box_offers(source, "split_tile", NULL));
	EXPECT(after && strstr(after, "float *row = row_of + i * N;"));
	EXPECT(after && strstr(after, "/* softmax */"));
	EXPECT(generic_works(source, "split_tile", params,
			     "i:M*K i:N*K o:M*N"));
	free(after);
	free(source);
}

int main(void)
{
	RUN(nests_over_the_same_rows_become_one);
	RUN(a_search_that_starts_at_the_first_starts_below_all);
	RUN(a_row_is_searched_for_its_largest_by_vectors);
	RUN(nests_that_read_other_rows_stay_two);
	RUN(results_are_streamed_past_the_caches);
	RUN(what_a_streamed_loop_reads_is_fetched_early);
	RUN(a_quick_loop_is_streamed_without_early_fetches);
	RUN(what_a_slow_loop_needs_is_fetched_early);
	RUN(loops_that_early_fetches_would_not_help_get_none);
	RUN(what_is_read_again_is_not_streamed);
	RUN(several_results_are_streamed_side_by_side);
	RUN(loops_that_stride_are_interchanged);
	RUN(sums_in_memory_move_to_a_register);
	RUN(steps_of_an_outer_loop_are_jammed);
	RUN(an_inner_loop_is_unrolled);
	RUN(the_rest_of_a_loop_is_left_alone);
	RUN(parameters_are_promised_not_to_overlap);
	RUN(our_own_helpers_need_no_promise);
	RUN(rows_that_end_in_less_than_a_vector_become_one);
	RUN(elements_may_be_counted_in_one_subscript);
	RUN(rows_that_matter_stay_rows);
	RUN(extents_below_zero_are_no_elements);
	RUN(rows_of_another_length_than_the_same_word_stay_rows);
	RUN(states_of_a_recurrence_are_computed_side_by_side);
	RUN(a_recurrence_that_is_more_than_one_is_left_alone);
	RUN(a_matrix_that_a_call_may_write_to_is_not_packed);
	RUN(rows_are_kept_so_that_their_product_can_be_tiled);
	RUN(rows_that_share_more_than_an_array_stay_together);
	RUN(recurrences_are_computed_side_by_side);
	RUN(steps_of_more_than_a_block_are_those_of_one);
	RUN(channels_too_few_for_a_vector_stay_apart);
	RUN(what_channels_prepare_for_themselves_is_not_for_steps);
	RUN(channels_that_are_not_alike_stay_apart);
	RUN(a_recurrence_may_have_extents_of_run_time);
	RUN(extents_that_a_loop_sets_are_not_known_before_it);
	RUN(rows_that_are_kept_may_have_extents_of_run_time);
	RUN(a_flag_goes_into_the_first_comment);
	RUN(a_flag_that_changes_results_is_not_in_the_catalogue);
	RUN(line_ends_and_indents_are_those_of_the_source);
	RUN(a_source_that_uses_our_names_otherwise_is_left_alone);
	RUN(the_inline_exponential_is_exact_and_saturates);
	return tap_done();
}
