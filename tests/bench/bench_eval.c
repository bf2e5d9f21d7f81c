/* SPDX-License-Identifier: MIT */
/*
 * What an evaluation costs in CPU time, by purpose, as a search has it: judge
 * processes, each candidate new, its parent as opponent.
 *
 *     bench_eval [TASK [EVALUATIONS]]     in the repository's root
 *
 * Fails if what is neither compiler, kernel, reference, inputs, comparison nor
 * isolation is over 10 ms an evaluation.
 */
#include "util/base.h"

#include <unistd.h>

#include "eval/eval.h"
#include "eval/evaluator.h"
#include "eval/probe.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/usage.h"

static const double most_own_ms = 10;

/* CPU time of one evaluation in milliseconds; the last is the wall's. */
enum row { COMPILE, REFERENCE, INPUTS, COMPARE, WORKER, ISOLATION, OWN, ROWS };

static const char *const row_names[ROWS] = {
	"compiler",
	"reference",
	"input generation",
	"comparison",
	"kernels and waiting for them",
	"isolation",
	"own, in the judge",
};

enum { MAX_EVALUATIONS = 1000 };

struct bench {
	struct ao_task *task;
	struct ao_kernel parent;
	struct ao_machine machine;
	size_t count;
	double ms[ROWS][MAX_EVALUATIONS];
	double known_ms; /* of all rows but OWN and all evaluations */
};

static void must(struct ao_error *err)
{
	if (!err)
		return;
	ao_error_print(stderr, err, false);
	exit(128);
}

static char *read_part(const char *task, const char *name, size_t *len_out)
{
	char *path = ao_xstrf("nkibench/tasks/%s/%s", task, name);
	struct ao_buf text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	must(ao_file_read(&text, path));
	*len_out = text.len;
	free(path);
	return ao_buf_take(&text);
}

static void load(struct bench *bench, const char *name)
{
	size_t len;
	char *text = read_part(name, "task.json", &len);

	must(ao_task_parse(&bench->task, name, text, len));
	free(text);
	text = read_part(name, bench->task->reference_file, &len);
	ao_task_set_reference(bench->task, text, len);
	free(text);
	for (size_t i = 0; i < bench->task->kernel_files.count; i++) {
		const char *file = bench->task->kernel_files.v[i];

		text = read_part(name, file, &len);
		ao_kernel_add(&bench->parent, file, text, len);
		free(text);
	}
}

static void on_answer(void *data, const struct ao_result *result,
		      struct ao_error *err)
{
	struct bench *bench = data;
	const uint64_t *ns;

	must(err);
	if (result->verdict != AO_VERDICT_PASSED) {
		fprintf(stderr, "fatal: %s: %s\n",
			ao_verdict_name(result->verdict), result->detail);
		exit(1);
	}
	ns = (const uint64_t[ROWS]){
		result->cpu_ns.compile, result->cpu_ns.reference,
		result->cpu_ns.inputs,	result->cpu_ns.compare,
		result->cpu_ns.worker,	result->cpu_ns.isolation,
		result->cpu_ns.own,
	};
	for (size_t row = 0; row < ROWS; row++) {
		bench->ms[row][bench->count] = (double)ns[row] / 1e6;
		if (row != OWN)
			bench->known_ms += (double)ns[row] / 1e6;
	}
	bench->count++;
}

/* The parent with a function more: the same work, but other machine code. */
static void evaluate(struct bench *bench, struct ao_evaluator *evaluator,
		     struct ao_loop *loop)
{
	const struct ao_kernel_file *file = &bench->parent.files[0];
	char *text = ao_xstrf("%s\n__attribute__((used)) static int "
			      "unused(int x) { return x + %zu; }\n",
			      file->data, bench->count);
	struct ao_kernel candidate = { 0 };
	struct ao_bundle bundle = {
		.task = bench->task,
		.candidate = &candidate,
		.opponents = &bench->parent,
		.opponent_count = 1,
		.machine = &bench->machine,
		.stage = AO_STAGE_SCREEN,
		.seed = 1,
	};

	ao_kernel_add(&candidate, file->path, text, strlen(text));
	for (size_t i = 1; i < bench->parent.count; i++) {
		const struct ao_kernel_file *other = &bench->parent.files[i];

		ao_kernel_add(&candidate, other->path, other->data, other->len);
	}
	ao_evaluator_submit(evaluator, &bundle, on_answer, bench);
	while (ao_evaluator_pending(evaluator))
		must(ao_loop_step(loop, UINT32_MAX));
	ao_kernel_release(&candidate);
	free(text);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void print_row(struct bench *bench, enum row row)
{
	double *ms = bench->ms[row];
	double sum = 0;

	for (size_t i = 0; i < bench->count; i++)
		sum += ms[i];
	qsort(ms, bench->count, sizeof(*ms), by_value);
	printf("%-30s %9.2f %9.2f %9.2f %9.2f\n", row_names[row], ms[0],
	       ms[bench->count / 2], ms[bench->count - 1],
	       sum / (double)bench->count);
}

/* Everything that is in no row of its own, over all processes. */
static double print(struct bench *bench, double total_ms)
{
	double own_ms = (total_ms - bench->known_ms) / (double)bench->count;

	printf("%s, %zu evaluations, ms of CPU time each\n", bench->task->name,
	       bench->count);
	printf("%-30s %9s %9s %9s %9s\n", "", "min", "median", "max", "mean");
	for (enum row row = 0; row < ROWS; row++)
		print_row(bench, row);
	printf("%-30s %39.2f  (at most %g)\n", "own, all processes", own_ms,
	       most_own_ms);
	return own_ms;
}

static int bench_main(const char *name, size_t evaluations)
{
	static struct bench bench;
	struct ao_loop *loop = ao_loop_new();
	struct ao_evaluator *evaluator = NULL;
	uint64_t from_ns;
	double own_ms;

	load(&bench, name);
	must(ao_probe_peaks(&bench.machine));
	from_ns = ao_usage_total_cpu_ns();
	must(ao_evaluator_new(&evaluator, loop, NULL, 1));
	for (size_t i = 0; i < evaluations; i++)
		evaluate(&bench, evaluator, loop);
	/* The judge's time counts once it has ended. */
	ao_evaluator_free(evaluator);
	own_ms = print(&bench,
		       (double)(ao_usage_total_cpu_ns() - from_ns) / 1e6);
	ao_loop_free(loop);
	ao_machine_release(&bench.machine);
	ao_kernel_release(&bench.parent);
	ao_task_free(bench.task);
	return own_ms <= most_own_ms ? 0 : 1;
}

int main(int argc, char **argv)
{
	unsigned long evaluations = 40; /* a search has 60 */

	if (argc == 2 && !strcmp(argv[1], "judge")) {
		must(ao_eval_serve(STDIN_FILENO, STDOUT_FILENO, false));
		return 0;
	}
	if (argc > 2)
		evaluations = strtoul(argv[2], NULL, 10);
	if (!evaluations || evaluations > MAX_EVALUATIONS) {
		fprintf(stderr, "usage: bench_eval [TASK [EVALUATIONS]]\n");
		return 129;
	}
	return bench_main(argc > 1 ? argv[1] : "rmsnorm_matmul", evaluations);
}
