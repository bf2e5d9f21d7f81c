/* SPDX-License-Identifier: MIT */
/*
 * task.json from a stranger: whatever is wrong with it is said here, with line
 * and field, and not by a compiler or a judge later on.
 */
#include "util/base.h"

#include <float.h>

#include "model/library.h"
#include "model/path.h"
#include "model/task_axes.h"
#include "model/task_cases.h"
#include "model/task_parser.h"
#include "model/task_tensors.h"
#include "util/limits.h"

enum { TASK_VERSION = 1, MAX_PATH = 255 };

static struct ao_error *parse_version(const struct ao_task_parser *parser)
{
	struct ao_error *err;
	double version;

	err = ao_json_want_number(&version, parser->doc, parser->root, "v", 1,
				  INT32_MAX);
	if (!err && version != TASK_VERSION)
		err = ao_json_complain(parser->doc, parser->root, "v",
				       "version %g is not known here; version "
				       "%d is",
				       version, TASK_VERSION);
	return err;
}

static struct ao_error *parse_name(const struct ao_task_parser *parser)
{
	const char *name;
	struct ao_error *err;

	err = ao_json_want_string(&name, parser->doc, parser->root, "name");
	if (err)
		return err;
	if (!ao_task_name_is_valid(name))
		return ao_json_complain(
			parser->doc, parser->root, "name",
			"not a name for a folder and a ref: use letters, "
			"digits, '.', '_' and '-', at most 64");
	parser->task->name = ao_xstrdup(name);
	return NULL;
}

static struct ao_error *parse_target(const struct ao_task_parser *parser)
{
	struct ao_error *err;

	err = ao_parser_text(&parser->task->target, parser, parser->root,
			     "target", "c");
	if (!err && strcmp(parser->task->target, "c") != 0)
		err = ao_json_complain(parser->doc, parser->root, "target",
				       "there is no target '%s'; the one that "
				       "is known is 'c'",
				       parser->task->target);
	return err;
}

static struct ao_error *parse_entry(struct ao_task_parser *parser)
{
	struct ao_error *err;

	err = ao_parser_text(&parser->task->entry, parser, parser->root,
			     "entry", "kernel");
	if (!err)
		err = ao_parser_claim(parser, parser->root, "entry",
				      parser->task->entry);
	return err;
}

static struct ao_error *parse_shapes(const struct ao_task_parser *parser)
{
	static const char *const choices[] = { "macros", "generic" };
	struct ao_error *err = NULL;
	size_t choice = 0;

	if (ao_json_get(parser->root, "shapes"))
		err = ao_parser_choice(&choice, parser, parser->root, "shapes",
				       choices, AO_ARRAY_SIZE(choices));
	parser->task->is_generic = choice == 1;
	return err;
}

static struct ao_error *parse_threads(const struct ao_task_parser *parser)
{
	const struct ao_json *json = ao_json_get(parser->root, "threads");
	const char *text = ao_json_text(json);
	struct ao_error *err;
	int64_t threads;

	parser->task->threads = 1;
	if (!json)
		return NULL;
	if (text && !strcmp(text, "all")) {
		parser->task->threads = AO_THREADS_ALL;
		return NULL;
	}
	if (text)
		return ao_json_complain(parser->doc, parser->root, "threads",
					"expected a number of threads, or "
					"'all' for one on each CPU");
	err = ao_parser_extent(&threads, parser, parser->root, "threads");
	if (!err && threads > AO_MAX_THREADS)
		err = ao_json_complain(parser->doc, parser->root, "threads",
				       "expected at most %d threads",
				       AO_MAX_THREADS);
	if (!err)
		parser->task->threads = (uint32_t)threads;
	return err;
}

static struct ao_error *parse_hidden(const struct ao_task_parser *parser)
{
	bool is_wanted = true;
	struct ao_error *err;

	err = ao_parser_truth(&is_wanted, parser, parser->root, "hidden");
	parser->task->is_without_hidden = !is_wanted;
	return err;
}

static struct ao_error *parse_head(struct ao_task_parser *parser)
{
	static const char *const keys[] = {
		"v",	   "name",    "op_type",      "description",
		"target",  "entry",   "kernel",	      "reference",
		"shapes",  "threads", "hidden",	      "axes",
		"scalars", "inputs",  "work",	      "independent_axis",
		"outputs", "cases",   "practitioner",
	};
	struct ao_error *err;

