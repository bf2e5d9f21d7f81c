/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/coverage.h"
#include "eval_task.h"

/* What there is to tell of a task whose reference does `body`. */
static char *look(const char *body)
{
	char *reference = ao_xstrf("void reference(const float *x,\n"
				   "	const float *g, double *y)\n"
				   "{ for (int i = 0; i < M; i++)\n"
				   "	for (int j = 0; j < N; j++)\n"
				   "		%s; }\n",
				   body);
	struct ao_task *task = make_task(scale_json, reference);
	struct ao_buf text = AO_BUF_INIT(1 << 16);

	must(ao_coverage_look(&text, task, &task->cases[0], 1));
	ao_task_free(task);
	free(reference);
	return ao_buf_take(&text);
}

static bool finds_nothing(const char *body)
{
	char *text = look(body);
	bool is = !*text;

	if (!is)
		printf("# %s\n", text);
	free(text);
	return is;
}

static bool finds(const char *body, const char *words, const char *others)
{
	char *text = look(body);
	bool is = strstr(text, words) && !strstr(text, others);

	if (!is)
		printf("# %s\n", text);
	free(text);
	return is;
}

static void nothing_is_said_where_all_parts_matter(void)
{
	EXPECT(finds_nothing("y[i * N + j] = (double)x[i * N + j] * g[j]"));
	/* What no single change shows for sure, one of several does. */
	EXPECT(finds_nothing(
		"y[i * N + j] =\n"
		"	x[i * N + j] > 0 ? x[i * N + j] + g[j] : g[j]"));
}

static void an_input_that_is_not_used_is_named(void)
{
	EXPECT(finds("y[i * N + j] = x[i * N + j] + 0 * g[j]",
		     "of input 'g' change nothing", "'x'"));
	EXPECT(finds("y[i * N + j] = x[i * N + j] + 0 * g[j]", "elements 0 to ",
		     "output"));
}

static void a_part_of_an_input_that_is_not_used_is_named(void)
{
	EXPECT(finds("y[i * N + j] = (double)x[i * N + j] * g[j / 2]",
		     "of input 'g' change nothing", "elements 0 to "));
}

static void an_output_that_is_a_constant_is_named(void)
{
	EXPECT(finds("y[i * N + j] = i < M / 2 ? 1 :\n"
		     "	(double)x[i * N + j] * g[j]",
		     "of output 'y' never change", "input 'g'"));
}

int main(void)
{
	RUN(nothing_is_said_where_all_parts_matter);
	RUN(an_input_that_is_not_used_is_named);
	RUN(a_part_of_an_input_that_is_not_used_is_named);
	RUN(an_output_that_is_a_constant_is_named);
	return tap_done();
}
