/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <dlfcn.h>
#include <math.h>

#include "util/file.h"
#include "util/process.h"

#include "eval/mutant.h"

#include "tap.h"

enum { M = 4, N = 3 };

/* out[m][n] = x[m] + w[n]; whole numbers beside it. */
static char name_m[] = "M", name_n[] = "N", name_x[] = "x", name_w[] = "w",
	    name_k[] = "k", name_out[] = "out", name_hits[] = "hits";
static struct ao_axis axes[] = { { .name = name_m }, { .name = name_n } };
static size_t of_x[] = { 0 }, of_w[] = { 1 }, of_out[] = { 0, 1 };

#define TENSOR(n, d, r, a) \
	((struct ao_tensor){ .name = n, .dtype = d, .rank = r, .axes = a })
static struct ao_tensor inputs[3], outputs[2];
static struct ao_task task = {
	.axes = axes,
	.axis_count = AO_ARRAY_SIZE(axes),
	.inputs = inputs,
	.input_count = AO_ARRAY_SIZE(inputs),
	.outputs = outputs,
	.output_count = AO_ARRAY_SIZE(outputs),
};
static char entry[] = "kernel";

static const char macro_source[] =
	"/* cflags: -fno-math-errno */\n"
	"// more of the same comment\n"
	"#include <math.h>\n"
	"void kernel(const float *restrict x, const float *restrict w,\n"
	"            const int *k, float *restrict out, int *hits)\n"
	"{\n"
	"	for (int m = 0; m < M; m++) {\n"
	"		for (int n = 0; n < N; n++)\n"
	"			out[m * N + n] = fabsf(x[m]) + w[n];\n"
	"		hits[m] = k[m];\n"
	"	}\n"
	"}\n";
static const char generic_source[] =
	"void kernel(unsigned long m_count, unsigned long n_count,\n"
	"            const float *x, const float *w, const int *k,\n"
	"            float *out, int *hits)\n"
	"{\n"
	"	for (unsigned long m = 0; m < m_count; m++) {\n"
	"		for (unsigned long n = 0; n < n_count; n++)\n"
	"			out[m * n_count + n] = x[m] + w[n];\n"
	"		hits[m] = k[m];\n"
	"	}\n"
	"}\n";

static float x[M] = { 1.2345678f, 2, 3, 4 }, w[N] = { 0.1f, 20, 30 };
static int k[M] = { 5, 6, 7, 8 };
static float out[M * N];
static int hits[M];

static bool compile(const char *object, const char *source)
{
	const char *const argv[] = {
		"cc",	 "-shared", "-fPIC", "-w",
		"-o",	 object,    source,  task.is_generic ? NULL : "-DM=4",
		"-DN=3", NULL,
	};
	const struct ao_process_spec spec = { .argv = argv };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);
	bool is_built = !err && end.status == 0;

	ao_error_free(err);
	ao_process_end_release(&end);
	return is_built;
}

static void call(void *function, bool is_generic)
{
	void (*macros)(const float *, const float *, const int *, float *,
		       int *);
	void (*generic)(size_t, size_t, const float *, const float *,
			const int *, float *, int *);

	memcpy(&macros, &function, sizeof(macros));
	memcpy(&generic, &function, sizeof(generic));
	if (is_generic)
		generic(M, N, x, w, k, out, hits);
	else
		macros(x, w, k, out, hits);
}

/* Build a mutant of `source` and call it: `out` and `hits` hold the answer. */
static bool run(const struct ao_mutant *mutant, const char *source)
{
	struct ao_kernel kernel = { 0 }, mutated = { 0 };
	char *folder = NULL, *text, *object;
	struct ao_error *err;
	void *library = NULL;

	ao_kernel_add(&kernel, "kernel.c", source, strlen(source));
	ao_mutant_make(&mutated, mutant, &task, &kernel);
	err = ao_file_temp_folder(&folder);
	if (err)
		abort();
	text = ao_xstrf("%s/kernel.c", folder);
	object = ao_xstrf("%s/kernel.so", folder);
	err = ao_file_write(text, mutated.files[0].data, mutated.files[0].len);
	if (!err && compile(object, text))
		library = dlopen(object, RTLD_NOW);
	if (library) {
		call(dlsym(library, "kernel"), task.is_generic);
		dlclose(library);
	}
	ao_error_free(err);
	ao_file_remove_tree(folder);
	free(object);
	free(text);
	free(folder);
	ao_kernel_release(&mutated);
	ao_kernel_release(&kernel);
	return library != NULL;
}