	/* First: what a newer version added is not a misspelling. */
	err = parse_version(parser);
	if (!err)
		err = ao_json_want_only(parser->doc, parser->root, keys,
					AO_ARRAY_SIZE(keys));
	if (!err)
		err = parse_name(parser);
	if (!err)
		err = ao_parser_text(&parser->task->op_type, parser,
				     parser->root, "op_type", NULL);
	if (!err)
		err = ao_parser_text(&parser->task->description, parser,
				     parser->root, "description", NULL);
	if (!err)
		err = parse_target(parser);
	if (!err)
		err = parse_entry(parser);
	if (!err)
		err = parse_shapes(parser);
	if (!err)
		err = parse_threads(parser);
	if (!err)
		err = parse_hidden(parser);
	return err;
}

/* What is wrong with a path within the task's folder, or NULL. */
static const char *problem_of_path(const char *path)
{
	if (strlen(path) > MAX_PATH)
		return "the path of a file is too long";
	if (!strcmp(path, "task.json"))
		return "task.json describes the task; name another file";
	return ao_path_problem(path);
}

static struct ao_error *parse_kernel(const struct ao_task_parser *parser)
{
	const struct ao_json *list;
	struct ao_strs *files = &parser->task->kernel_files;
	struct ao_error *err;
	size_t count;

	err = ao_json_want(&list, parser->doc, parser->root, "kernel",
			   AO_JSON_ARRAY);
	if (err)
		return err;
	count = ao_json_count(list);
	if (!count || count > AO_MAX_FILES)
		return ao_json_complain(parser->doc, list, NULL,
					"expected 1 .. %d files", AO_MAX_FILES);
	for (const struct ao_json *e = ao_json_first(list); e;
	     e = ao_json_next(e)) {
		const char *path = ao_json_text(e);
		const char *problem = path ? problem_of_path(path)
					   : "expected the path of a file";

		if (!problem && ao_strs_has(files, path))
			problem = "the file is named twice";
		if (problem)
			return ao_json_complain(parser->doc, e, NULL, "%s",
						problem);
		ao_strs_push(files, path);
	}
	return NULL;
}

static struct ao_error *parse_reference(const struct ao_task_parser *parser)
{
	const char *path, *problem;
	struct ao_error *err;

	err = ao_json_want_string(&path, parser->doc, parser->root,
				  "reference");
	if (err)
		return err;
	problem = problem_of_path(path);
	if (!problem && ao_strs_has(&parser->task->kernel_files, path))
		problem = "the reference cannot be a kernel file: an agent "
			  "may change those";
	if (problem)
		return ao_json_complain(parser->doc, parser->root, "reference",
					"%s", problem);
	parser->task->reference_file = ao_xstrdup(path);
	return NULL;
}

static struct ao_error *parse_practitioner(const struct ao_task_parser *parser)
{
	static const char *const keys[] = { "file", "libraries" };
	struct ao_task *task = parser->task;
	const struct ao_json *json;
	const char *path, *problem;
	struct ao_error *err;

	if (!ao_json_get(parser->root, "practitioner"))
		return NULL;
	err = ao_json_want(&json, parser->doc, parser->root, "practitioner",
			   AO_JSON_OBJECT);
	if (!err)
		err = ao_json_want_only(parser->doc, json, keys,
					AO_ARRAY_SIZE(keys));
	if (!err)
		err = ao_json_want_string(&path, parser->doc, json, "file");
	if (err)
		return err;
	problem = problem_of_path(path);
	if (!problem && (ao_strs_has(&task->kernel_files, path) ||
			 !strcmp(task->reference_file, path)))
		problem = "the baseline cannot be the reference or a kernel "
			  "file: an agent may change those";
	if (problem)
		return ao_json_complain(parser->doc, json, "file", "%s",
					problem);
	task->practitioner_file = ao_xstrdup(path);
	return ao_libraries_read(&task->practitioner_libraries, parser->doc,
				 json);
}

static struct ao_error *parse_scalars(struct ao_task_parser *parser)
{
	struct ao_task *task = parser->task;
	const struct ao_json *scalars;
	struct ao_error *err;
	size_t count;

