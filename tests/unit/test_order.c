/* SPDX-License-Identifier: MIT */
/*
 * What must keep moves from changing the order in which a nest works: what one
 * round leaves for the next, and what one part leaves for another.
 */
#include "tap.h"

#include "movebox.h"

/* Whether a move is offered for a kernel of these statements. */
static bool is_offered(const char *statements, const char *move)
{
	char *source = ao_xstrf(
		"#include <math.h>\n"
		"#include <string.h>\n"
		"static float seen;\n"
		"static void see(float x) { seen = x; }\n"
		"struct state { float low[64]; float last; };\n"
		"void kernel(const float a[restrict M][K], float b[restrict K][N],\n"
		"\t    float c[restrict M][N], float d[restrict M][N],\n"
		"\t    float *restrict p, struct state *restrict s)\n"
		"{\n"
		"%s"
		"}\n",
		statements);
	bool offers = box_offers(source, move, NULL);

	free(source);
	return offers;
}

/* A move is to be offered for these statements, or is not to be. */
static void expect_offer(const char *statements, const char *move, bool wanted)
{
	if (is_offered(statements, move) == wanted)
		return;
	for (size_t len; *statements; statements += len + 1) {
		len = strcspn(statements, "\n");
		printf("# %.*s\n", (int)len, statements);
	}
	EXPECT(false);
}

/* A product whose sum is called t, with statements that use it. */
static char *product_with(const char *use)
{
	return ao_xstrf("\tfloat last = 0, all = 0, most = 0;\n"
			"\tfor (int i = 0; i < M; i++)\n"
			"\t\tfor (int j = 0; j < N; j++) {\n"
			"\t\t\tfloat t = 0;\n"
			"\t\t\tfor (int k = 0; k < K; k++)\n"
			"\t\t\t\tt += a[i][k] * b[k][j];\n"
			"\t\t\t%s\n"
			"\t\t}\n"
			"\tp[0] = all + most + last;\n",
			use);
}

static void a_number_that_goes_from_sum_to_sum_keeps_a_product(void)
{
	static const struct {
		const char *use;
		bool is_free;
	} cases[] = {
		{ "c[i][j] = t;", true },
		{ "all += t; c[i][j] = t;", true },
		{ "last = t * t; c[i][j] = last + 1;", true },
		{ "c[i][j] = t + last; last = t;", false },
		{ "all += t; c[i][j] = all;", false },
		{ "if (t > 0) last = t; c[i][j] = t;", false },
		{ "if (t > 0) { last = t; } c[i][j] = last;", false },
		{ "most = t > most ? t : most; c[i][j] = most;", false },
		{ "last = last * 0.5f + t; c[i][j] = t;", false },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(cases); n++) {
		char *text = product_with(cases[n].use);

		expect_offer(text, "tile", cases[n].is_free);
		free(text);
	}
}

/* A nest that interchange and jam would take, around one statement. */
static char *nest_with(const char *statement)
{
	return ao_xstrf("\tfloat h = 0;\n"
			"\tint at = 0;\n"
			"\tfor (int j = 0; j < N; j++)\n"
			"\t\tfor (int i = 0; i < M; i++)%s\n"
			"\tp[0] = h + at;\n",
			statement);
}

static void a_number_that_goes_from_round_to_round_keeps_its_nest(void)
{
	static const struct {
		const char *statement;
		bool is_free;
	} cases[] = {
		{ " h += c[i][j] * p[i];", true },
		{ " { h = c[i][j] * p[i]; d[i][j] = h; }", true },
		{ " h = h * p[i] + c[i][j];", false },
		{ " { d[i][j] = h * p[i]; h = c[i][j]; }", false },
		{ " { d[i][j] = c[i][j] * p[i]; at = i; }", false },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(cases); n++) {
		char *text = nest_with(cases[n].statement);

		expect_offer(text, "interchange", cases[n].is_free);
		expect_offer(text, "jam", cases[n].is_free);
		free(text);
	}
}

static void a_number_set_only_sometimes_keeps_its_nest(void)
{
	char *text = nest_with(" { if (c[i][j] > 0) h = c[i][j]; }");

	EXPECT(!is_offered(text, "interchange"));
	free(text);
}

