/* SPDX-License-Identifier: MIT */
/*
 * Kernels that are right on average and wrong on hard inputs, judged from end
 * to end.
 */
#include "tap.h"

#include "eval/eval.h"
#include "eval/probe.h"
#include "eval/session.h"
#include "eval_task.h"

static struct ao_session *session;
static struct ao_machine machine;

#define HEAD                                                               \
	"{ \"v\": 1, \"name\": \"hard\", \"kernel\": [\"kernel.c\"],\n"    \
	"  \"reference\": \"reference.c\", \"independent_axis\": \"M\",\n" \
	"  \"axes\": { \"M\": { \"type\": \"var\" },\n"                    \
	"            \"N\": { \"type\": \"var\" },\n"                      \
	"            \"K\": { \"type\": \"var\" } },\n"
#define TAIL                                                     \
	"  \"outputs\": { \"c\": { \"shape\": [\"M\", \"N\"],\n" \
	"    \"dtype\": \"float32\", \"tolerance\": 2e-5 } },\n" \
	"  \"cases\": [ { \"name\": \"main\",\n"                 \
	"    \"axes\": { \"M\": 37, \"N\": 41, \"K\": 60 } } ] }\n"

static const char product_json[] = HEAD
	"  \"inputs\": {\n"
	"    \"a\": { \"shape\": [\"M\", \"K\"], \"dtype\": \"float32\" },\n"
	"    \"b\": { \"shape\": [\"K\", \"N\"], \"dtype\": \"float32\" } },\n" TAIL;
static const char product_reference[] =
	"void reference(const float a[M][K], const float b[K][N],\n"
	"               double c[M][N])\n"
	"{ for (int i = 0; i < M; i++)\n"
	"	for (int j = 0; j < N; j++) {\n"
	"		c[i][j] = 0;\n"
	"		for (int k = 0; k < K; k++)\n"
	"			c[i][j] += (double)a[i][k] * b[k][j];\n"
	"	} }\n";
/* ROW is done to each row behind it. */
#define PRODUCT(row)                                              \
	"#include <math.h>\n"                                     \
	"void kernel(const float a[M][K], const float b[K][N],\n" \
	"            float c[M][N])\n"                            \
	"{ for (int i = 0; i < M; i++) {\n"                       \
	"	for (int j = 0; j < N; j++) {\n"                        \
	"		float s = 0;\n"                                        \
	"		for (int k = 0; k < K; k++)\n"                         \
	"			s += a[i][k] * b[k][j];\n"                            \
	"		c[i][j] = s;\n"                                        \
	"	}\n" row "	} }\n"

static const char softmax_json[] = HEAD
	"  \"inputs\": { \"x\": { \"shape\": [\"M\", \"N\"],\n"
	"    \"dtype\": \"float32\" } },\n" TAIL;
static const char softmax_reference[] =
	"#include <math.h>\n"
	"void reference(const float x[M][N], double c[M][N])\n"
	"{ for (int i = 0; i < M; i++) {\n"
	"	double max = x[i][0], sum = 0;\n"
	"	for (int j = 0; j < N; j++) max = fmax(max, x[i][j]);\n"
	"	for (int j = 0; j < N; j++) sum += exp(x[i][j] - max);\n"
	"	for (int j = 0; j < N; j++)\n"
	"		c[i][j] = exp(x[i][j] - max) / sum;\n"
	"	} }\n";
/* With the largest of the first COUNT elements taken off. */
#define SOFTMAX(max, count)                                 \
	"#include <math.h>\n"                               \
	"void kernel(const float x[M][N], float c[M][N])\n" \
	"{ for (int i = 0; i < M; i++) {\n"                 \
	"	float max = " max ", sum = 0;\n"            \
	"	for (int j = 0; j < " count "; j++)\n"      \
	"		max = fmaxf(max, x[i][j]);\n"                    \
	"	for (int j = 0; j < N; j++) {\n"                  \
	"		c[i][j] = expf(x[i][j] - max);\n"                \
	"		sum += c[i][j];\n"                               \
	"	}\n"                                              \
	"	for (int j = 0; j < N; j++) c[i][j] /= sum;\n"    \
	"	} }\n"

/* Complete, and of no consequence: nothing is timed here. */
static void pretend_ceilings(void)
{
	static const double kib[] = { 24,    192,   768,   3072,
				      12288, 49152, 98304, 196608 };

	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		machine.ceilings.work_per_s[i] = 1e12;
	for (size_t i = 0; i < AO_ARRAY_SIZE(kib); i++) {
		machine.ceilings.bandwidth[i].footprint_bytes = 1024 * kib[i];
		machine.ceilings.bandwidth[i].bytes_per_s = 1e12;
	}
	machine.ceilings.bandwidth_count = AO_ARRAY_SIZE(kib);
}

