/* SPDX-License-Identifier: MIT */
/*
 * The moves on loops as they are written in numerical programs: counters
 * declared outside and of any type, flat pointers, bounds known only at run
 * time, steps, downward loops; and what must keep a move from such loops.
 */
#include "tap.h"

#include "movebox.h"

/* A kernel around statements; p, q and r are its arrays. */
static char *kernel_of(const char *statements)
{
	return ao_xstrf(
		"#include <stddef.h>\n"
		"void kernel(const float *p, const float *q, float *r)\n"
		"{\n"
		"\tsize_t m = (size_t)M, n = (size_t)N, depth = "
		"(size_t)K;\n"
		"\tsize_t i, j, k;\n"
		"\tfloat s;\n"
		"\n"
		"%s"
		"}\n",
		statements);
}

static bool is_offered(const char *statements, const char *move)
{
	char *source = kernel_of(statements);
	bool offers = box_offers(source, move, NULL);

	free(source);
	return offers;
}

/*
 * Whether moves, written "move params\nmove params", are offered and apply one
 * after the other, and leave what is computed as it was.
 */
static bool moves_work(const char *statements, const char *moves,
		       const char *arrays)
{
	char *source = kernel_of(statements), *after = ao_xstrdup(source);
	char *lines = ao_xstrdup(moves), *rest;
	bool works;

	for (char *move = strtok_r(lines, "\n", &rest); move;
	     move = strtok_r(NULL, "\n", &rest)) {
		char *params = strchr(move, ' ');

		*params++ = '\0';
		if (after && !box_offers(after, move, NULL)) {
			printf("# no %s\n", move);
			free(after);
			after = NULL;
		}
		after = box_apply_next(after, move, params);
	}
	works = after && box_both_same(source, after, arrays);
	free(after);
	free(lines);
	free(source);
	return works;
}

static const char product_arrays[] = "i:M*K i:K*N o:M*N";

static void a_product_may_sum_up_in_a_variable_declared_far_off(void)
{
	EXPECT(moves_work("\tfor (i = 0; i < m; i++)\n"
			  "\t\tfor (j = 0; j <= n - 1; j++) {\n"
			  "\t\t\ts = 0.0f;\n"
			  "\t\t\tfor (k = 0; k != depth; ++k)\n"
			  "\t\t\t\ts += p[i * depth + k] * q[k * n + j];\n"
			  "\t\t\tr[i * n + j] = s;\n"
			  "\t\t}\n",
			  "tile site=0 rows=6 vecs=2 depth=16",
			  product_arrays));
}

static void names_may_be_set_where_others_declare_them(void)
{
	EXPECT(moves_work("\tconst float *row;\n"
			  "\n"
			  "\tfor (i = 0; i < m; i++) {\n"
			  "\t\trow = p + i * depth;\n"
			  "\t\tfor (j = 0; j < n; j++)\n"
			  "\t\t\tr[i * n + j] = 0;\n"
			  "\t\tfor (k = 0; k < depth; k++) {\n"
			  "\t\t\ts = row[k];\n"
			  "\t\t\tfor (j = 0; j < n; j++)\n"
			  "\t\t\t\tr[i * n + j] += s * q[k * n + j];\n"
			  "\t\t}\n"
			  "\t\tfor (j = 0; j < n; j++)\n"
			  "\t\t\tr[i * n + j] += row[0];\n"
			  "\t}\n",
			  "tile site=0 rows=4 vecs=2 depth=16 block=8",
			  product_arrays));
}

static void loops_of_any_direction_and_step_are_rewritten(void)
{
	static const char statements[] =
		"\tlong d;\n"
		"\n"
		"\t(void)n;\n"
		"\tfor (i = m; i-- > 0;)\n"
		"\t\tr[i] = p[i] + 1.0f;\n"
		"\tfor (j = 0; j < depth; j += 2)\n"
		"\t\tfor (i = 1; i <= m - 1; i++)\n"
		"\t\t\tr[i * depth + j] = p[i * depth + j];\n"
		"\tfor (i = 1; i < m; i++)\n"
		"\t\tfor (d = (long)depth - 1; d >= 0; d--)\n"
		"\t\t\tr[i] += q[d];\n"
		"\tfor (i = 1; i < m; i++)\n"
		"\t\tfor (k = 0; k < depth; k += 2)\n"
		"\t\t\tr[i * depth + k] += p[i] * q[k];\n"
		"\ts = q[0];\n"
		"\tfor (i = 0; i < m; i += 3)\n"
		"\t\tr[i] /= s;\n";

	EXPECT(moves_work(statements,
			  "divide x\n"
			  "jam site=5 factor=4\n"
			  "scalar site=4\n"
			  "interchange site=1\n"
			  "unroll site=0 factor=4",
			  "i:M*K i:K*N u:M*K"));
}

