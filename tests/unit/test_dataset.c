/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/dataset.h"
#include "eval/reference.h"
#include "eval_task.h"
#include "util/file.h"

static struct ao_task *task;

static struct ao_dataset *dataset_of(const char *case_name, uint64_t seed,
				     size_t count)
{
	struct ao_dataset *dataset = NULL;

	must(ao_dataset_make(&dataset, task, ao_task_case(task, case_name),
			     seed, count));
	return dataset;
}

/* The error of a task with another reference. */
static struct ao_error *error_of(const char *reference)
{
	struct ao_task *bad = make_task(scale_json, reference);
	struct ao_dataset *dataset = NULL;
	struct ao_error *err = ao_dataset_make(&dataset, bad, &bad->cases[0], 1,
					       2);

	ao_dataset_free(dataset);
	ao_task_free(bad);
	return err;
}

static void the_answers_are_the_references(void)
{
	struct ao_dataset *data = dataset_of("odd", 7, 3);
	bool same = true;

	for (size_t set = 0; set < 3; set++) {
		const float *x = data->inputs[set * 2];
		const float *g = data->inputs[set * 2 + 1];
		const double *y = data->expected[set];

		for (int i = 0; i < 7 * 13; i++)
			same = same &&
			       y[i] == 3.0 * (double)x[i] * (double)g[i % 13];
	}
	EXPECT(same);
	ao_dataset_free(data);
}

static void inputs_that_are_drawn_alone_are_the_same(void)
{
	struct ao_dataset *with = dataset_of("odd", 7, 2);
	struct ao_dataset *alone = NULL;

	must(ao_dataset_draw(&alone, task, ao_task_case(task, "odd"), 7, 2));
	for (size_t i = 0; i < 4; i++)
		EXPECT(!memcmp(with->inputs[i], alone->inputs[i],
			       (i % 2 ? 13 : 7 * 13) * sizeof(float)));
	EXPECT(!alone->reference_cpu_ns);
	ao_dataset_free(with);
	ao_dataset_free(alone);
}

static void equal_seeds_give_equal_inputs(void)
{
	struct ao_dataset *a = dataset_of("odd", 7, 2);
	struct ao_dataset *b = dataset_of("odd", 7, 4);

	for (size_t i = 0; i < 4; i++)
		EXPECT(!memcmp(a->inputs[i], b->inputs[i], 13 * 4));
	ao_dataset_free(a);
	ao_dataset_free(b);
}

static void other_seeds_and_sets_give_other_inputs(void)
{
	struct ao_dataset *a = dataset_of("odd", 7, 2);
	struct ao_dataset *b = dataset_of("odd", 8, 2);

	EXPECT(memcmp(a->inputs[0], b->inputs[0], 13 * 4));
	EXPECT(memcmp(a->inputs[0], a->inputs[2], 13 * 4));
	EXPECT(memcmp(a->inputs[1], a->inputs[3], 13 * 4));
	ao_dataset_free(a);
	ao_dataset_free(b);
}

/* Known answers: inputs may not change between versions or machines. */
static void inputs_are_the_same_on_every_machine(void)
{
	struct ao_dataset *data = dataset_of("odd", 1, 1);
	const float *x = data->inputs[0];
	const float *g = data->inputs[1];

	EXPECT(fabs((double)x[0] + 0.220557988) < 1e-7);
	EXPECT(fabs((double)x[90] + 2.63607502) < 1e-6);
	EXPECT(fabs((double)g[0] - 2.44635487) < 1e-6);
	EXPECT(fabs((double)g[12] - 4.91747379) < 1e-6);
	ao_dataset_free(data);
}

static void elements_are_drawn_as_the_task_says(void)
{
	struct ao_dataset *data = dataset_of("main", 3, 1);
	const float *x = data->inputs[0];
	const float *g = data->inputs[1];
	double sum = 0, square = 0, g_square = 0;
	bool is_positive = true;
	size_t n = (size_t)200 * 600;

	for (size_t i = 0; i < n; i++) {
		sum += (double)x[i];
		square += (double)x[i] * (double)x[i];
	}
	for (size_t i = 0; i < 600; i++) {
		is_positive = is_positive && g[i] >= 0;
		g_square += (double)g[i] * (double)g[i];
	}
	EXPECT(fabs(sum / (double)n) < 0.02);
	EXPECT(fabs(square / (double)n - 1) < 0.02);
	EXPECT(is_positive);
	EXPECT(fabs(g_square / 600 - 4) < 1);
	ao_dataset_free(data);
}

