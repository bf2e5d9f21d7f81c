/* SPDX-License-Identifier: MIT */
/* Products in register tiles: any form of loops, any extents. */
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

static void a_tile_serves_any_extents(void)
{
	box_check(matmul, "tile", "site=0 rows=6 vecs=2 depth=512",
		  matmul_arrays);
}

static void a_tile_serves_products_deeper_than_its_panel(void)
{
	box_check(matmul, "tile", "site=0 rows=4 vecs=3 depth=16",
		  matmul_arrays);
}

static void a_function_is_marked_once_for_all_its_tiles(void)
{
	static const char two[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float c[restrict M][N],\n"
		"\t    float d[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i][j] += a[i][k] * b[k][j];\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\td[i][j] += a[i][k] * b[k][j];\n"
		"}\n";
	char *after = box_apply(two, "tile",
				"site=3 rows=6 vecs=2 depth=64 block=96");

	after = box_apply_next(after, "tile",
			       "site=0 rows=4 vecs=2 depth=64 block=96");
	EXPECT(after && strstr(after, "TILE2_ROWS"));
	EXPECT(after && strstr(after, "\n\nVEC_WIDE\nvoid kernel("));
	EXPECT(after && !strstr(after, "VEC_WIDE\nVEC_WIDE"));
	free(after);
}

/* 65 columns: four stripes of 16 and one column; or four of 8 and less. */
static void a_last_stripe_of_few_columns_takes_one_vector(void)
{
	static const char *const params[] = {
		"site=0 rows=6 vecs=2 depth=64",
		"site=0 rows=6 vecs=2 depth=9",
		"site=0 rows=4 vecs=4 depth=0",
		"site=0 rows=6 vecs=2 depth=16 block=7",
		"site=0 rows=6 vecs=2 depth=16 block=12 stripes=2",
		"site=0 rows=6 vecs=2 depth=16 block=12 stripes=2 left=1",
		"site=0 rows=6 vecs=2 depth=9 block=12 left=1",
	};
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][65], float c[restrict M][65])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < 65; j++) {\n"
		"\t\t\tfloat s = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += a[i][k] * b[k][j];\n"
		"\t\t\tc[i][j] = s;\n"
		"\t\t}\n"
		"}\n";

	for (size_t i = 0; i < AO_ARRAY_SIZE(params); i++) {
		char *after = box_apply(source, "tile", params[i]);

		EXPECT(after && strstr(after, "const int narrow = "));
		EXPECT(after &&
		       box_both_same(source, after, "i:M*K i:K*65 o:M*65"));
		free(after);
	}
}

static void other_tiles_have_no_second_loop(void)
{
	static const int64_t columns[] = { 64, 74, 16 * 16 + 1 };
	const int64_t values[] = { 65, 65, 65 };
	struct ao_rewrite_context context = box_context;
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	const char *params = "site=0 rows=6 vecs=2 depth=64";

	context.axis_values = values;
	EXPECT(ao_catalogue_apply(&out, matmul, strlen(matmul), &context,
				  "tile", params));
	EXPECT(out.ptr && strstr(out.ptr, "narrow"));
	for (size_t i = 0; i < AO_ARRAY_SIZE(columns); i++) {
		const int64_t other[] = { 65, columns[i], 65 };

		ao_buf_release(&out);
		out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
		context.axis_values = other;
		EXPECT(ao_catalogue_apply(&out, matmul, strlen(matmul),
					  &context, "tile", params));
		EXPECT(out.ptr && !strstr(out.ptr, "narrow"));
	}
	ao_buf_release(&out);
}

static void a_tile_may_be_done_by_blocks_of_rows(void)
{
	box_check(matmul, "tile", "site=0 rows=6 vecs=2 depth=16 block=7",
		  matmul_arrays);
	EXPECT(!box_apply(matmul, "tile",
			  "site=0 rows=6 vecs=2 depth=16 block=5"));
}