	if (!ao_json_get(parser->root, "scalars"))
		return NULL;
	err = ao_json_want(&scalars, parser->doc, parser->root, "scalars",
			   AO_JSON_OBJECT);
	if (err)
		return err;
	count = ao_json_count(scalars);
	if (count > AO_MAX_AXES)
		return ao_json_complain(parser->doc, scalars, NULL,
					"expected at most %d scalars",
					AO_MAX_AXES);
	task->scalars = ao_xcalloc(count, sizeof(*task->scalars));
	for (const struct ao_json *m = ao_json_first(scalars); m;
	     m = ao_json_next(m)) {
		struct ao_scalar *scalar = &task->scalars[task->scalar_count];

		err = ao_json_want_number(&scalar->value, parser->doc, scalars,
					  ao_json_key(m), -DBL_MAX, DBL_MAX);
		if (!err)
			err = ao_parser_claim(parser, m, NULL, ao_json_key(m));
		if (err)
			return err;
		scalar->name = ao_xstrdup(ao_json_key(m));
		task->scalar_count++;
	}
	return NULL;
}

static struct ao_error *parse_work(const struct ao_task_parser *parser)
{
	const char *names[AO_WORK_COUNT];
	const struct ao_json *work;
	struct ao_error *err;

	if (!ao_json_get(parser->root, "work"))
		return NULL;
	for (size_t i = 0; i < AO_WORK_COUNT; i++)
		names[i] = ao_work_name((enum ao_work)i);
	err = ao_json_want(&work, parser->doc, parser->root, "work",
			   AO_JSON_OBJECT);
	if (!err)
		err = ao_json_want_only(parser->doc, work, names,
					AO_WORK_COUNT);
	for (size_t i = 0; i < AO_WORK_COUNT && !err; i++)
		err = ao_parser_text(&parser->task->work[i], parser, work,
				     names[i], NULL);
	return err;
}

static struct ao_error *parse_all(struct ao_task_parser *parser)
{
	struct ao_error *err;

	err = parse_head(parser);
	if (!err)
		err = parse_kernel(parser);
	if (!err)
		err = parse_reference(parser);
	if (!err)
		err = parse_practitioner(parser);
	if (!err)
		err = ao_axes_parse(parser);
	if (!err)
		err = parse_scalars(parser);
	if (!err)
		err = ao_tensors_parse(parser);
	if (!err)
		err = parse_work(parser);
	if (!err)
		err = ao_cases_parse(parser);
	return err;
}

struct ao_error *ao_task_parse(struct ao_task **out, const char *where,
			       const char *text, size_t len)
{
	struct ao_task_parser parser = { 0 };
	struct ao_json_doc *doc;
	struct ao_error *err;

	if (len > AO_MAX_TASK_BYTES)
		return ao_error_new(AO_ELIMIT, "%s: over %d bytes", where,
				    AO_MAX_TASK_BYTES);
	err = ao_json_doc_parse(&doc, where, text, len);
	if (err)
		return err;
	parser.doc = doc;
	parser.root = ao_json_doc_root(doc);
	parser.task = ao_xcalloc(1, sizeof(*parser.task));
	parser.task->json = ao_xstrndup(text, len);
	parser.task->json_len = len;
	err = parse_all(&parser);
	ao_strs_release(&parser.names);
	ao_json_doc_free(doc);
	if (err) {
		ao_task_free(parser.task);
		return err;
	}
	*out = parser.task;
	return NULL;
}

/* The part of task.json that names the file. */
static const struct ao_json *naming(const struct ao_json *root,
				    const char *file)
{
	const struct ao_json *reference = ao_json_get(root, "reference");
	const struct ao_json *practitioner = ao_json_get(
		ao_json_get(root, "practitioner"), "file");
	const char *path = ao_json_text(reference);

	if (path && !strcmp(path, file))
		return reference;
	path = ao_json_text(practitioner);
	if (path && !strcmp(path, file))
		return practitioner;
	for (const struct ao_json *e =
		     ao_json_first(ao_json_get(root, "kernel"));
	     e; e = ao_json_next(e)) {
		path = ao_json_text(e);
		if (path && !strcmp(path, file))
			return e;
	}
	return root;
}

struct ao_error *ao_task_complain(const struct ao_task *task, const char *where,
				  const char *file, const char *what)
{
	struct ao_json_doc *doc;
	struct ao_error *err;

	err = ao_json_doc_parse(&doc, where, task->json, task->json_len);
	if (err)
		return err;
	err = ao_json_complain(doc, naming(ao_json_doc_root(doc), file), NULL,
			       "%s", what);
	ao_json_doc_free(doc);
	return err;
}