static void an_index_that_moves_by_itself_keeps_its_loop(void)
{
	EXPECT(!is_offered("\tsize_t at = 0;\n"
			   "\tfor (k = 0; k < n; k++) {\n"
			   "\t\tr[at] += p[k];\n"
			   "\t\tat += 2;\n"
			   "\t}\n",
			   "scalar"));
	EXPECT(!is_offered("\tsize_t at = 0;\n"
			   "\ts = 0;\n"
			   "\tfor (k = 0; k < n; k++) {\n"
			   "\t\ts += p[at];\n"
			   "\t\tat += 2;\n"
			   "\t}\n"
			   "\tr[0] = s;\n",
			   "simd"));
	EXPECT(!is_offered("\tfor (k = 0, j = 0; k < n; k++, j++)\n"
			   "\t\tr[j] += p[k];\n",
			   "scalar"));
	EXPECT(!is_offered("\tfor (i = 0; i < m; i++)\n"
			   "\t\tfor (j = 0; j < n; j++) {\n"
			   "\t\t\tk = j * m + i;\n"
			   "\t\t\tr[k] = 2 * p[k];\n"
			   "\t\t}\n",
			   "interchange"));
	EXPECT(!is_offered("\tsize_t at = 0;\n"
			   "\tfor (i = 0; i < m; i++) {\n"
			   "\t\tfor (j = 0; j < n; j++) {\n"
			   "\t\t\ts = 0;\n"
			   "\t\t\tfor (k = 0; k < depth; k++)\n"
			   "\t\t\t\ts += p[at + k] * q[k * n + j];\n"
			   "\t\t\tr[i * n + j] = s;\n"
			   "\t\t}\n"
			   "\t\tat += depth;\n"
			   "\t}\n",
			   "tile"));
	EXPECT(!is_offered("\tconst float *row = p;\n"
			   "\tfor (i = 0; i < m; i++)\n"
			   "\t\tfor (j = 0; j < n; j++) {\n"
			   "\t\t\tconst float *at = row;\n"
			   "\t\t\tfloat t = 0;\n"
			   "\t\t\tfor (k = 0; k < depth; k++)\n"
			   "\t\t\t\tt += at[k] * q[k * n + j];\n"
			   "\t\t\tr[i * n + j] = t;\n"
			   "\t\t\trow++;\n"
			   "\t\t}\n",
			   "tile"));
}

static void an_element_that_may_be_missing_is_not_read_before_a_loop(void)
{
	static const char *const elements[] = { "r[n - 1]", "r[n + 1]", "r[n]",
						"r[i * n]", "r[i - 1]" };

	for (size_t e = 0; e < AO_ARRAY_SIZE(elements); e++) {
		char *text = ao_xstrf("\tfor (i = 1; i < m; i++)\n"
				      "\t\tfor (k = 0; k < n; k++)\n"
				      "\t\t\t%s += p[k];\n",
				      elements[e]);

		EXPECT(is_offered(text, "scalar") == (e > 1));
		free(text);
	}
}

static void a_pointer_that_moves_on_the_way_keeps_its_loop(void)
{
	static const char *const bodies[] = {
		"*at++ = 2 * p[j * m + i];",
		"r[j * m + i] = p[j * m + i] + *at++;",
		"r[j * m + i] = p[j * m + (k = i)];",
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(bodies); n++) {
		char *text = ao_xstrf("\tfloat *at = r;\n"
				      "\tfor (i = 0; i < m; i++)\n"
				      "\t\tfor (j = 0; j < n; j++)\n"
				      "\t\t\t%s\n",
				      bodies[n]);

		EXPECT(!is_offered(text, "interchange"));
		EXPECT(!is_offered(text, "stream") && !is_offered(text, "jam"));
		free(text);
	}
	EXPECT(!is_offered("\tconst float *at = p;\n"
			   "\ts = 0;\n"
			   "\tfor (i = 0; i < m; i++)\n"
			   "\t\ts += *at++;\n"
			   "\tr[0] = s;\n",
			   "simd"));
}

static void a_counter_that_is_asked_for_later_keeps_its_loop(void)
{
	static const char product[] =
		"\tfor (i = 0; i < m; i++)\n"
		"\t\tfor (j = 0; j < n; j++) {\n"
		"\t\t\ts = 0;\n"
		"\t\t\tfor (k = 0; k < depth; k++)\n"
		"\t\t\t\ts += p[i * depth + k] * q[k * n + j];\n"
		"\t\t\tr[i * n + j] = s;\n"
		"\t\t}\n";
	static const char columns[] = "\tfor (i = 0; i < m; i++)\n"
				      "\t\tfor (j = 0; j < n; j++)\n"
				      "\t\t\tr[j * m + i] = p[j * m + i];\n";
	char *text = ao_xstrf("%s\tr[0] = (float)k;\n", product);
	char *global = ao_xstrf("size_t i, j, k;\n"
				"void kernel(const float *p, float *r)\n"
				"{\n"
				"\tsize_t m = M, n = N;\n"
				"%s}\n",
				columns);

	EXPECT(is_offered(product, "tile") && !is_offered(text, "tile"));
	free(text);
	text = ao_xstrf("%s\tr[0] = s;\n", product);
	EXPECT(!is_offered(text, "tile"));
	free(text);
	text = ao_xstrf("%s\tfor (; j < n; j++)\n\t\tr[j] = 0;\n", columns);
	EXPECT(is_offered(columns, "interchange"));
	EXPECT(!is_offered(text, "interchange"));
	EXPECT(!box_offers(global, "interchange", NULL));
	free(text);
	free(global);
}

