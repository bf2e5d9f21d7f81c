/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <float.h>
#include <math.h>

#include "model/expr.h"
#include "model/published.h"
#include "model/task.h"
#include "util/json.h"
#include "util/limits.h"

enum { MAX_TASKS = 1024, MAX_SHAPE_BYTES = 1 << 10 };

struct reader {
	const struct ao_json_doc *doc;
	const char *machine;	    /* that is asked for */
	const struct ao_json *axes; /* of the task at hand */
};

void ao_published_release(struct ao_published *published)
{
	for (size_t i = 0; i < published->count; i++) {
		free(published->tasks[i].name);
		free(published->tasks[i].shape);
	}
	free(published->tasks);
	free(published->source);
	free(published->machine);
	*published = (struct ao_published){ 0 };
}

/* The value of an axis, for expressions. */
static bool find_axis(void *data, const char *name, size_t len,
		      double *value_out)
{
	const struct reader *reader = data;

	for (const struct ao_json *m = ao_json_first(reader->axes); m;
	     m = ao_json_next(m)) {
		const char *key = ao_json_key(m);

		if (strlen(key) != len || memcmp(key, name, len) != 0)
			continue;
		*value_out = ao_json_value(m);
		return true;
	}
	return false;
}

/* An amount of work; a member that is not there stands for none. */
static struct ao_error *read_work(double *out, struct reader *reader,
				  const struct ao_json *task, const char *key)
{
	const char *expression = NULL;
	struct ao_error *cause, *err;

	*out = 0;
	if (!ao_json_get(task, key))
		return NULL;
	err = ao_json_want_string(&expression, reader->doc, task, key);
	if (err)
		return err;
	cause = ao_expr_eval(out, expression, find_axis, reader);
	if (cause)
		err = ao_json_complain(reader->doc, task, key, "%s",
				       ao_error_message(cause));
	else if (*out < 0)
		err = ao_json_complain(reader->doc, task, key,
				       "is %g; expected no less than 0", *out);
	ao_error_free(cause);
	return err;
}

/* Axes, and the shape as text. */
static struct ao_error *read_shape(char **out, struct reader *reader,
				   const struct ao_json *task)
{
	struct ao_buf shape = AO_BUF_INIT(MAX_SHAPE_BYTES);
	struct ao_error *err;

	err = ao_json_want(&reader->axes, reader->doc, task, "axes",
			   AO_JSON_OBJECT);
	for (const struct ao_json *m = err ? NULL : ao_json_first(reader->axes);
	     m && !err; m = ao_json_next(m)) {
		double extent;

		err = ao_json_want_number(&extent, reader->doc, reader->axes,
					  ao_json_key(m), 1, INT32_MAX);
		if (!err)
			ao_buf_addf(&shape, "%s%s=%.0f", shape.len ? " " : "",
				    ao_json_key(m), extent);
	}
	if (!err)
		err = ao_buf_check(&shape, "the shape of a published task");
	*out = ao_buf_take(&shape);
	return err;
}

static void bind_to(struct ao_published_task *task, const char *bound,
		    double work, double per_s)
{
	double ms = 1e3 * work / per_s;

	if (ms <= task->peak_ms)
		return;
	task->peak_ms = ms;
	task->bound = bound;
}

/* The least time, by the authors' model. */
static struct ao_error *read_peak(struct ao_published_task *out,
				  struct reader *reader,
				  const struct ao_published *of,
				  const struct ao_json *task)
{
	double elements, matmul, vector;
	struct ao_error *err;

	err = read_work(&elements, reader, task, "elements");
	if (!err)
		err = read_work(&matmul, reader, task, "matmul_flops");
	if (!err)
		err = read_work(&vector, reader, task, "vector_flops");
	if (err)
		return err;
	bind_to(out, "memory", sizeof(float) * elements, of->bytes_per_s);
	bind_to(out, "matmul", matmul, of->matmul_flops_per_s);
	bind_to(out, "vector", vector, of->vector_flops_per_s);
	if (!out->bound)
		err = ao_json_complain(reader->doc, task, "elements",
				       "the task has no work");
	return err;
}

/* What was measured on the machine, if anything was. */
static struct ao_error *read_latencies(struct ao_published_task *out,
				       const struct reader *reader,
				       const struct ao_json *task)
{
	static const char *const keys[] = { "baseline_ms", "best_ms",
					    "counters" };
	const struct ao_json *measured, *on;
	struct ao_error *err;

	out->baseline_ms = out->best_ms = NAN;
	if (!ao_json_get(task, "measured"))
		return NULL;
	err = ao_json_want(&measured, reader->doc, task, "measured",
			   AO_JSON_OBJECT);
	if (err || !ao_json_get(measured, reader->machine))
		return err;
	on = ao_json_get(measured, reader->machine);
	err = ao_json_want_only(reader->doc, on, keys, AO_ARRAY_SIZE(keys));
	if (!err)
		err = ao_json_want_number(&out->baseline_ms, reader->doc, on,
					  "baseline_ms", FLT_MIN, FLT_MAX);
	if (!err)
		err = ao_json_want_number(&out->best_ms, reader->doc, on,
					  "best_ms", FLT_MIN, FLT_MAX);
	return err;
}