static struct ao_result check(const struct ao_task *task, const char *source)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_result result = { 0 };
	struct ao_bundle bundle = {
		.task = task,
		.candidate = &kernel,
		.machine = &machine,
		.stage = AO_STAGE_CHECK,
		.seed = 42,
	};

	must(ao_eval_in(&result, session, &bundle));
	ao_kernel_release(&kernel);
	return result;
}

/* Whether a kernel is refused, for what it leaves on such inputs. */
static bool is_refused(const char *json, const char *reference,
		       const char *source, const char *words)
{
	struct ao_task *task = make_task(json, reference);
	struct ao_result result = check(task, source);
	const char *detail = result.detail ? result.detail : "";
	bool is_so = result.verdict == AO_VERDICT_INCORRECT_NUMERICAL &&
		     strstr(detail, words);

	if (!is_so)
		printf("# %s: %s\n", ao_verdict_name(result.verdict), detail);
	ao_result_release(&result);
	ao_task_free(task);
	return is_so;
}

/* Whether a kernel passes with an error far below what is allowed. */
static bool passes(const char *json, const char *reference, const char *source)
{
	struct ao_task *task = make_task(json, reference);
	struct ao_result result = check(task, source);
	bool is_so = result.verdict == AO_VERDICT_PASSED &&
		     result.cases[0].error < result.cases[0].limit / 5;

	if (!is_so)
		printf("# %s: %s, error %g\n", ao_verdict_name(result.verdict),
		       result.detail ? result.detail : "",
		       result.cases[0].error);
	ao_result_release(&result);
	ao_task_free(task);
	return is_so;
}

static void an_honest_product_passes(void)
{
	EXPECT(passes(product_json, product_reference, PRODUCT("")));
}

static void an_honest_softmax_passes(void)
{
	EXPECT(passes(softmax_json, softmax_reference,
		      SOFTMAX("x[i][0]", "N")));
}

static void a_softmax_without_the_maximum_is_refused(void)
{
	EXPECT(is_refused(softmax_json, softmax_reference, SOFTMAX("0", "0"),
			  "; on hard inputs: x "));
}

static void the_maximum_may_stand_in_the_last_tile(void)
{
	EXPECT(is_refused(softmax_json, softmax_reference,
			  SOFTMAX("x[i][0]", "N / 8 * 8"),
			  "; on hard inputs: x "));
}

/* As numbers with one exponent for all of them would have it. */
static void a_small_row_left_out_is_refused(void)
{
	EXPECT(is_refused(
		product_json, product_reference,
		PRODUCT("float most = 0, here = 0;\n"
			"for (int n = 0; n < M; n++)\n"
			"	for (int k = 0; k < K; k++)\n"
			"		most = fmaxf(most, fabsf(a[n][k]));\n"
			"for (int k = 0; k < K; k++)\n"
			"	here = fmaxf(here, fabsf(a[i][k]));\n"
			"for (int j = 0; j < N; j++)\n"
			"	c[i][j] *= here > most / 256;\n"),
		"; on hard inputs: a "));
}

static void a_row_of_zeros_but_one_is_no_row_of_zeros(void)
{
	EXPECT(is_refused(product_json, product_reference,
			  PRODUCT("if (a[i][0] == 0 && a[i][1] == 0)\n"
				  "	for (int j = 0; j < N; j++)\n"
				  "		c[i][j] = 0;\n"),
			  "; on hard inputs: a one_hot"));
}

static void taking_a_row_for_constant_is_refused(void)
{
	EXPECT(is_refused(product_json, product_reference,
			  PRODUCT("if (a[i][0] == a[i][1])\n"
				  "	for (int j = 0; j < N; j++)\n"
				  "		c[i][j] *= 1 + 1e-2f;\n"),
			  "; on hard inputs: a "));
}

int main(void)
{
	must(ao_session_new(&session));
	must(ao_probe_machine(&machine));
	pretend_ceilings();
	RUN(an_honest_product_passes);
	RUN(an_honest_softmax_passes);
	RUN(a_softmax_without_the_maximum_is_refused);
	RUN(the_maximum_may_stand_in_the_last_tile);
	RUN(a_small_row_left_out_is_refused);
	RUN(a_row_of_zeros_but_one_is_no_row_of_zeros);
	RUN(taking_a_row_for_constant_is_refused);
	ao_session_free(session);
	ao_machine_release(&machine);
	return tap_done();
}