static void what_goes_from_row_to_row_keeps_a_product(void)
{
	static const char product[] =
		"\t\tfor (j = 0; j < n; j++) {\n"
		"\t\t\tfloat t = 0;\n"
		"\t\t\tfor (k = 0; k < depth; k++)\n"
		"\t\t\t\tt += p[i * depth + k] * q[k * n + j];\n"
		"\t\t\t%s\n"
		"\t\t\tr[i * n + j] = t;\n"
		"\t\t}\n";
	static const char *const parts[][3] = {
		/* before, use, after */
		{ "", "", "" },
		{ "s = p[i];", "t *= s;", "s = 0;" },
		{ "float best = 0;", "best = t > best ? t : best;",
		  "r[i * n] = best;" },
		{ "static int calls; calls++;", "", "" },
		{ "again: s = p[i];", "", "" },
		{ "if (p[i] < 0) break;", "", "" },
		{ "__asm__ volatile(\"\");", "", "" },
		{ "", "m -= 1;", "" },
		{ "", "*r++ = t;", "" },
		{ "", "r[m++] = t;", "" },
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(parts); n++) {
		struct ao_buf text = AO_BUF_INIT(4096);
		const char *use = strstr(product, "%s");

		ao_buf_addf(&text, "\tfor (i = 0; i < m; i++) {\n\t\t%s\n",
			    parts[n][0]);
		ao_buf_addf(&text, "%.*s%s%s", (int)(use - product), product,
			    parts[n][1], use + 2);
		ao_buf_addf(&text, "\t\t%s\n\t}\n", parts[n][2]);
		if (is_offered(text.ptr, "tile") != (n == 0)) {
			printf("# %s\n", parts[n][0]);
			EXPECT(false);
		}
		ao_buf_release(&text);
	}
}

static void loops_that_hand_something_on_stay_apart(void)
{
	EXPECT(is_offered("\tfor (i = 0; i < m; i++) {\n"
			  "\t\tr[i] = p[i];\n"
			  "\t}\n"
			  "\tfor (i = 0; i < m; i++) {\n"
			  "\t\tr[i] += 1;\n"
			  "\t}\n",
			  "fuse"));
	EXPECT(!is_offered("\ts = 0;\n"
			   "\tfor (i = 0; i < m; i++) {\n"
			   "\t\ts += p[i];\n"
			   "\t}\n"
			   "\tfor (i = 0; i < m; i++) {\n"
			   "\t\tr[i] = p[i] / s;\n"
			   "\t}\n",
			   "fuse"));
	EXPECT(!is_offered("\tfor (i = 0; i < m; i++) {\n"
			   "\t\tr[i] = p[i];\n"
			   "\t}\n"
			   "\tfor (i = m; i > 0; i--) {\n"
			   "\t\tr[i] += 1;\n"
			   "\t}\n",
			   "fuse"));
}

static void heads_that_openmp_does_not_know_get_no_pragma(void)
{
	static const char *const heads[] = {
		"i = 0; i < m; i++",  "i = m - 1; i > 0; i -= 2",
		"i = m; i-- > 0;",    "; i < m; i++",
		"i = 0; i != m; i++", "i = 0, j = 0; i < m; i++",
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(heads); n++) {
		char *text = ao_xstrf("\ts = 0;\n"
				      "\tfor (%s)\n"
				      "\t\ts += p[i];\n"
				      "\tr[0] = s;\n",
				      heads[n]);

		EXPECT(is_offered(text, "simd") == (n < 2));
		EXPECT(is_offered(text, "unroll"));
		free(text);
	}
}

static void pointers_and_floats_that_count_are_left_alone(void)
{
	EXPECT(!is_offered("\tfor (const float *at = p; at < p + m; at++)\n"
			   "\t\tr[0] += *at;\n",
			   "unroll"));
	EXPECT(!is_offered("\tfor (s = 0; s < 1; s += 0.1f)\n"
			   "\t\tr[0] += s;\n",
			   "unroll"));
}

int main(void)
{
	RUN(a_product_may_sum_up_in_a_variable_declared_far_off);
	RUN(names_may_be_set_where_others_declare_them);
	RUN(loops_of_any_direction_and_step_are_rewritten);
	RUN(an_index_that_moves_by_itself_keeps_its_loop);
	RUN(an_element_that_may_be_missing_is_not_read_before_a_loop);
	RUN(a_pointer_that_moves_on_the_way_keeps_its_loop);
	RUN(a_counter_that_is_asked_for_later_keeps_its_loop);
	RUN(what_goes_from_row_to_row_keeps_a_product);
	RUN(loops_that_hand_something_on_stay_apart);
	RUN(heads_that_openmp_does_not_know_get_no_pragma);
	RUN(pointers_and_floats_that_count_are_left_alone);
	return tap_done();
}