static void the_next_stripe_is_asked_for_while_one_is_packed(void)
{
	static const char turned[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict N][K], float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tfloat sum = 0.0f;\n"
		"\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\tsum += a[i][k] * b[j][k];\n"
		"\t\t\tc[i][j] = sum;\n"
		"\t\t}\n"
		"}\n";
	static const char call[] = "VEC_FETCH(&b[k][j0] + TILE_COLS);\n";
	char *after = box_apply(matmul, "tile",
				"site=0 rows=6 vecs=2 depth=16");

	EXPECT(after && strstr(after, call));
	free(after);
	after = box_apply(matmul, "tile", "site=0 rows=6 vecs=2 depth=0");
	EXPECT(after && !strstr(after, "VEC_FETCH"));
	free(after);
	/* Its stripes are rows. */
	after = box_apply(turned, "tile", "site=0 rows=6 vecs=2 depth=16");
	EXPECT(after && !strstr(after, "VEC_FETCH"));
	free(after);
}

static void several_panels_may_be_packed_together(void)
{
	char *after = box_apply(
		matmul, "tile",
		"site=0 rows=6 vecs=2 depth=512 block=96 stripes=8");

	EXPECT(box_offers(matmul, "tile",
			  "site=0 rows=6 vecs=2 depth=512 block=96 stripes=8"));
	EXPECT(after && strstr(after, "TILE_STRIPES = 8,\n"));
	after = box_apply_next(after, "sweep", "TILE_STRIPES=16");
	EXPECT(after && strstr(after, "TILE_STRIPES = 16,\n"));
	free(after);
	box_check(matmul, "tile",
		  "site=0 rows=6 vecs=2 depth=16 block=12 stripes=2",
		  matmul_arrays);
	box_check(matmul, "tile",
		  "site=0 rows=4 vecs=1 depth=64 block=4 stripes=5",
		  matmul_arrays);
	/* They need a depth, and blocks of rows. */
	EXPECT(!box_apply(matmul, "tile",
			  "site=0 rows=6 vecs=2 depth=16 stripes=2"));
	EXPECT(!box_apply(matmul, "tile",
			  "site=0 rows=6 vecs=2 depth=0 block=12 stripes=2"));
}

static const char transposed[] =
	"/* c = a^T b */\n"
	"void kernel(const float a[restrict K][M], const float b[restrict K][N],\n"
	"\t    float c[restrict M][N])\n"
	"{\n"
	"\tfor (int i = 0; i < M; i++) {\n"
	"\t\tfor (int j = 0; j < N; j++)\n"
	"\t\t\tc[i][j] = 0.0f;\n"
	"\t\tfor (int k = 0; k < K; k++)\n"
	"\t\t\tfor (int j = 0; j < N; j++)\n"
	"\t\t\t\tc[i][j] += a[k][i] * b[k][j];\n"
	"\t}\n"
	"}\n";

static const char best_transposed[] =
	"site=0 rows=6 vecs=2 depth=128 block=96 stripes=64 left=1";

/* The parameters of the first tile that is offered; the caller frees them. */
static char *first_tile(const char *source,
			const struct ao_rewrite_context *context)
{
	struct ao_proposal *v;
	size_t count, best = SIZE_MAX;
	char *params;

	ao_catalogue_propose(&v, &count, source, strlen(source), context,
			     false);
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(v[i].move, "tile") &&
		    (best == SIZE_MAX || v[i].prior > v[best].prior))
			best = i;
	}
	params = ao_xstrdup(best == SIZE_MAX ? "" : v[best].params);
	ao_proposals_free(v, count);
	return params;
}

static void a_left_factor_with_far_elements_is_packed_first_of_all(void)
{
	char *params = first_tile(transposed, &box_context);
	char *after = box_apply(transposed, "tile", params);

	EXPECT(!strcmp(params, best_transposed));
	EXPECT(after && strstr(after, "to[r] = a[k][i0 + r];"));
	EXPECT(after && strstr(after, "+= left[k - k0][r] *"));
	EXPECT(after && box_both_same(transposed, after, matmul_arrays));
	free(after);
	free(params);
}

