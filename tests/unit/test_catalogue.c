/* SPDX-License-Identifier: MIT */
/* What the catalogue offers, for which source; moves have tests of their own.
 */
#include "tap.h"

#include "movebox.h"

static struct ao_proposal *proposals;
static size_t proposal_count;

static void propose_in(const struct ao_rewrite_context *context,
		       const char *source, bool sweep)
{
	ao_proposals_free(proposals, proposal_count);
	ao_catalogue_propose(&proposals, &proposal_count, source,
			     strlen(source), context, sweep);
}

static void propose(const char *source)
{
	propose_in(&box_context, source, false);
}

static const struct ao_proposal *find(const char *move)
{
	for (size_t i = 0; i < proposal_count; i++)
		if (!strcmp(proposals[i].move, move))
			return &proposals[i];
	return NULL;
}

static bool has_features(const char *move, const char *wanted)
{
	const struct ao_proposal *p = find(move);

	if (p && strcmp(p->features, wanted) != 0)
		printf("# %s\n", p->features);
	return p && !strcmp(p->features, wanted);
}

static const char product[] =
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

static void every_offer_says_all_there_is_to_say(void)
{
	static const char source[] =
		"#include <math.h>\n"
		"void kernel(const float x[M][K], const float w[K][N],\n"
		"\t    float y[M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tfloat s = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += x[i][k] * w[k][j];\n"
		"\t\t\ty[i][j] = expf(s);\n"
		"\t\t}\n"
		"}\n";

	propose(source);
	EXPECT(proposal_count > 10);
	for (size_t i = 0; i < proposal_count; i++) {
		EXPECT(*proposals[i].move && !strchr(proposals[i].move, ' '));
		EXPECT(*proposals[i].title && strlen(proposals[i].title) < 72);
		EXPECT(strlen(proposals[i].text) > 20);
		EXPECT(!strstr(proposals[i].text, "  "));
		EXPECT(proposals[i].prior > -1 && proposals[i].prior < 6);
	}
}

static void every_offer_can_be_carried_out(void)
{
	static const char source[] =
		"#include <math.h>\n"
		"void kernel(const float *x, float *y, float *z, float *w)\n"
		"{\n"
		"\tfloat m = x[0], s = 0.0f;\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tif (x[i] > m) m = x[i];\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\ts += expf(x[i] - m);\n"
		"\tfor (int i = 0; i < N; i++)\n"
		"\t\tfor (int j = 0; j < M; j++)\n"
		"\t\t\ty[j * N + i] = x[j] / s;\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\tz[i] += x[j] * sqrtf(s);\n"
		"\tfor (int i = 0; i < M * N; i++)\n"
		"\t\tw[i] = 2.0f;\n"
		"}\n";

	propose(source);
	EXPECT(find("exp_simd") && find("simd") && find("restrict"));
	EXPECT(find("interchange") && find("divide") && find("scalar"));
	EXPECT(find("stream") && find("unroll") && find("flag"));
	for (size_t i = 0; i < proposal_count; i++) {
		char *after = box_apply(source, proposals[i].move,
					proposals[i].params);

		if (!after)
			printf("# %s %s\n", proposals[i].move,
			       proposals[i].params);
		EXPECT(after && strcmp(after, source) != 0);
		free(after);
	}
}

static void what_has_no_place_is_not_offered(void)
{
	static const char source[] =
		"void kernel(const float *x, float *y, float q)\n"
		"{\n"
		"\tif (q > 1)\n"
		"\t\tfor (int i = 0; i < M; i++)\n"
		"\t\t\ty[0] += x[i] / q;\n"
		"%s"
		"}\n";
	static const char loop[] = "\tfor (int i = 0; i < M; i++)\n"
				   "\t\ty[i] = x[i] / q;\n";
	char *alone = ao_xstrf("%.*s}\n", (int)(strstr(source, "%s") - source),
			       source);
	char *both = ao_xstrf("%.*s%s}\n", (int)(strstr(source, "%s") - source),
			      source, loop);
	char *after = box_apply(both, "divide", "");

	propose(alone);
	EXPECT(!find("scalar") && !find("divide"));
	/* One without a place does not keep the others from theirs. */
	propose(both);
	EXPECT(find("divide"));
	EXPECT(after && strstr(after, "x[i] / q") &&
	       strstr(after, "x[i] * q_inverse"));
	free(after);
	free(both);
	free(alone);
}