static struct ao_error *read_task(struct ao_published_task *out,
				  struct reader *reader,
				  const struct ao_published *of,
				  const struct ao_json *task)
{
	static const char *const keys[] = { "name",	    "axes",
					    "elements",	    "matmul_flops",
					    "vector_flops", "measured" };
	const char *name = NULL;
	struct ao_error *err;

	err = ao_json_want_only(reader->doc, task, keys, AO_ARRAY_SIZE(keys));
	if (!err)
		err = ao_json_want_string(&name, reader->doc, task, "name");
	if (!err && !ao_task_name_is_valid(name))
		err = ao_json_complain(reader->doc, task, "name",
				       "not the name of a task");
	if (!err)
		err = read_shape(&out->shape, reader, task);
	if (!err)
		err = read_peak(out, reader, of, task);
	if (!err)
		err = read_latencies(out, reader, task);
	if (err)
		return err;
	out->name = ao_xstrdup(name);
	out->gain = out->baseline_ms / out->best_ms;
	out->percent_before = 100 * out->peak_ms / out->baseline_ms;
	out->percent_after = 100 * out->peak_ms / out->best_ms;
	return NULL;
}

static struct ao_error *read_tasks(struct ao_published *out,
				   struct reader *reader,
				   const struct ao_json *root)
{
	const struct ao_json *list;
	struct ao_error *err;
	size_t count;

	err = ao_json_want(&list, reader->doc, root, "tasks", AO_JSON_ARRAY);
	if (err)
		return err;
	count = ao_json_count(list);
	if (!count || count > MAX_TASKS)
		return ao_json_complain(reader->doc, root, "tasks",
					"expected 1 .. %d tasks", MAX_TASKS);
	out->tasks = ao_xcalloc(count, sizeof(*out->tasks));
	/* Counted even if it is bad: ao_published_release() sees to it. */
	for (const struct ao_json *e = ao_json_first(list); e && !err;
	     e = ao_json_next(e))
		err = read_task(&out->tasks[out->count++], reader, out, e);
	return err;
}

/* A machine's name; the rest if it is the one that is asked for. */
static struct ao_error *read_machine(struct ao_published *out,
				     const char **name_out,
				     const struct reader *reader,
				     const struct ao_json *json)
{
	const struct {
		const char *key;
		double *to;
	} peaks[] = {
		{ "bytes_per_s", &out->bytes_per_s },
		{ "matmul_flops_per_s", &out->matmul_flops_per_s },
		{ "vector_flops_per_s", &out->vector_flops_per_s },
	};
	const char *title = NULL;
	struct ao_error *err;

	err = ao_json_want_string(name_out, reader->doc, json, "name");
	if (err || strcmp(*name_out, reader->machine) != 0 || out->machine)
		return err;
	err = ao_json_want_string(&title, reader->doc, json, "title");
	for (size_t i = 0; i < AO_ARRAY_SIZE(peaks) && !err; i++)
		err = ao_json_want_number(peaks[i].to, reader->doc, json,
					  peaks[i].key, 1, FLT_MAX);
	if (!err)
		out->machine = ao_xstrdup(title);
	return err;
}

static struct ao_error *find_machine(struct ao_published *out,
				     const struct reader *reader,
				     const struct ao_json *root)
{
	struct ao_buf names = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	const struct ao_json *list;
	struct ao_error *err;

	err = ao_json_want(&list, reader->doc, root, "machines", AO_JSON_ARRAY);
	for (const struct ao_json *e = err ? NULL : ao_json_first(list);
	     e && !err; e = ao_json_next(e)) {
		const char *name = NULL;

		err = read_machine(out, &name, reader, e);
		if (!err)
			ao_buf_addf(&names, "%s%s", names.len ? ", " : "",
				    name);
	}
	if (!err && !out->machine)
		err = ao_error_new(AO_ENOTFOUND,
				   "nothing is published of a machine '%s'; "
				   "there is: %s",
				   reader->machine, names.ptr);
	ao_buf_release(&names);
	return err;
}

static void take_means(struct ao_published *out)
{
	double gain = 0, before = 0, after = 0, n;

	for (size_t i = 0; i < out->count; i++) {
		const struct ao_published_task *task = &out->tasks[i];

		if (isnan(task->gain))
			continue;
		out->measured++;
		gain += log(task->gain);
		before += log(task->percent_before);
		after += log(task->percent_after);
	}
	n = out->measured ? (double)out->measured : NAN;
	out->gain = exp(gain / n);
	out->percent_before = exp(before / n);
	out->percent_after = exp(after / n);
}

static struct ao_error *read_all(struct ao_published *out,
				 struct reader *reader)
{
	static const char *const keys[] = { "v", "source", "machines",
					    "tasks" };
	const struct ao_json *root = ao_json_doc_root(reader->doc);
	const char *source = NULL;
	struct ao_error *err;
	double version;

	err = ao_json_want_only(reader->doc, root, keys, AO_ARRAY_SIZE(keys));
	if (!err)
		err = ao_json_want_number(&version, reader->doc, root, "v", 1,
					  1);
	if (!err)
		err = ao_json_want_string(&source, reader->doc, root, "source");
	if (!err)
		err = find_machine(out, reader, root);
	if (!err)
		err = read_tasks(out, reader, root);
	if (err)
		return err;
	out->source = ao_xstrdup(source);
	take_means(out);
	return NULL;
}

struct ao_error *ao_published_parse(struct ao_published *out, const char *where,
				    const char *text, size_t len,
				    const char *machine)
{
	struct ao_published published = { 0 };
	struct reader reader = { .machine = machine };
	struct ao_json_doc *doc = NULL;
	struct ao_error *err;

	err = ao_json_doc_parse(&doc, where, text, len);
	if (err)
		return err;
	reader.doc = doc;
	err = read_all(&published, &reader);
	ao_json_doc_free(doc);
	if (err) {
		ao_published_release(&published);
		return err;
	}
	*out = published;
	return NULL;
}