/* Rows of a product, with something before it, for each sum, and behind it. */
static char *rows_with(const char *const parts[3])
{
	return ao_xstrf("\tfor (int i = 0; i < M; i++) {\n"
			"\t\t%s\n"
			"\t\tfor (int j = 0; j < N; j++) {\n"
			"\t\t\tfloat t = 0;\n"
			"\t\t\tfor (int k = 0; k < K; k++)\n"
			"\t\t\t\tt += a[i][k] * b[k][j];\n"
			"\t\t\t%s\n"
			"\t\t}\n"
			"\t\tfor (int j = 0; j < N; j++) {\n"
			"\t\t\t%s\n"
			"\t\t}\n"
			"\t}\n",
			parts[0], parts[1], parts[2]);
}

static void rows_that_share_an_array_keep_a_product(void)
{
	static const struct {
		const char *parts[3];
		bool is_free;
	} cases[] = {
		{ { "", "d[i][j] = t;", "c[i][j] = d[i][j];" }, true },
		{ { "", "p[i * N + j] = t;", "c[i][j] = p[i * N + j];" },
		  true },
		{ { "float *row = p + i * N;", "row[j] = t;",
		    "c[i][j] = p[i * N + j];" },
		  true },
		{ { "p[i] = a[i][0];", "c[i][j] = t * p[i];", "" }, true },
		{ { "memset(d[i], 0, 4);", "d[i][j] += t;", "" }, true },
		{ { "p[i] = sqrtf(a[i][0]);", "c[i][j] = t * p[i];", "" },
		  true },
		{ { "", "p[j] = t;", "" }, true },
		{ { "", "p[j] = t;", "c[i][j] = p[j];" }, false },
		{ { "", "p[j] = t + 1;", "c[i][j] = p[j];" }, false },
		{ { "", "p[i + j] = t;", "c[i][j] = p[i + j];" }, false },
		{ { "", "p[2 * i + j] = t;", "c[i][j] = p[2 * i + j];" },
		  false },
		{ { "", "p[i / 2] = t;", "c[i][j] = p[i / 2];" }, false },
		{ { "", "d[i][j] = t;", "c[i][j] = d[j][i];" }, false },
		{ { "", "d[i][j] = t;", "c[i][j] = d[i + 1][j];" }, false },
		{ { "", "d[i][j] = t;", "c[i][j] = *(&d[0][0] + j);" }, false },
		{ { "float *row = p;", "c[i][j] = t;", "row[j] = p[i];" },
		  true },
		{ { "float *row = p;", "row[j] = t;", "c[i][j] = *(row + j);" },
		  false },
		{ { "p[0] = a[i][0];", "c[i][j] = t * p[0];", "" }, false },
		{ { "memset(p, 0, 4);", "p[i] += t;", "" }, false },
		{ { "see(a[i][0]);", "c[i][j] = t;", "" }, false },
		{ { "s->low[0] = a[i][0];", "c[i][j] = t * s->low[0];", "" },
		  false },
		{ { "s->last = a[i][0];", "c[i][j] = t * s->last;", "" },
		  false },
		{ { "", "b[0][j] = t + 1;", "" }, false },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(cases); n++) {
		char *text = rows_with(cases[n].parts);

		expect_offer(text, "tile", cases[n].is_free);
		free(text);
	}
}

/* Two loops or nests over the same range. */
static char *two_loops(unsigned levels, const char *first, const char *second)
{
	static const char rows[] = "\tfor (int i = 0; i < M; i++) {\n";
	static const char both[] = "\tfor (int i = 0; i < M; i++)\n"
				   "\tfor (int j = 0; j < N; j++) {\n";
	const char *head = levels == 1 ? rows : both;

	return ao_xstrf("%s\t\t%s\n\t}\n%s\t\t%s\n\t}\n", head, first, head,
			second);
}