static void what_needs_a_helper_that_cannot_be_had_is_not_offered(void)
{
	propose("#include <math.h>\n"
		"static float exp_inline(float x) { return x; }\n"
		"void kernel(const float *x, float *y)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\ty[i] = expf(x[i]) + exp_inline(x[i]);\n"
		"}\n");
	EXPECT(proposal_count > 0 && !find("exp"));
}

static void offers_are_the_same_each_time(void)
{
	struct ao_strs before = { 0 };

	propose(product);
	for (size_t i = 0; i < proposal_count; i++)
		ao_strs_pushf(&before, "%s %s", proposals[i].move,
			      proposals[i].params);
	propose(product);
	EXPECT(before.count == proposal_count);
	for (size_t i = 0; i < before.count && i < proposal_count; i++) {
		char *now = ao_xstrf("%s %s", proposals[i].move,
				     proposals[i].params);

		EXPECT(!strcmp(now, before.v[i]));
		free(now);
	}
	ao_strs_release(&before);
}

static void features_describe_the_site_in_order(void)
{
	static const char strided[] =
		"void kernel(const float a[restrict M][K],\n"
		"\t    const float b[restrict N][K], float c[restrict M][N])\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\tfloat s = 0.0f;\n"
		"\t\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\t\ts += a[i][k] * b[j][k];\n"
		"\t\t\tc[i][j] = s > 0 ? s : 0;\n"
		"\t\t}\n"
		"}\n";

	propose(product);
	EXPECT(has_features("tile", "contraction"));
	propose(strided);
	EXPECT(has_features("tile", "contraction,strided,use"));
}

static void wider_registers_get_larger_tiles(void)
{
	struct ao_rewrite_context wide = box_context;
	const struct ao_proposal *p;

	propose(product);
	p = find("tile");
	EXPECT(p && strstr(p->params, "rows=6 vecs=2"));
	wide.vector_bytes = 64;
	propose_in(&wide, product, false);
	p = find("tile");
	EXPECT(p && strstr(p->params, "rows=12 vecs=2"));
	wide.vector_bytes = 0;
	propose_in(&wide, product, false);
	EXPECT(find("tile") != NULL);
}

static void a_panel_is_as_deep_as_the_product_within_bounds(void)
{
	static const int64_t values[] = { 64, 64, 100 };
	struct ao_rewrite_context context = box_context;
	const struct ao_proposal *p;

	propose(product);
	p = find("tile");
	EXPECT(p && strstr(p->params, "depth=1024"));
	context.axis_values = values;
	propose_in(&context, product, false);
	p = find("tile");
	EXPECT(p && strstr(p->params, "depth=128"));
	context.axis_count = 0;
	propose_in(&context, product, false);
	p = find("tile");
	EXPECT(p && strstr(p->params, "depth=512"));
}

static void a_sweep_needs_something_to_vary(void)
{
	char *tiled;

	propose_in(&box_context, product, true);
	EXPECT(proposal_count == 0);
	tiled = box_apply(product, "tile", "site=0 rows=6 vecs=2 depth=512");
	EXPECT(tiled != NULL);
	propose_in(&box_context, tiled ? tiled : "", true);
	EXPECT(proposal_count >= 5);
	for (size_t i = 0; i < proposal_count; i++)
		EXPECT(!strstr(proposals[i].params, "TILE_ROWS=6 TILE_VECS=2"));
	free(tiled);
}