static void what_is_packed_of_both_factors_suits_vectors_and_columns(void)
{
	static const struct {
		uint32_t vector_bytes;
		int64_t columns;
		const char *params;
	} v[] = {
		{ 16, 512,
		  "site=0 rows=6 vecs=2 depth=256 block=96 stripes=64 left=1" },
		{ 32, 513,
		  "site=0 rows=6 vecs=2 depth=128 block=96 stripes=33 left=1" },
		{ 32, 512,
		  "site=0 rows=6 vecs=2 depth=128 block=96 stripes=32 left=1" },
		{ 64, 512,
		  "site=0 rows=12 vecs=2 depth=64 block=96 stripes=16 "
		  "left=1" },
		{ 32, 1,
		  "site=0 rows=6 vecs=2 depth=128 block=96 stripes=1 left=1" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(v); i++) {
		const int64_t values[] = { 512, v[i].columns, 512 };
		struct ao_rewrite_context context = box_context;
		char *params;

		context.axis_values = values;
		context.vector_bytes = v[i].vector_bytes;
		params = first_tile(transposed, &context);
		EXPECT(!strcmp(params, v[i].params));
		free(params);
	}
}

static void other_left_factors_are_read_where_they_are(void)
{
	const int64_t few_rows[] = { 95, 512, 512 };
	struct ao_rewrite_context context = box_context;
	char *params = first_tile(matmul, &context);

	EXPECT(*params && !strstr(params, "left"));
	free(params);
	context.axis_values = few_rows;
	params = first_tile(transposed, &context);
	EXPECT(*params && !strstr(params, "left"));
	free(params);
}

static void a_packed_left_factor_serves_any_extents(void)
{
	static const char *const params[] = {
		"site=0 rows=6 vecs=2 depth=16 block=12 stripes=2 left=1",
		"site=0 rows=4 vecs=1 depth=64 block=4 stripes=5 left=1",
		"site=0 rows=5 vecs=2 depth=7 block=13 stripes=64 left=1",
		"site=0 rows=6 vecs=2 depth=16 block=7 left=1",
		"site=0 rows=4 vecs=3 depth=0 block=8 left=1",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(params); i++)
		box_check(transposed, "tile", params[i], matmul_arrays);
	box_check(matmul, "tile", params[0], matmul_arrays);
}

static void a_packed_left_factor_needs_a_bound(void)
{
	char *source = ao_xstrf("static void product(int M, int N, int K,\n"
				"\tconst float a[restrict K][M],\n"
				"\tconst float b[restrict K][N],\n"
				"\tfloat c[restrict M][N])\n%s"
				"void kernel(const float *a, const float *b,\n"
				"\tfloat *c)\n"
				"{\n"
				"\tproduct(M, N, K, (const void *)a,\n"
				"\t\t(const void *)b, (void *)c);\n"
				"}\n",
				strchr(transposed, '{'));
	static const char whole[] = "site=0 rows=6 vecs=2 depth=16 block=12 "
				    "left=1";

	/* Without blocks there is none, nor without panels of depth known ...
	 */
	EXPECT(!box_apply(transposed, "tile",
			  "site=0 rows=6 vecs=2 depth=16 left=1"));
	EXPECT(!box_apply(source, "tile", whole));
	/* ... nor where all of k is too much. */
	EXPECT(!box_apply(transposed, "tile",
			  "site=0 rows=6 vecs=2 depth=16 block=129 left=1"));
	EXPECT(box_offers(source, "tile", best_transposed));
	free(source);
}

static void a_packed_left_factor_knows_what_rows_need(void)
{
	static const char source[] =
		"void kernel(const float x[restrict K][M],\n"
		"\t    const float w[restrict K][N], float y[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tfloat mean = 0.0f;\n"
		"\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tmean += x[k][i] / K;\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] = 0.0f;\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\ty[i][j] += (x[k][i] - mean) * w[k][j];\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] += mean;\n"
		"\t}\n"
		"}\n";
	static const char params[] = "site=0 rows=6 vecs=2 depth=16 block=12 "
				     "left=1";
	char *after = box_apply(source, "tile", params);
	const int64_t values[] = { 2048, 2048, 512 };
	struct ao_rewrite_context context = box_context;
	char *first;

	context.axis_values = values;
	first = first_tile(source, &context);
	EXPECT(strstr(first, " left=1") && !strstr(first, "stripes"));
	EXPECT(after &&
	       strstr(after, "(x[k][i0 + r] - mean_of[i0 + r - first_row]);"));
	free(first);
	free(after);
	box_check(source, "tile", params, "i:M*K i:K*N o:M*N");
}

static void a_packed_left_factor_may_be_swept(void)
{
	char *after = box_apply(
		transposed, "tile",
		"site=0 rows=6 vecs=2 depth=16 block=12 stripes=4 left=1");

	after = box_apply_next(after, "sweep",
			       "TILE_ROWS=5 TILE_VECS=1 TILE_DEPTH=8 "
			       "TILE_BLOCK=6 TILE_STRIPES=3");
	EXPECT(after && box_both_same(transposed, after, matmul_arrays));
	free(after);
}

static void a_tile_needs_no_panel(void)
{
	box_check(matmul, "tile", "site=0 rows=5 vecs=1 depth=0",
		  matmul_arrays);
}

static void a_tile_keeps_the_loops_for_what_is_smaller(void)
{
	char *after = box_apply(matmul, "tile",
				"site=0 rows=6 vecs=2 depth=512");

	EXPECT(after && strstr(after, "\tif (M < TILE_ROWS || N < TILE_COLS || "
				      "K < 1) {\n"
				      "\t\t/* Too small for a tile. */\n"
				      "\t\tfor (int i = 0; i < M; i++) {\n"));
	EXPECT(after && strstr(after, "TILE_ROWS = 6,\n"));
	free(after);
}

static void a_natural_product_becomes_a_tile(void)
{
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float c[restrict M][N])\n"
		"{\n"
		"\tfor (size_t i = 0; i < (size_t)M; i++) {\n"
		"\t\tfor (size_t j = 0; j < (size_t)N; ++j) {\n"
		"\t\t\tfloat s = 0;\n"
		"\t\t\tfor (size_t k = 0; k < (size_t)K; k += 1)\n"
		"\t\t\t\ts += a[i][k] * b[k][j];\n"
		"\t\t\tc[i][j] = s;\n"
		"\t\t}\n"
		"\t}\n"
		"}\n";

	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=64",
		  matmul_arrays);
}

