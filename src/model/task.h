/* SPDX-License-Identifier: MIT */
/*
 * task.h - what a kernel has to compute, at which sizes, and how exactly.
 *
 * A task is a folder tasks/<name>/ with task.json (this structure), a
 * reference that is right and as simple as can be, and the kernel files that
 * an agent may change.  The vocabulary (axes, inputs and outputs with shape
 * and dtype) is that of FlashInfer-Bench's Definition; a case is its Workload.
 * The format is described in gitaccelopt-formats(5).
 */
#ifndef AO_MODEL_TASK_H
#define AO_MODEL_TASK_H

#include "util/error.h"
#include "util/strs.h"

enum ao_dtype { AO_DTYPE_FLOAT32, AO_DTYPE_FLOAT64, AO_DTYPE_INT32 };

/* Bytes of one element. */
size_t ao_dtype_size(enum ao_dtype dtype);
const char *ao_dtype_name(enum ao_dtype dtype); /* "float32", ... */

/* How an input's elements are drawn. */
enum ao_fill {
	AO_FILL_NORMAL,	    /* N(0, scale^2) */
	AO_FILL_ABS_NORMAL, /* |N(0, scale^2)| */
	AO_FILL_UNIFORM,    /* uniform in [-scale, scale) */
};

/*
 * What else an input is made of, beside what is drawn by its fill: what breaks
 * kernels that are right on average.  Sets of such inputs are checked, never
 * timed.
 */
enum ao_hard {
	AO_HARD_LARGE,	     /* a thousand times the scale */
	AO_HARD_DENORMAL,    /* nothing as large as the least normal number */
	AO_HARD_EQUAL,	     /* all the same number */
	AO_HARD_ONE_HOT,     /* zeros, but for one element */
	AO_HARD_MAX_LAST,    /* the last element is by far the largest */
	AO_HARD_ALTERNATING, /* signs in turns, so that sums cancel out */
	AO_HARD_COUNT,
};
const char *ao_hard_name(enum ao_hard hard); /* "large", ... */

struct ao_axis {
	char *name;
	char *expression; /* of earlier axes; NULL: each case gives it */
	int64_t multiple; /* of what each case gives, >= 1: that divides it */
	size_t multiple_axis; /* 1 + the axis that divides it; 0: none */
};

struct ao_tensor {
	char *name;
	enum ao_dtype dtype;
	size_t rank;
	size_t *axes; /* [rank] indices into the task's axes, outermost first */
	enum ao_fill fill; /* inputs */
	double scale;	   /* inputs; > 0 */
	uint32_t hard;	   /* inputs: bits 1 << enum ao_hard */
	double tolerance;  /* outputs: most relative L2 error allowed */
};

struct ao_case {
	char *name;
	int64_t *extents;  /* [axis_count], > 0 */
	double weight;	   /* in the score; 0: only checked */
	bool is_protected; /* a gain elsewhere may not cost this case time */
	/*
	 * Judged only by who asks for it, as it takes too long to be checked
	 * for every candidate; of weight 0, and never the main case.
	 */
	bool is_on_request;
};

/* A number the kernel and the reference see as a macro, such as EPS. */
struct ao_scalar {
	char *name;
	double value;
};

/* Work of one call by class of operation, each an expression of the axes. */
enum ao_work {
	AO_WORK_FMA, /* multiply-adds */
	AO_WORK_ADD, /* additions and comparisons, outside FMAs */
	AO_WORK_MUL, /* multiplications, outside FMAs */
	AO_WORK_DIV,
	AO_WORK_SQRT,
	AO_WORK_EXP,
	AO_WORK_COUNT,
};
const char *ao_work_name(enum ao_work work); /* "fma", ... */

#define AO_THREADS_ALL UINT32_MAX