static void hard_sets_stand_behind_the_others_with_answers(void)
{
	struct ao_dataset *data = dataset_of("odd", 7, 2);
	bool same = true;

	EXPECT(data->count == 2 && data->hard_count == AO_HARD_COUNT);
	EXPECT(!data->hard_problem);
	for (size_t set = 0; set < ao_dataset_sets(data); set++) {
		const float *x = data->inputs[set * 2];
		const float *g = data->inputs[set * 2 + 1];

		for (int i = 0; i < 7 * 13; i++)
			same = same &&
			       data->expected[set][i] ==
				       3.0 * (double)x[i] * (double)g[i % 13];
	}
	EXPECT(same);
	ao_dataset_free(data);
}

static void every_slice_has_a_yardstick(void)
{
	struct ao_dataset *data = dataset_of("odd", 7, 2);

	for (size_t set = 0; set < ao_dataset_sets(data); set++)
		for (size_t i = 0; i < 7; i++) {
			double sum = 0;

			for (size_t j = 0; j < 13; j++)
				sum += pow(data->expected[set][i * 13 + j], 2);
			EXPECT(data->scales[set][i] >= sqrt(sum));
			EXPECT(isfinite(data->scales[set][i]));
			EXPECT(data->scales[set][i] > 0);
		}
	ao_dataset_free(data);
}

/* Large numbers have no exponential; those that have stay. */
static void hard_sets_without_finite_answers_are_left_out(void)
{
	struct ao_task *exps = make_task(
		scale_json,
		"#include <math.h>\n"
		"void reference(const float *x, const float *g, double *y)\n"
		"{ for (int i = 0; i < M * N; i++)\n"
		"	y[i] = exp((double)x[i]) + g[i % N] * 1e-9; }\n");
	struct ao_dataset *data = NULL;

	must(ao_dataset_make(&data, exps, &exps->cases[2], 7, 2));
	EXPECT(!data->hard_count);
	EXPECT(data->hard_problem &&
	       strstr(data->hard_problem, " of output 'y'"));
	EXPECT(data->hard_problem &&
	       strstr(data->hard_problem, " on hard inputs: x large, g "));
	ao_dataset_free(data);

	exps->inputs[0].hard = 1u << AO_HARD_EQUAL | 1u << AO_HARD_ONE_HOT;
	must(ao_dataset_make(&data, exps, &exps->cases[2], 7, 2));
	EXPECT(data->hard_count == AO_HARD_COUNT && !data->hard_problem);
	ao_dataset_free(data);
	ao_task_free(exps);
}

static void a_task_can_do_without_hard_inputs(void)
{
	struct ao_task *easy = scale_task();
	struct ao_dataset *data = NULL;

	easy->inputs[0].hard = easy->inputs[1].hard = 0;
	must(ao_dataset_make(&data, easy, &easy->cases[2], 7, 2));
	EXPECT(ao_dataset_sets(data) == 2 && !data->hard_problem);
	ao_dataset_free(data);
	ao_task_free(easy);
}

static void an_answer_that_its_type_cannot_hold_is_refused(void)
{
	EXPECT(tells(error_of("void reference(const float *x, const float *g,\n"
			      "               double *y)\n"
			      "{ for (int i = 0; i < M * N; i++)\n"
			      "	y[i] = 1e39; }\n"),
		     "leaves 1e+39 in element 0 of output 'y', which cannot "
		     "hold it"));
}