static float right(size_t i)
{
	return fabsf(x[i / N]) + w[i % N];
}

static bool is_same(float a, float b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

static void zeros_are_zeros(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_ZERO, 0, 0 };

	EXPECT(run(&mutant, macro_source));
	for (size_t i = 0; i < (size_t)M * N; i++)
		EXPECT(is_same(out[i], 0));
	EXPECT(hits[3] == 8); /* the other output is right */
}

static void a_constant_is_the_mean_of_what_is_right(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_CONSTANT, 0, 0 };
	double mean = 0;

	for (size_t i = 0; i < (size_t)M * N; i++)
		mean += (double)right(i) / (M * N);
	EXPECT(run(&mutant, macro_source));
	for (size_t i = 0; i < (size_t)M * N; i++)
		EXPECT(fabs((double)out[i] - mean) < 1e-5);
}

static void half_is_right_and_half_is_zero(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_HALF, 0, 0 };

	EXPECT(run(&mutant, macro_source));
	for (size_t i = 0; i < (size_t)M * N; i++)
		EXPECT(is_same(out[i],
			       i < (size_t)M * N / 2 ? right(i) : 0.0f));
}

static void rounding_keeps_eight_bits(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_BF16, 0, 0 };

	EXPECT(run(&mutant, macro_source));
	EXPECT(is_same(out[0], 1.3359375f)); /* of 1.3345678 */
	EXPECT(is_same(out[4], 22));
}

static void a_copy_starts_over_where_its_input_ends(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_COPY, 0, 1 };

	EXPECT(run(&mutant, macro_source));
	for (size_t i = 0; i < (size_t)M * N; i++)
		EXPECT(is_same(out[i], w[i % N]));
}

static void axes_may_be_parameters(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_HALF, 0, 0 };

	task.is_generic = true;
	EXPECT(run(&mutant, generic_source));
	task.is_generic = false;
	EXPECT(is_same(out[0], right(0)));
	EXPECT(is_same(out[M * N - 1], 0));
}

static void flags_stay_in_the_first_comment(void)
{
	const struct ao_mutant mutant = { AO_MUTANT_ZERO, 0, 0 };
	struct ao_kernel kernel = { 0 }, mutated = { 0 };

	ao_kernel_add(&kernel, "kernel.c", macro_source, strlen(macro_source));
	ao_mutant_make(&mutated, &mutant, &task, &kernel);
	EXPECT(strncmp(mutated.files[0].data, macro_source,
		       strlen("/* cflags: -fno-math-errno */\n"
			      "// more of the same comment\n")) == 0);
	ao_kernel_release(&mutated);
	ao_kernel_release(&kernel);
}

static void the_list_has_each_kind_for_each_output_where_it_can_be_wrong(void)
{
	struct ao_mutant *list = NULL;
	size_t count = 0, rounded = 0, copies = 0;

	ao_mutant_list(&list, &count, &task);
	for (size_t i = 0; i < count; i++) {
		rounded += list[i].kind == AO_MUTANT_BF16;
		copies += list[i].kind == AO_MUTANT_COPY;
		EXPECT(list[i].kind != AO_MUTANT_BF16 || list[i].output == 0);
	}
	EXPECT(rounded == 1); /* whole numbers do not change */
	EXPECT(copies == 3);  /* x, w of out; k of hits */
	EXPECT(count == 3 + 1 + 2 + 3 + 1);
	free(list);
}

int main(void)
{
	inputs[0] = TENSOR(name_x, AO_DTYPE_FLOAT32, 1, of_x);
	inputs[1] = TENSOR(name_w, AO_DTYPE_FLOAT32, 1, of_w);
	inputs[2] = TENSOR(name_k, AO_DTYPE_INT32, 1, of_x);
	outputs[0] = TENSOR(name_out, AO_DTYPE_FLOAT32, 2, of_out);
	outputs[1] = TENSOR(name_hits, AO_DTYPE_INT32, 1, of_x);
	task.entry = entry;
	RUN(zeros_are_zeros);
	RUN(a_constant_is_the_mean_of_what_is_right);
	RUN(half_is_right_and_half_is_zero);
	RUN(rounding_keeps_eight_bits);
	RUN(a_copy_starts_over_where_its_input_ends);
	RUN(axes_may_be_parameters);
	RUN(flags_stay_in_the_first_comment);
	RUN(the_list_has_each_kind_for_each_output_where_it_can_be_wrong);
	return tap_done();
}
