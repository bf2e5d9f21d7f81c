/* SPDX-License-Identifier: MIT */
/*
 * eval_task.h - a small task to evaluate, and kernels for it.
 *
 * y = FACTOR x g, with a g for each column.  Include after tap.h.
 */
#ifndef AO_TESTS_EVAL_TASK_H
#define AO_TESTS_EVAL_TASK_H

#include "model/kernel.h"
#include "model/task.h"
#include "util/error.h"

static const char scale_json[] =
	"{\n"
	"  \"v\": 1, \"name\": \"scale\", \"op_type\": \"elementwise\",\n"
	"  \"target\": \"c\",\n"
	"  \"axes\": { \"M\": { \"type\": \"var\" },\n"
	"            \"N\": { \"type\": \"var\" } },\n"
	"  \"scalars\": { \"FACTOR\": 3 },\n"
	"  \"inputs\": {\n"
	"    \"x\": { \"shape\": [\"M\", \"N\"], \"dtype\": \"float32\" },\n"
	"    \"g\": { \"shape\": [\"N\"], \"dtype\": \"float32\",\n"
	"           \"fill\": \"abs_normal\", \"scale\": 2 }\n"
	"  },\n"
	"  \"outputs\": {\n"
	"    \"y\": { \"shape\": [\"M\", \"N\"], \"dtype\": \"float32\",\n"
	"           \"tolerance\": 1e-5 }\n"
	"  },\n"
	"  \"kernel\": [\"kernel.c\"],\n"
	"  \"reference\": \"reference.c\",\n"
	"  \"independent_axis\": \"M\",\n"
	"  \"work\": { \"add\": \"2 * M * N\" },\n"
	"  \"cases\": [\n"
	"    { \"name\": \"main\", \"axes\": { \"M\": 200, \"N\": 600 },\n"
	"      \"protected\": true },\n"
	"    { \"name\": \"side\", \"axes\": { \"M\": 100, \"N\": 400 },\n"
	"      \"protected\": true },\n"
	"    { \"name\": \"odd\", \"axes\": { \"M\": 7, \"N\": 13 },\n"
	"      \"weight\": 0 },\n"
	"    { \"name\": \"large\", \"axes\": { \"M\": 300, \"N\": 500 },\n"
	"      \"on_request\": true }\n"
	"  ]\n"
	"}\n";

static const char scale_reference[] =
	"void reference(const float x[M][N], const float g[N],\n"
	"               double y[M][N])\n"
	"{\n"
	"	for (int i = 0; i < M; i++)\n"
	"		for (int j = 0; j < N; j++)\n"
	"			y[i][j] = FACTOR * (double)x[i][j] * g[j];\n"
	"}\n";

static const char scale_kernel[] =
	"void kernel(const float *restrict x, const float *restrict g,\n"
	"            float *restrict y)\n"
	"{\n"
	"	for (int i = 0; i < M; i++)\n"
	"		for (int j = 0; j < N; j++)\n"
	"			y[i * N + j] = (float)FACTOR * x[i * N + j] *\n"
	"				       g[j];\n"
	"}\n";

/* Stop the test program: what follows would make no sense. */
static inline void must(struct ao_error *err)
{
	if (!err)
		return;
	ao_error_print(stdout, err, true);
	printf("Bail out!\n");
	exit(1);
}

/* The code of an error, which is freed. */
static inline enum ao_errcode code_of(struct ao_error *err)
{
	enum ao_errcode code = ao_error_code(err);

	ao_error_free(err);
	return code;
}

/* Whether the outermost text or that of a cause holds `text`; frees it. */
static inline bool tells(struct ao_error *err, const char *text)
{
	bool found = false;

	for (const struct ao_error *e = err; e; e = ao_error_cause(e))
		found = found || strstr(ao_error_message(e), text);
	ao_error_free(err);
	return found;
}

static inline struct ao_task *make_task(const char *json, const char *reference)
{
	struct ao_task *task = NULL;

	must(ao_task_parse(&task, "task.json", json, strlen(json)));
	ao_task_set_reference(task, reference, strlen(reference));
	return task;
}

static inline struct ao_task *scale_task(void)
{
	return make_task(scale_json, scale_reference);
}

static inline struct ao_kernel make_kernel(const char *text)
{
	struct ao_kernel kernel = { 0 };

	ao_kernel_add(&kernel, "kernel.c", text, strlen(text));
	return kernel;
}

#endif
