/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "eval/bound.h"
#include "eval/reference.h"
#include "eval_task.h"
#include "util/file.h"

/* y is the sum of each row of x. */
enum { ROWS = 4, COLUMNS = 100 };

static const char sums_json[] =
	"{ \"v\": 1, \"name\": \"sums\", \"kernel\": [\"kernel.c\"],\n"
	"  \"reference\": \"reference.c\", \"independent_axis\": \"M\",\n"
	"  \"axes\": { \"M\": { \"type\": \"var\" },\n"
	"            \"N\": { \"type\": \"var\" } },\n"
	"  \"inputs\": { \"x\": { \"shape\": [\"M\", \"N\"],\n"
	"    \"dtype\": \"float32\" } },\n"
	"  \"outputs\": { \"y\": { \"shape\": [\"M\"],\n"
	"    \"dtype\": \"float32\", \"tolerance\": 1e-5 } },\n"
	"  \"cases\": [ { \"name\": \"main\",\n"
	"    \"axes\": { \"M\": 4, \"N\": 100 } } ] }\n";
static const char sums_reference[] =
	"void reference(const float x[M][N], double y[M])\n"
	"{ for (int i = 0; i < M; i++) {\n"
	"	y[i] = 0;\n"
	"	for (int j = 0; j < N; j++) y[i] += x[i][j];\n"
	"} }\n";

static struct ao_task *task;
static struct ao_reference reference;
static float x[ROWS][COLUMNS];
static double y[ROWS];

/* The yardsticks of y, and how often the reference was run for them. */
static size_t measure(double scales[ROWS], bool is_hard)
{
	void *inputs[] = { x };
	double *expected[] = { y };
	const struct ao_bounded bounded = {
		.task = task,
		.c = task->cases,
		.reference_object = reference.object,
		.seed = 3,
		.stream = 1,
		.is_hard = is_hard,
		.inputs = inputs,
		.expected = expected,
		.timeout_ms = 60000,
	};
	double *out[] = { NULL };
	uint64_t cpu_ns = 0;
	size_t runs = 0;

	for (size_t i = 0; i < ROWS; i++) {
		y[i] = 0;
		for (size_t j = 0; j < COLUMNS; j++)
			y[i] += (double)x[i][j];
	}
	must(ao_bound_measure(out, &runs, &cpu_ns, &bounded));
	memcpy(scales, out[0], ROWS * sizeof(*scales));
	free(out[0]);
	return runs;
}

/* Rows of `value`, with signs in turns where `alternates` says so. */
static void fill(float value, bool alternates)
{
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++)
			x[i][j] = alternates && j % 2 ? -value : value;
}

static void where_nothing_cancels_out_it_is_the_norm(void)
{
	double scales[ROWS];

	fill(2, false);
	EXPECT(!measure(scales, false));
	for (size_t i = 0; i < ROWS; i++)
		EXPECT(scales[i] == 200);
}

/* The root of the sum of squares of the terms, as near as probes come. */
static void where_terms_cancel_out_it_is_their_size(void)
{
	double scales[ROWS];

	fill(2, true);
	EXPECT(measure(scales, true) > 0);
	for (size_t i = 0; i < ROWS; i++)
		EXPECT(y[i] == 0 && scales[i] > 16 * 8 && scales[i] < 16 * 50);
}

static void a_row_that_is_small_by_chance_is_asked_about(void)
{
	double scales[ROWS];

	fill(2, false);
	for (size_t j = 0; j < COLUMNS; j += 2)
		x[2][j] = -2;
	EXPECT(measure(scales, false) > 0);
	EXPECT(scales[1] == 200 && scales[2] > 8);
}

static void a_small_row_of_small_terms_stays_small(void)
{
	double scales[ROWS];

	fill(2e6f, false);
	for (size_t j = 0; j < COLUMNS; j++)
		x[2][j] = 2;
	measure(scales, true);
	EXPECT(scales[1] == 16 * 2e8 && scales[2] == 16 * 200);
}

/* 1e-5 of it is the least normal number. */
static void what_is_no_normal_number_may_be_flushed(void)
{
	double scales[ROWS];

	fill(1e-42f, false);
	measure(scales, true);
	EXPECT(fabs(scales[0] / 16 / 0x1p40 * 1e-5 / 1.17549435e-38 - 1) <
	       1e-6);
}

static void whole_numbers_need_no_condition(void)
{
	double scales[ROWS];

	task->outputs[0].dtype = AO_DTYPE_INT32;
	task->outputs[0].tolerance = 0;
	fill(0, false);
	EXPECT(!measure(scales, true));
	EXPECT(scales[0] == 16);
}

int main(void)
{
	char *folder = NULL;

	task = make_task(sums_json, sums_reference);
	must(ao_file_temp_folder(&folder));
	must(ao_reference_build(&reference, folder, task, task->cases));
	RUN(where_nothing_cancels_out_it_is_the_norm);
	RUN(where_terms_cancel_out_it_is_their_size);
	RUN(a_row_that_is_small_by_chance_is_asked_about);
	RUN(a_small_row_of_small_terms_stays_small);
	RUN(what_is_no_normal_number_may_be_flushed);
	RUN(whole_numbers_need_no_condition);
	ao_reference_release(&reference);
	ao_file_remove_tree(folder);
	free(folder);
	ao_task_free(task);
	return tap_done();
}