struct ao_task {
	/*
	 * The task id: a hash of task.json and the reference, so of all that
	 * decides what is right.  "" until the reference is known.
	 */
	char id[AO_ID_SIZE];
	char *name;
	char *op_type;
	char *description;
	char *target;		     /* "c": there is no other yet */
	char *entry;		     /* the function to call: "kernel" */
	struct ao_strs kernel_files; /* within the task's folder */
	char *reference_file;	     /* the same */
	char *reference;	     /* its text; NULL until loaded */
	/*
	 * The practitioner's baseline: what some minutes with the usual
	 * libraries come to.  A file that is no kernel file, or NULL.
	 */
	char *practitioner_file;
	uint32_t practitioner_libraries; /* bits of library.h */
	bool is_generic;	/* axes are size_t parameters, not macros */
	bool is_without_hidden; /* no shapes but those of the cases */
	/*
	 * As many threads of a kernel may work at a time; AO_THREADS_ALL: one
	 * for each CPU.  0 and 1: it may make none.
	 */
	uint32_t threads;

	struct ao_axis *axes;
	size_t axis_count;
	struct ao_scalar *scalars;
	size_t scalar_count;
	struct ao_tensor *inputs;
	size_t input_count;
	struct ao_tensor *outputs;
	size_t output_count;
	struct ao_case *cases; /* the first is the main one */
	size_t case_count;
	char *work[AO_WORK_COUNT]; /* expressions; NULL: none of it */

	/*
	 * An axis whose slices are independent: permuting every tensor that
	 * has it permutes the outputs alike.  The judge makes new inputs with
	 * known answers that way.  axis_count: none.
	 */
	size_t independent_axis;

	/*
	 * The text of task.json, kept to be hashed and passed on whole.
	 */
	char *json;
	size_t json_len;
};

/*
 * Parse task.json.  `where` is its path, for messages; AO_EINVALID names the
 * line and field.  Checks everything that needs no other file: types, names
 * that are C identifiers, axes that exist, extents that are positive, sizes
 * within AO_MAX_TENSOR_BYTES.  The caller frees *out with ao_task_free().
 */
AO_MUST_CHECK
struct ao_error *ao_task_parse(struct ao_task **out, const char *where,
			       const char *text, size_t len);
void ao_task_free(struct ao_task *task);

/*
 * An AO_EINVALID that says `what` of `file`, one that task.json names, with the
 * line and field that do; `where` is the path of task.json.
 */
AO_MUST_CHECK
struct ao_error *ao_task_complain(const struct ao_task *task, const char *where,
				  const char *file, const char *what);

/* Give the task its reference's text (copied) and with it its id. */
void ao_task_set_reference(struct ao_task *task, const char *text, size_t len);

/*
 * The value of an expression of the first `count` axes, given their extents.
 * AO_EINVALID says what is wrong and where in the expression.
 */
AO_MUST_CHECK
struct ao_error *ao_task_eval(double *out, const struct ao_task *task,
			      size_t count, const int64_t *extents,
			      const char *expression);

/* Elements of a tensor in a case. */
size_t ao_tensor_elements(const struct ao_tensor *tensor,
			  const struct ao_case *c);

/* Bytes of all inputs and outputs, each moved once. */
double ao_task_bytes(const struct ao_task *task, const struct ao_case *c);

/* Operations of one class in a case. */
double ao_task_work(const struct ao_task *task, const struct ao_case *c,
		    enum ao_work work);

/* Whether kernels may make threads. */
bool ao_task_has_threads(const struct ao_task *task);

/* Threads that may work at a time where there are `cpus` CPUs, at least 1. */
uint32_t ao_task_threads(const struct ao_task *task, uint32_t cpus);

/* The case of that name, or NULL. */
const struct ao_case *ao_task_case(const struct ao_task *task,
				   const char *name);

/*
 * The cases to judge: those of these names, or if there are none (or NULL) all
 * that are not on request.
 *
 * out  [*count_out] indices into the task's cases, ascending
 *
 * AO_ENOTFOUND for a name that no case has, with the likely one.  The caller
 * frees *out.
 */
AO_MUST_CHECK
struct ao_error *ao_task_choose(size_t **out, size_t *count_out,
				const struct ao_task *task,
				const struct ao_strs *names);

/* The names of the cases, those on request only if `is_all`, pushed to *out. */
void ao_task_case_names(struct ao_strs *out, const struct ao_task *task,
			bool is_all);

/* Whether `name` can be a task: a folder name and part of a ref. */
bool ao_task_name_is_valid(const char *name);

#endif