static void whole_numbers_and_doubles_can_be_inputs(void)
{
	static const char json[] =
		"{ \"v\": 1, \"name\": \"mixed\", \"op_type\": \"x\",\n"
		"  \"target\": \"c\",\n"
		"  \"axes\": { \"N\": { \"type\": \"var\" } },\n"
		"  \"inputs\": {\n"
		"    \"i\": { \"shape\": [\"N\"], \"dtype\": \"int32\",\n"
		"           \"fill\": \"uniform\", \"scale\": 5 },\n"
		"    \"d\": { \"shape\": [\"N\"], \"dtype\": \"float64\",\n"
		"           \"fill\": \"uniform\" } },\n"
		"  \"outputs\": { \"y\": { \"shape\": [\"N\"],\n"
		"    \"dtype\": \"int32\" } },\n"
		"  \"kernel\": [\"kernel.c\"], \"reference\": \"reference.c\",\n"
		"  \"cases\": [ { \"name\": \"main\", \"axes\": { \"N\": 999 } }\n"
		"  ] }\n";
	struct ao_task *mixed = make_task(
		json,
		"void reference(const int *i, const double *d, double *y)\n"
		"{ for (int n = 0; n < N; n++)\n"
		"	y[n] = 2 * i[n] + (d[n] > 1); }\n");
	struct ao_dataset *data = NULL;
	bool in_range = true;

	must(ao_dataset_make(&data, mixed, &mixed->cases[0], 1, 1));
	for (size_t n = 0; n < 999; n++) {
		int32_t i = ((const int32_t *)data->inputs[0])[n];
		double d = ((const double *)data->inputs[1])[n];

		in_range = in_range && i >= -5 && i <= 5 && d >= -1 && d < 1;
		in_range = in_range && data->expected[0][n] == 2.0 * i;
	}
	EXPECT(in_range);
	ao_dataset_free(data);
	ao_task_free(mixed);
}

static void a_generic_reference_gets_the_axes_first(void)
{
	struct ao_task *generic = make_task(
		scale_json,
		"#include <stddef.h>\n"
		"void reference(size_t m, size_t n, const float *x,\n"
		"               const float *g, double *y)\n"
		"{ for (size_t i = 0; i < m * n; i++)\n"
		"	y[i] = FACTOR * (double)x[i] * g[i % n]; }\n");
	struct ao_dataset *a = dataset_of("odd", 7, 1);
	struct ao_dataset *b = NULL;

	generic->is_generic = true;
	must(ao_dataset_make(&b, generic, &generic->cases[2], 7, 1));
	EXPECT(!memcmp(a->expected[0], b->expected[0], 7 * 13 * 8));
	ao_dataset_free(a);
	ao_dataset_free(b);
	ao_task_free(generic);
}

static void what_it_cost_is_told(void)
{
	struct ao_dataset *data = dataset_of("main", 3, 2);

	EXPECT(data->input_cpu_ns > 0);
	EXPECT(data->reference_cpu_ns > 0);
	ao_dataset_free(data);
}

static void a_reference_that_does_not_compile_says_where(void)
{
	struct ao_error *err = error_of("void reference(void)\n{\n\tx;\n}\n");

	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(tells(err, "reference.c:3:"));
}

static void a_reference_without_the_function_is_refused(void)
{
	struct ao_error *err = error_of("int x;\n");

	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(tells(err, "undefined reference to `reference'"));
}

static void a_task_without_a_reference_is_refused(void)
{
	struct ao_dataset *dataset = NULL;
	struct ao_task *none = NULL;

	must(ao_task_parse(&none, "task.json", scale_json, strlen(scale_json)));
	EXPECT(code_of(ao_dataset_make(&dataset, none, &none->cases[0], 1,
				       1)) == AO_EINVALID);
	ao_task_free(none);
}

static void an_answer_that_is_not_finite_is_refused_by_name(void)
{
	struct ao_error *err = error_of(
		"void reference(const float *x, const float *g,\n"
		"               double *y)\n"
		"{ for (int i = 0; i < M * N; i++) y[i] = 1;\n"
		"  y[5] = 1 / (y[5] - 1); }\n");

	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(tells(err, "leaves inf in element 5 of output 'y'"));
}

static void an_answer_that_is_not_written_is_refused(void)
{
	EXPECT(tells(error_of("void reference(const float *x, const float *g,\n"
			      "               double *y)\n"
			      "{ for (int i = 0; i < M * N - 1; i++)\n"
			      "	y[i] = 1; }\n"),
		     "leaves nan in element 119999"));
}