static void loops_that_share_an_array_stay_apart(void)
{
	static const struct {
		unsigned levels;
		const char *first, *second;
		bool is_free;
	} cases[] = {
		{ 1, "p[i] = a[i][0];", "c[i][0] = p[i];", true },
		{ 1, "p[i] = a[i][0];", "c[i][0] = expf(p[i]);", true },
		{ 1, "d[i][0] = 0; for (int j = 1; j < N; j++) d[i][j] = 1;",
		  "for (int j = 0; j < N; j++) c[i][j] = d[i][j];", true },
		{ 1, "float q[4]; q[0] = a[i][0]; p[i] = q[0];",
		  "float r[4]; r[0] = a[i][0]; c[i][0] = r[0];", true },
		{ 2, "d[i][j] = a[i][0];", "c[i][j] = d[i][j];", true },
		{ 2, "c[i][j] = a[i][0];", "d[i][j] = a[0][i];", true },
		{ 1, "p[i] = a[i][0];", "c[i][0] = p[M - 1 - i];", false },
		{ 1, "p[i] = a[i][0];", "c[i][0] = *(p + M - 1 - i);", false },
		{ 1, "*(p + i) = a[i][0];", "c[i][0] = p[M - 1 - i];", false },
		{ 1, "*(p + i) = a[i][0];", "c[i][0] = p[i];", false },
		{ 1, "d[i][0] = 0; for (int j = 1; j < N; j++) d[i][j] = 1;",
		  "for (int j = 0; j < N; j++) c[i][j] = d[j][i];", false },
		{ 2, "p[j] += a[i][0];", "c[i][j] = p[j];", false },
		{ 2, "p[i] += b[i][j];", "c[i][j] = p[i];", false },
		{ 2, "d[i][j] = a[i][0];", "c[i][j] = d[j][i];", false },
		{ 2, "d[i][j] = a[i][0];", "c[i][j] = d[i][j + 1];", false },
		{ 2, "p[i + j] = a[i][0];", "c[i][j] = p[i + j];", false },
		{ 1, "s->low[i] = a[i][0];", "c[i][0] = s->low[i];", true },
		{ 1, "s->low[i] = a[i][0];", "c[i][0] = s->low[0];", false },
		{ 1, "s->last = a[i][0];", "c[i][0] = s->last;", false },
		{ 1, "see(a[i][0]);", "p[i] = seen;", false },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(cases); n++) {
		char *text = two_loops(cases[n].levels, cases[n].first,
				       cases[n].second);

		expect_offer(text, "fuse", cases[n].is_free);
		free(text);
	}
}

static void halves_that_share_an_array_stay_one_loop(void)
{
	static const char halves[] = "\tfor (int i = 0; i < 64; i++) {\n"
				     "\t\tfloat row[64];\n"
				     "\t\tfor (int j = 0; j < 64; j++) {\n"
				     "\t\t\tfloat t = 0;\n"
				     "\t\t\tfor (int k = 0; k < K; k++)\n"
				     "\t\t\t\tt += a[i][k] * b[k][j];\n"
				     "\t\t\trow[j] = t;\n"
				     "\t\t\td[i][j] = t;\n"
				     "\t\t}\n"
				     "\t\tfloat first = row[0];\n"
				     "\t\tfor (int j = 0; j < 64; j++)\n"
				     "\t\t\tc[i][j] = row[j] * first + %s;\n"
				     "\t}\n";
	static const char *const uses[] = { "d[i][j]", "d[j][i]", "d[0][j]" };

	for (size_t n = 0; n < AO_ARRAY_SIZE(uses); n++) {
		const char *use = strstr(halves, "%s");
		char *text = ao_xstrf("%.*s%s%s", (int)(use - halves), halves,
				      uses[n], use + 2);

		EXPECT(is_offered(text, "split_tile") == (n == 0));
		free(text);
	}
}

int main(void)
{
	RUN(rows_that_share_an_array_keep_a_product);
	RUN(loops_that_share_an_array_stay_apart);
	RUN(halves_that_share_an_array_stay_one_loop);
	RUN(a_number_that_goes_from_sum_to_sum_keeps_a_product);
	RUN(a_number_that_goes_from_round_to_round_keeps_its_nest);
	RUN(a_number_set_only_sometimes_keeps_its_nest);
	return tap_done();
}