static void a_sweep_keeps_to_what_a_tile_may_be(void)
{
	static const struct {
		const char *params;
		bool applies;
	} v[] = {
		{ "TILE_ROWS=16", true },     { "TILE_ROWS=17", false },
		{ "TILE_VECS=8", true },      { "TILE_VECS=9", false },
		{ "TILE_DEPTH=16384", true }, { "TILE_DEPTH=16385", false },
		{ "TILE_STRIPES=64", true },  { "TILE_STRIPES=65", false },
		{ "TILE_COLS=8", false },     { "VEC_LANES=8", false },
	};
	char *tiled = box_apply(product, "tile",
				"site=0 rows=6 vecs=2 depth=64 block=12 "
				"stripes=2");

	for (size_t i = 0; i < AO_ARRAY_SIZE(v); i++) {
		char *after = box_apply(tiled, "sweep", v[i].params);

		EXPECT((after != NULL) == v[i].applies);
		free(after);
	}
	free(tiled);
}

static void a_sweep_keeps_tiles_to_what_a_stack_has(void)
{
	static const struct {
		const char *tile;
		const char *params;
		bool applies;
	} v[] = {
		{ "block=96 stripes=64", "TILE_DEPTH=512", true },
		{ "block=96 stripes=64", "TILE_DEPTH=2048", false },
		{ "block=96 stripes=64", "TILE_BLOCK=4096 TILE_DEPTH=256",
		  true },
		{ "block=96 stripes=64 left=1", "TILE_BLOCK=192", true },
		{ "block=96 stripes=64 left=1",
		  "TILE_BLOCK=4096 TILE_DEPTH=256", false },
		/* All of the left factor's rows, of 2048 floats. */
		{ "block=96 left=1", "TILE_BLOCK=192", true },
		{ "block=96 left=1", "TILE_BLOCK=384", false },
		{ "block=96", "TILE_BLOCK=384", true },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(v); i++) {
		char *params = ao_xstrf("site=0 rows=6 vecs=2 depth=64 %s",
					v[i].tile);
		char *tiled = box_apply(product, "tile", params);
		char *after = tiled ? box_apply(tiled, "sweep", v[i].params)
				    : NULL;

		EXPECT(tiled && (after != NULL) == v[i].applies);
		free(after);
		free(tiled);
		free(params);
	}
}

static void flags_are_offered_where_they_can_matter(void)
{
	static const char root[] = "#include <math.h>\n"
				   "void kernel(float *x)\n"
				   "{\n"
				   "\tfor (int i = 0; i < M; i++)\n"
				   "\t\tx[i] = sqrtf(x[i]);\n"
				   "}\n";
	static const char choice[] = "void kernel(float *x)\n"
				     "{\n"
				     "\tfor (int i = 0; i < M; i++)\n"
				     "\t\tx[i] = x[i] > 0 ? x[i] : 0;\n"
				     "}\n";
	char *tiled;

	EXPECT(box_offers(root, "flag", "flag=-fno-math-errno"));
	EXPECT(!box_offers(product, "flag", "flag=-fno-math-errno"));
	EXPECT(!box_offers(product, "flag", "flag=-mprefer-vector-width=512"));
	EXPECT(box_offers(choice, "flag", "flag=-fno-trapping-math"));
	tiled = box_apply(product, "tile", "site=0 rows=6 vecs=2 depth=64");
	EXPECT(tiled && !box_offers(tiled, "flag", "flag=-fno-trapping-math"));
	free(tiled);
}

static void what_is_not_understood_is_left_alone(void)
{
	static const char *const sources[] = {
		"",
		"int x;",
		"void kernel(float *x) { while (*x) x++; }",
		"void kernel(float *x) { for (;;) ; }",
		"void kernel(float *x) { for (int i = 0; i < 3; i++) {",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(sources); i++) {
		propose(sources[i]);
		EXPECT(!find("tile") && !find("stream") && !find("exp"));
	}
	EXPECT(!box_apply("int x;", "tile", "site=0 rows=6 vecs=2 depth=64"));
}