static void a_reference_that_crashes_is_an_error(void)
{
	struct ao_error *err = error_of(
		"void reference(void) { *(volatile int *)8 = 1; }\n");

	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(tells(err, "signal 11"));
}

static void a_reference_that_exits_is_an_error(void)
{
	EXPECT(tells(error_of("#include <stdlib.h>\n"
			      "void reference(void) { exit(7); }\n"),
		     "exited with status 7"));
}

static void a_reference_cannot_change_the_inputs(void)
{
	static const char source[] =
		"void reference(float *x, float *g, double *y)\n"
		"{ for (int i = 0; i < M * N; i++) { x[i] = 0; y[i] = 1; } }\n";
	struct ao_task *bad = make_task(scale_json, source);
	struct ao_dataset *good = dataset_of("odd", 7, 1);
	struct ao_dataset *spoiled = NULL;

	must(ao_dataset_make(&spoiled, bad, &bad->cases[2], 7, 1));
	EXPECT(!memcmp(good->inputs[0], spoiled->inputs[0], 7 * 13 * 4));
	ao_dataset_free(good);
	ao_dataset_free(spoiled);
	ao_task_free(bad);
}

static void a_reference_that_does_not_end_is_stopped(void)
{
	struct ao_task *slow = make_task(
		scale_json, "void reference(void)\n"
			    "{ for (volatile int i = 0;; i++) ; }\n");
	struct ao_reference reference = { 0 };
	void *buffers[3] = { NULL, NULL, NULL };
	uint64_t cpu_ns = 0;
	char *folder;

	must(ao_file_temp_folder(&folder));
	must(ao_reference_build(&reference, folder, slow, &slow->cases[0]));
	EXPECT(code_of(ao_reference_run(&cpu_ns, reference.object, buffers, 1,
					3, 200)) == AO_ELIMIT);
	EXPECT(waitpid(-1, NULL, WNOHANG) == -1);
	ao_reference_release(&reference);
	ao_file_remove_tree(folder);
	free(folder);
	ao_task_free(slow);
}

/* A child that looks at the answers dies of it. */
static void no_child_process_inherits_the_answers(void)
{
	struct ao_dataset *data = dataset_of("odd", 7, 1);
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		volatile double peek;

		/* The sanitizers' handler would tell the whole world. */
		signal(SIGSEGV, SIG_DFL);
		peek = data->expected[0][0];
		(void)peek;
		_exit(0);
	}
	EXPECT(waitpid(pid, &status, 0) == pid);
	EXPECT(WIFSIGNALED(status));
	ao_dataset_free(data);
}

int main(void)
{
	task = scale_task();
	RUN(the_answers_are_the_references);
	RUN(inputs_that_are_drawn_alone_are_the_same);
	RUN(equal_seeds_give_equal_inputs);
	RUN(other_seeds_and_sets_give_other_inputs);
	RUN(inputs_are_the_same_on_every_machine);
	RUN(elements_are_drawn_as_the_task_says);
	RUN(hard_sets_stand_behind_the_others_with_answers);
	RUN(every_slice_has_a_yardstick);
	RUN(hard_sets_without_finite_answers_are_left_out);
	RUN(a_task_can_do_without_hard_inputs);
	RUN(an_answer_that_its_type_cannot_hold_is_refused);
	RUN(whole_numbers_and_doubles_can_be_inputs);
	RUN(a_generic_reference_gets_the_axes_first);
	RUN(what_it_cost_is_told);
	RUN(a_reference_that_does_not_compile_says_where);
	RUN(a_reference_without_the_function_is_refused);
	RUN(a_task_without_a_reference_is_refused);
	RUN(an_answer_that_is_not_finite_is_refused_by_name);
	RUN(an_answer_that_is_not_written_is_refused);
	RUN(a_reference_that_crashes_is_an_error);
	RUN(a_reference_that_exits_is_an_error);
	RUN(a_reference_cannot_change_the_inputs);
	RUN(a_reference_that_does_not_end_is_stopped);
	RUN(no_child_process_inherits_the_answers);
	ao_task_free(task);
	return tap_done();
}
