/* SPDX-License-Identifier: MIT */
/*
 * stopwatch.h - how much faster one object is than another, and whether it is
 * right: quickly, and not to be trusted with code of strangers.
 *
 * The judge of src/eval takes seconds, so as not to be deceived.  Here both
 * objects are the catalogue's own, so they are loaded into one child process
 * and called in turns on the same inputs.  What counts is the least processor
 * time of each: other work on the machine only ever adds to that, and less
 * than to the time on the clock.
 */
#ifndef AO_BENCH_STOPWATCH_H
#define AO_BENCH_STOPWATCH_H

#include <dlfcn.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/check.h"
#include "eval/dataset.h"
#include "util/clock.h"

enum {
	STOPWATCH_ARGUMENTS = 12,
	STOPWATCH_LEAST_CALLS = 3, /* in a row, of each object */
	STOPWATCH_ROW_MS = 40,
	STOPWATCH_ROWS = 8, /* at most, until two in succession agree */
	STOPWATCH_TIMEOUT_S = 20,
};

/* Log gains of two rows that differ by less agree. */
#define STOPWATCH_AGREE 0.02

/* What a task's kernels are called with. */
struct stopwatch {
	const struct ao_task *task;
	struct ao_dataset *dataset; /* one set */
	void *outputs[STOPWATCH_ARGUMENTS];
};

/* What the child process has found out; it shares this with us. */
struct stopwatch_time {
	double error; /* the output's error over its tolerance; > 1: wrong */
	double log_gain;
	bool is_done;
};

/* With the most arguments that one takes: more than it has do no harm. */
typedef void stopwatch_kernel(void *, void *, void *, void *, void *, void *,
			      void *, void *, void *, void *, void *, void *);

static inline void stopwatch_call(const struct stopwatch *watch,
				  stopwatch_kernel *kernel)
{
	void *a[STOPWATCH_ARGUMENTS] = { NULL };
	size_t n = 0;

	for (size_t i = 0; i < watch->task->input_count; i++)
		a[n++] = watch->dataset->inputs[i];
	for (size_t i = 0; i < watch->task->output_count; i++)
		a[n++] = watch->outputs[i];
	kernel(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
	       a[10], a[11]);
}

static inline size_t stopwatch_bytes(const struct stopwatch *watch,
				     const struct ao_tensor *tensor)
{
	return ao_tensor_elements(tensor, watch->dataset->c) *
	       ao_dtype_size(tensor->dtype);
}

/* The caller releases it; what it measures is the main case. */
AO_MUST_CHECK
static inline struct ao_error *stopwatch_init(struct stopwatch *out,
					      const struct ao_task *task)
{
	struct stopwatch watch = { .task = task };
	struct ao_error *err;

	if (task->input_count + task->output_count > STOPWATCH_ARGUMENTS)
		return ao_error_new(AO_ELIMIT, "'%s' has too many tensors",
				    task->name);
	err = ao_dataset_make(&watch.dataset, task, &task->cases[0], 1, 1);
	if (err)
		return err;
	/* A dataset is kept from child processes, where a judge runs it. */
	for (size_t i = 0; i < task->input_count; i++)
		madvise(watch.dataset->inputs[i],
			stopwatch_bytes(&watch, &task->inputs[i]), MADV_DOFORK);
	for (size_t i = 0; i < task->output_count; i++) {
		size_t n = ao_tensor_elements(&task->outputs[i],
					      &task->cases[0]);

		madvise(watch.dataset->expected[i], n * sizeof(double),
			MADV_DOFORK);
		watch.outputs[i] = aligned_alloc(
			64, (stopwatch_bytes(&watch, &task->outputs[i]) + 63) &
				    ~(size_t)63);
	}
	*out = watch;
	return NULL;
}

static inline void stopwatch_release(struct stopwatch *watch)
{
	for (size_t i = 0; i < STOPWATCH_ARGUMENTS; i++)
		free(watch->outputs[i]);
	ao_dataset_free(watch->dataset);
	*watch = (struct stopwatch){ 0 };
}