static void a_natural_product_may_be_summed_in_lanes_before(void)
{
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict N][K], float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tfloat s = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += a[i][k] * b[j][k];\n"
		"\t\t\tc[i][j] = s;\n"
		"\t\t}\n"
		"}\n";
	char *after = box_apply(source, "simd", "");

	EXPECT(after && strstr(after, "reduction(+ : s)"));
	after = box_apply_next(after, "tile", "site=0 rows=6 vecs=2 depth=64");
	EXPECT(after && box_both_same(source, after, "i:M*K i:N*K o:M*N"));
	free(after);
}

static void sums_that_are_used_otherwise_go_through_rows_of_their_own(void)
{
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], const float z[restrict N],\n"
		"\t    float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tconst float bias = z[j];\n"
		"\t\t\tfloat s = 0.5f;\n"
		"\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += 2.0f * a[i][k] * b[k][j];\n"
		"\t\t\t/* a rectifier */\n"
		"\t\t\tif (s + bias < 0.0f)\n"
		"\t\t\t\ts = -bias;\n"
		"\t\t\tc[i][j] = s + bias;\n"
		"\t\t}\n"
		"}\n";
	static const char arrays[] = "i:M*K i:K*N i:N o:M*N";

	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=16 block=12",
		  arrays);
	box_check(source, "tile", "site=0 rows=4 vecs=1 depth=0 block=4",
		  arrays);
}

static void a_product_may_add_to_what_is_there(void)
{
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i][j] += a[i][k] * b[k][j];\n"
		"}\n";

	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=16 block=12",
		  "i:M*K i:K*N u:M*N");
}

static void a_product_may_start_from_another_matrix(void)
{
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], const float z[restrict M][N],\n"
		"\t    float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\tc[i][j] = z[i][j];\n"
		"\tfor (int k = 0; k < K; k++)\n"
		"\t\tfor (int i = 0; i < M; i++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i][j] = c[i][j] + a[i][k] * b[k][j];\n"
		"}\n";

	box_check(source, "tile", "site=2 rows=6 vecs=2 depth=16",
		  "i:M*K i:K*N i:M*N o:M*N");
}

static void a_transposed_factor_is_packed_in_order(void)
{
	static const char source[] =
		"void kernel(const float a[restrict K][M],\n"
		"\t    const float b[restrict N][K], float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tfloat s = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += a[k][i] * b[j][k];\n"
		"\t\t\tc[i][j] = s;\n"
		"\t\t}\n"
		"}\n";
	char *after = box_apply(source, "tile", "site=0 rows=6 vecs=2 depth=0");

	EXPECT(!after);
	free(after);
	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=32",
		  "i:M*K i:K*N o:M*N");
}