static void a_loop_that_is_left_early_or_moved_is_no_product(void)
{
	static const char early[] =
		"void kernel(const float *a, const float *b, float *c)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++) {\n"
		"\t\t\t\tif (j > i) break;\n"
		"\t\t\t\tc[i * N + j] += a[i * K + k] * b[k * N + j];\n"
		"\t\t\t}\n"
		"}\n";
	static const char triangle[] =
		"void kernel(const float *a, const float *b, float *c)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < i; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i * N + j] += a[i * K + k] * b[k * N + j];\n"
		"}\n";
	static const char in_place[] =
		"void kernel(float *a, const float *b)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\ta[i * N + j] += a[i * K + k] * b[k * N + j];\n"
		"}\n";

	EXPECT(!box_offers(early, "tile", NULL));
	EXPECT(!box_offers(triangle, "tile", NULL));
	EXPECT(!box_offers(in_place, "tile", NULL));
}

static void doubles_are_not_put_into_vectors_of_floats(void)
{
	static const char source[] =
		"void kernel(const double *restrict a, const double *restrict b,\n"
		"\t    double *restrict c)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"\t\t\t\tc[i * N + j] += a[i * K + k] * b[k * N + j];\n"
		"}\n";

	EXPECT(!box_offers(source, "tile", NULL));
	EXPECT(!box_offers(source, "stream", NULL));
}

static void conditional_directives_within_a_nest_keep_it_as_it_is(void)
{
	static const char source[] =
		"void kernel(const float *a, const float *b, float *c)\n"
		"{\n"
		"\tfor (int i = 0; i < M; i++)\n"
		"\t\tfor (int k = 0; k < K; k++)\n"
		"\t\t\tfor (int j = 0; j < N; j++)\n"
		"#ifdef FAST\n"
		"\t\t\t\tc[i * N + j] += a[i * K + k] * b[k * N + j];\n"
		"#endif\n"
		"}\n";

	EXPECT(!box_offers(source, "tile", NULL));
}

static void parameters_out_of_bounds_do_not_apply(void)
{
	static const char *const params[] = {
		"",
		"site=0",
		"site=0 rows=0 vecs=2 depth=64",
		"site=0 rows=6 vecs=99 depth=64",
		"site=-1 rows=6 vecs=2 depth=64",
		"site=1 rows=6 vecs=2 depth=64",
		"site=0 rows=6x vecs=2 depth=64",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(params); i++) {
		char *after = box_apply(product, "tile", params[i]);

		EXPECT(!after);
		free(after);
	}
}

int main(void)
{
	RUN(every_offer_says_all_there_is_to_say);
	RUN(every_offer_can_be_carried_out);
	RUN(what_has_no_place_is_not_offered);
	RUN(what_needs_a_helper_that_cannot_be_had_is_not_offered);
	RUN(offers_are_the_same_each_time);
	RUN(features_describe_the_site_in_order);
	RUN(wider_registers_get_larger_tiles);
	RUN(a_panel_is_as_deep_as_the_product_within_bounds);
	RUN(a_sweep_needs_something_to_vary);
	RUN(a_sweep_keeps_to_what_a_tile_may_be);
	RUN(a_sweep_keeps_tiles_to_what_a_stack_has);
	RUN(flags_are_offered_where_they_can_matter);
	RUN(what_is_not_understood_is_left_alone);
	RUN(a_loop_that_is_left_early_or_moved_is_no_product);
	RUN(doubles_are_not_put_into_vectors_of_floats);
	RUN(conditional_directives_within_a_nest_keep_it_as_it_is);
	RUN(parameters_out_of_bounds_do_not_apply);
	ao_proposals_free(proposals, proposal_count);
	return tap_done();
}
