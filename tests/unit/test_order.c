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

		if (is_offered(text, "tile") != cases[n].is_free) {
			printf("# %s\n", cases[n].use);
			EXPECT(false);
		}
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

		if (is_offered(text, "interchange") != cases[n].is_free ||
		    is_offered(text, "jam") != cases[n].is_free) {
			printf("# %s\n", cases[n].statement);
			EXPECT(false);
		}
		free(text);
	}
}

static void a_number_set_only_sometimes_keeps_its_nest(void)
{
	char *text = nest_with(" { if (c[i][j] > 0) h = c[i][j]; }");

	EXPECT(!is_offered(text, "interchange"));
	free(text);
}

int main(void)
{
	RUN(a_number_that_goes_from_sum_to_sum_keeps_a_product);
	RUN(a_number_that_goes_from_round_to_round_keeps_its_nest);
	RUN(a_number_set_only_sometimes_keeps_its_nest);
	return tap_done();
}