static void flat_pointers_and_names_for_rows_are_seen_through(void)
{
	static const char source[] =
		"#include <string.h>\n"
		"void kernel(const float *restrict a, const float *restrict b,\n"
		"\t    float *restrict c)\n"
		"{\n"
		"\tint i, j, k;\n"
		"\tmemset(c, 0, (size_t)M * N * sizeof(*c));\n"
		"\tfor (i = 0; i < M; i++) {\n"
		"\t\tfloat *row = c + (size_t)i * N;\n"
		"\t\tfor (k = 0; k < K; k++) {\n"
		"\t\t\tconst float x = a[i * K + k];\n"
		"\t\t\tfor (j = 0; j < N; j++)\n"
		"\t\t\t\trow[j] += x * b[k * N + j];\n"
		"\t\t}\n"
		"\t}\n"
		"}\n";

	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=16",
		  matmul_arrays);
	box_check(source, "tile", "site=0 rows=4 vecs=2 depth=0",
		  matmul_arrays);
}

static void what_rows_need_before_and_after_is_done_block_by_block(void)
{
	static const char source[] =
		"#include <math.h>\n"
		"void kernel(const float x[restrict M][K],\n"
		"\t    const float w[restrict K][N], float y[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tfloat sum = 0.0f;\n"
		"\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tsum += x[i][k] * x[i][k];\n"
		"\t\tconst float r = sqrtf(sum / K);\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] = 0.0f;\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\ty[i][j] += x[i][k] / r * w[k][j];\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\ty[i][j] += r;\n"
		"\t}\n"
		"}\n";

	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=16 block=12",
		  "i:M*K i:K*N o:M*N");
}

static void a_sweep_changes_only_the_numbers(void)
{
	char *tiled = box_apply(matmul, "tile",
				"site=0 rows=6 vecs=2 depth=512");
	char *swept = box_apply(tiled, "sweep", "TILE_ROWS=4 TILE_VECS=3");
	char *bad = box_apply(tiled, "sweep", "M=3");

	EXPECT(swept && strstr(swept, "TILE_ROWS = 4,\n\tTILE_VECS = 3,\n"));
	EXPECT(swept && strlen(swept) == strlen(tiled));
	EXPECT(box_both_same(matmul, swept, matmul_arrays));
	EXPECT(!bad);
	free(tiled);
	free(swept);
	free(bad);
}

static void generated_code_is_no_site_for_the_same_move(void)
{
	char *tiled = box_apply(matmul, "tile",
				"site=0 rows=6 vecs=2 depth=512");

	EXPECT(tiled && !box_offers(tiled, "tile", NULL));
	EXPECT(tiled && !box_offers(tiled, "interchange", NULL));
	free(tiled);
}