/* The largest error of an output, in tolerances; every one is set. */
static inline double stopwatch_error(const struct stopwatch *watch)
{
	const struct ao_task *task = watch->task;
	double worst = 0;

	for (size_t i = 0; i < task->output_count; i++) {
		struct ao_checked checked = {
			.tensor = &task->outputs[i],
			.got = watch->outputs[i],
			.expected = watch->dataset->expected[i],
		};
		double error;

		ao_view_compute(&checked.view, task, watch->dataset->c,
				checked.tensor);
		checked.norm = ao_check_norm(checked.expected,
					     ao_view_elements(&checked.view));
		error = ao_check_error(&checked) / checked.tensor->tolerance;
		/* Also what is no number. */
		if (!(error <= worst))
			worst = error;
	}
	return worst;
}

static inline double stopwatch_time(const struct stopwatch *watch,
				    stopwatch_kernel *kernel)
{
	uint64_t start = ao_clock_cpu_ns();

	stopwatch_call(watch, kernel);
	return (double)(ao_clock_cpu_ns() - start);
}

/* The least times of a parent and a kernel. */
struct stopwatch_least {
	double parent_ns;
	double kernel_ns;
};

static inline double stopwatch_gain(const struct stopwatch_least *least)
{
	return log(least->parent_ns / least->kernel_ns);
}

static inline struct stopwatch_least stopwatch_row(
	const struct stopwatch *watch, stopwatch_kernel *parent,
	stopwatch_kernel *kernel)
{
	struct stopwatch_least least = { INFINITY, INFINITY };
	uint64_t end = ao_clock_cpu_ns() + STOPWATCH_ROW_MS * UINT64_C(1000000);

	for (int calls = 0;
	     calls < STOPWATCH_LEAST_CALLS || ao_clock_cpu_ns() < end;
	     calls++) {
		least.parent_ns = fmin(least.parent_ns,
				       stopwatch_time(watch, parent));
		least.kernel_ns = fmin(least.kernel_ns,
				       stopwatch_time(watch, kernel));
	}
	return least;
}

/* The log gain of `kernel` over `parent` by their least times in all rows. */
static inline double stopwatch_compare(const struct stopwatch *watch,
				       stopwatch_kernel *parent,
				       stopwatch_kernel *kernel)
{
	struct stopwatch_least least = { INFINITY, INFINITY };
	double before = INFINITY;

	for (int i = 0; i < STOPWATCH_ROWS; i++) {
		struct stopwatch_least row = stopwatch_row(watch, parent,
							   kernel);
		double gain = stopwatch_gain(&row);

		least.parent_ns = fmin(least.parent_ns, row.parent_ns);
		least.kernel_ns = fmin(least.kernel_ns, row.kernel_ns);
		if (fabs(gain - before) < STOPWATCH_AGREE)
			break;
		before = gain;
	}
	return stopwatch_gain(&least);
}

static inline stopwatch_kernel *stopwatch_load(const char *object,
					       const char *entry)
{
	void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
	stopwatch_kernel *kernel = NULL;

	if (handle)
		*(void **)&kernel = dlsym(handle, entry);
	if (!kernel)
		_exit(1);
	return kernel;
}

static inline void stopwatch_child(const struct stopwatch *watch,
				   const char *parent_object,
				   const char *object,
				   struct stopwatch_time *out)
{
	const char *entry = watch->task->entry;
	stopwatch_kernel *parent = stopwatch_load(parent_object, entry);
	stopwatch_kernel *kernel = stopwatch_load(object, entry);

	for (size_t i = 0; i < watch->task->output_count; i++)
		memset(watch->outputs[i], 0xff,
		       stopwatch_bytes(watch, &watch->task->outputs[i]));
	stopwatch_call(watch, kernel);
	out->error = stopwatch_error(watch);
	if (out->error <= 1)
		out->log_gain = stopwatch_compare(watch, parent, kernel);
	out->is_done = true;
}

/*
 * Measure an object against another one of the same task, which is right.
 * False if it crashes or does not end.
 */
static inline bool stopwatch_measure(struct stopwatch_time *out,
				     const struct stopwatch *watch,
				     const char *parent_object,
				     const char *object)
{
	struct stopwatch_time *shared;
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return false;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		alarm(STOPWATCH_TIMEOUT_S);
		stopwatch_child(watch, parent_object, object, shared);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	*out = *shared;
	munmap(shared, sizeof(*shared));
	return out->is_done;
}

#endif