static void two_products_have_constants_of_their_own(void)
{
	static const char source[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float c[restrict M][N],\n"
		"\t    float d[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tfloat s = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += a[i][k] * b[k][j];\n"
		"\t\t\tc[i][j] = s;\n"
		"\t\t}\n"
		"\t}\n"
		"\tfor (int row = 0; row < M; row++) {\n"
		"\t\tfor (int col = 0; col < N; col++) {\n"
		"\t\t\tfloat sums = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\tsums += b[k][col] * a[row][k];\n"
		"\t\t\td[row][col] = 2.0f * sums;\n"
		"\t\t}\n"
		"\t}\n"
		"}\n";
	char *after = box_apply(source, "tile",
				"site=3 rows=4 vecs=2 depth=16 block=8");

	after = box_apply_next(after, "tile", "site=0 rows=6 vecs=2 depth=64");
	EXPECT(after && strstr(after, "TILE2_ROWS = 6"));
	EXPECT(after && !box_offers(after, "tile", NULL));
	EXPECT(after &&
	       box_both_same(source, after, "i:M*K i:K*N o:M*N o:M*N"));
	free(after);
}

static void names_of_the_source_are_not_taken_again(void)
{
	static const char source[] =
		"#define row 1\n"
		"void kernel(const float sums[restrict M][K],\n"
		"\t    const float panel[restrict K][N],\n"
		"\t    float to[restrict M][N])\n"
		"{\n"
		"\tfor (int r = 0; r < M; r++) {\n"
		"\t\tfor (int v = 0; v < N; v++)\n"
		"\t\t\tto[r][v] = 0.0f;\n"
		"\t\tfor (int lane = 0; lane < K; lane++)\n"
		"\t\t\tfor (int v = 0; v < N; v++)\n"
		"\t\t\t\tto[r][v] += sums[r][lane] * panel[lane][v];\n"
		"\t}\n"
		"}\n";

	box_check(source, "tile", "site=0 rows=6 vecs=2 depth=16",
		  matmul_arrays);
}

static void a_pragma_may_stand_within_a_nest_but_not_before_it(void)
{
	static const char within[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++) {\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\tc[i][j] = 0.0f;\n"
		"\t\tfor (int k = 0; k < K; k++) {\n"
		"#pragma omp simd\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i][j] += a[i][k] * b[k][j];\n"
		"\t\t}\n"
		"\t}\n"
		"}\n";
	static const char before[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict K][N], float c[restrict M][N])\n"
		"{\n"
		"#pragma omp parallel for\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i][j] += a[i][k] * b[k][j];\n"
		"}\n";

	box_check(within, "tile", "site=0 rows=6 vecs=2 depth=16",
		  matmul_arrays);
	EXPECT(!box_offers(before, "tile", NULL));
}

static void divisions_of_integers_are_not_taken_apart(void)
{
	static const char *const values[] = {
		"a[i][k] * b[k][j] / (K / 2 + 1)",
		"a[i][k] * b[k][j] * (7 / 2)",
		"a[i][k] * b[k][j] * (1 + i / 2 * 3) * (i / 2)",
		"scale * a[i][k] * b[k][j] * scale / 1000000",
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(values); n++) {
		char *source = ao_xstrf(
			"void kernel(const float a[restrict M][K],\n"
			"\t    const float b[restrict K][N], float c[restrict M][N])\n"
			"{\n"
			"\tconst int scale = 100000;\n"
			"\n"
			"\t(void)scale;\n"
			"\tfor (int i = 0; i < M; i++)\n"
			"\t\tfor (int j = 0; j < N; j++) {\n"
			"\t\t\tfloat s = 0.0f;\n"
			"\t\t\tfor (int k = 0; k < K; k++)\n"
			"\t\t\t\ts += %s;\n"
			"\t\t\tc[i][j] = s;\n"
			"\t\t}\n"
			"}\n",
			values[n]);

		box_check(source, "tile", "site=0 rows=4 vecs=2 depth=16",
			  matmul_arrays);
		free(source);
	}
}

int main(void)
{
	RUN(a_tile_serves_any_extents);
	RUN(a_tile_serves_products_deeper_than_its_panel);
	RUN(a_function_is_marked_once_for_all_its_tiles);
	RUN(a_last_stripe_of_few_columns_takes_one_vector);
	RUN(other_tiles_have_no_second_loop);
	RUN(a_tile_may_be_done_by_blocks_of_rows);
	RUN(the_next_stripe_is_asked_for_while_one_is_packed);
	RUN(several_panels_may_be_packed_together);
	RUN(a_left_factor_with_far_elements_is_packed_first_of_all);
	RUN(what_is_packed_of_both_factors_suits_vectors_and_columns);
	RUN(other_left_factors_are_read_where_they_are);
	RUN(a_packed_left_factor_serves_any_extents);
	RUN(a_packed_left_factor_needs_a_bound);
	RUN(a_packed_left_factor_knows_what_rows_need);
	RUN(a_packed_left_factor_may_be_swept);
	RUN(a_tile_needs_no_panel);
	RUN(a_tile_keeps_the_loops_for_what_is_smaller);
	RUN(a_natural_product_becomes_a_tile);
	RUN(a_natural_product_may_be_summed_in_lanes_before);
	RUN(sums_that_are_used_otherwise_go_through_rows_of_their_own);
	RUN(a_product_may_add_to_what_is_there);
	RUN(a_product_may_start_from_another_matrix);
	RUN(a_transposed_factor_is_packed_in_order);
	RUN(flat_pointers_and_names_for_rows_are_seen_through);
	RUN(what_rows_need_before_and_after_is_done_block_by_block);
	RUN(a_sweep_changes_only_the_numbers);
	RUN(generated_code_is_no_site_for_the_same_move);
	RUN(two_products_have_constants_of_their_own);
	RUN(names_of_the_source_are_not_taken_again);
	RUN(a_pragma_may_stand_within_a_nest_but_not_before_it);
	RUN(divisions_of_integers_are_not_taken_apart);
	return tap_done();
}
