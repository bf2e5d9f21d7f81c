/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/task_cases.h"
#include "util/limits.h"
#include "util/text.h"

enum { MAX_NAME = 64, MAX_WEIGHT = 1000 };

/* A computed axis: the complaint is about its expression. */
static struct ao_error *compute_extent(const struct ao_task_parser *parser,
				       struct ao_case *c, size_t i)
{
	const struct ao_axis *axis = &parser->task->axes[i];
	const struct ao_json *json = ao_json_get(
		ao_json_get(parser->root, "axes"), axis->name);
	struct ao_error *err;
	double value;

	err = ao_task_eval(&value, parser->task, i, c->extents,
			   axis->expression);
	if (err)
		return ao_parser_complain(parser, json, "expression", err);
	if (!(value >= 1 && value <= INT32_MAX) || value != floor(value))
		return ao_json_complain(parser->doc, json, "expression",
					"is %g in case '%s'; expected a whole "
					"number within 1 .. %d",
					value, c->name, INT32_MAX);
	c->extents[i] = (int64_t)value;
	return NULL;
}

static struct ao_error *check_multiples(const struct ao_task_parser *parser,
					const struct ao_case *c,
					const struct ao_json *given)
{
	const struct ao_task *task = parser->task;

	for (size_t i = 0; i < task->axis_count; i++) {
		const struct ao_axis *axis = &task->axes[i];
		int64_t by = axis->multiple_axis
				     ? c->extents[axis->multiple_axis - 1]
				     : axis->multiple;

		if (c->extents[i] % by)
			return ao_json_complain(parser->doc, given, axis->name,
						"expected a multiple of "
						"%" PRId64,
						by);
	}
	return NULL;
}

static struct ao_error *parse_extents(const struct ao_task_parser *parser,
				      struct ao_case *c,
				      const struct ao_json *json)
{
	const struct ao_task *task = parser->task;
	const struct ao_json *given;
	struct ao_error *err;

	err = ao_json_want(&given, parser->doc, json, "axes", AO_JSON_OBJECT);
	if (err)
		return err;
	for (const struct ao_json *m = ao_json_first(given); m;
	     m = ao_json_next(m)) {
		size_t i = ao_parser_find_axis(parser, ao_json_key(m));

		if (i == task->axis_count)
			return ao_parser_unknown_axis(parser, m,
						      ao_json_key(m));
		if (task->axes[i].expression)
			return ao_json_complain(parser->doc, m, NULL,
						"this axis is not of type "
						"'var'; leave it out");
	}
	c->extents = ao_xcalloc(task->axis_count, sizeof(*c->extents));
	for (size_t i = 0; i < task->axis_count; i++) {
		if (task->axes[i].expression)
			err = compute_extent(parser, c, i);
		else
			err = ao_parser_extent(&c->extents[i], parser, given,
					       task->axes[i].name);
		if (err)
			return err;
	}
	return check_multiples(parser, c, given);
}

/* In double, as the product of eight extents fits no integer. */
static double bytes_of(const struct ao_tensor *tensor, const struct ao_case *c)
{
	double bytes = (double)ao_dtype_size(tensor->dtype);

	for (size_t i = 0; i < tensor->rank; i++)
		bytes *= (double)c->extents[tensor->axes[i]];
	return bytes;
}

static struct ao_error *check_sizes(const struct ao_task_parser *parser,
				    const struct ao_case *c,
				    const struct ao_json *json)
{
	const struct ao_task *task = parser->task;
	double total = 0;

	for (size_t i = 0; i < task->input_count + task->output_count; i++) {
		const struct ao_tensor *tensor =
			i < task->input_count
				? &task->inputs[i]
				: &task->outputs[i - task->input_count];

		total += bytes_of(tensor, c);
		if (total > (double)AO_MAX_TENSOR_BYTES)
			return ao_json_complain(
				parser->doc, json, "axes",
				"with '%s' the tensors take %.0f bytes; at "
				"most %.0f are allowed",
				tensor->name, total,
				(double)AO_MAX_TENSOR_BYTES);
	}
	return NULL;
}

static struct ao_error *check_work(const struct ao_task_parser *parser,
				   const struct ao_case *c)
{
	const struct ao_task *task = parser->task;
	const struct ao_json *json = ao_json_get(parser->root, "work");

	for (size_t i = 0; i < AO_WORK_COUNT; i++) {
		const char *name = ao_work_name((enum ao_work)i);
		struct ao_error *err;
		double value;

		if (!task->work[i])
			continue;
		err = ao_task_eval(&value, task, task->axis_count, c->extents,
				   task->work[i]);
		if (err)
			return ao_parser_complain(parser, json, name, err);
		if (value < 0)
			return ao_json_complain(parser->doc, json, name,
						"is %g in case '%s'; expected "
						"no less than 0",
						value, c->name);
	}
	return NULL;
}

static struct ao_error *parse_name(const struct ao_task_parser *parser,
				   struct ao_case *c,
				   const struct ao_json *json)
{
	const char *name;
	struct ao_error *err;
	size_t len;

	err = ao_json_want_string(&name, parser->doc, json, "name");
	if (err)
		return err;
	len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			   "0123456789._=-");
	if (!len || len > MAX_NAME || name[len])
		return ao_json_complain(parser->doc, json, "name",
					"expected letters, digits, '.', '_', "
					"'=' and '-', at most %d",
					MAX_NAME);
	if (ao_task_case(parser->task, name))
		return ao_json_complain(parser->doc, json, "name",
					"there is a case '%s' already", name);
	c->name = ao_xstrdup(name);
	return NULL;
}

static struct ao_error *parse_weight(const struct ao_task_parser *parser,
				     struct ao_case *c,
				     const struct ao_json *json)
{
	struct ao_error *err = NULL;

	c->weight = c->is_on_request ? 0 : 1;
	if (ao_json_get(json, "weight"))
		err = ao_json_want_number(&c->weight, parser->doc, json,
					  "weight", 0,
					  c->is_on_request ? 0 : MAX_WEIGHT);
	if (err)
		return err;
	if (!parser->task->case_count && c->weight == 0)
		return ao_json_complain(parser->doc, json, "weight",
					"the first case is the main one; its "
					"weight cannot be 0");
	return NULL;
}

/* What nobody looks at by himself can be neither the main case nor guarded. */
static struct ao_error *parse_role(const struct ao_task_parser *parser,
				   struct ao_case *c,
				   const struct ao_json *json)
{
	struct ao_error *err;

	err = ao_parser_truth(&c->is_protected, parser, json, "protected");
	if (!err)
		err = ao_parser_truth(&c->is_on_request, parser, json,
				      "on_request");
	if (!err && c->is_on_request && !parser->task->case_count)
		err = ao_json_complain(parser->doc, json, "on_request",
				       "the first case is the main one; it "
				       "cannot be on request");
	if (!err && c->is_on_request && c->is_protected)
		err = ao_json_complain(parser->doc, json, "protected",
				       "a case on request is not timed unless "
				       "asked for; it cannot be protected");
	return err;
}

static struct ao_error *parse_case(const struct ao_task_parser *parser,
				   struct ao_case *c,
				   const struct ao_json *json)
{
	static const char *const keys[] = { "name",	 "description",
					    "axes",	 "weight",
					    "protected", "on_request" };
	struct ao_error *err;

	err = ao_json_want_only(parser->doc, json, keys, AO_ARRAY_SIZE(keys));
	if (!err)
		err = parse_name(parser, c, json);
	if (!err)
		err = parse_extents(parser, c, json);
	if (!err)
		err = parse_role(parser, c, json);
	if (!err)
		err = parse_weight(parser, c, json);
	if (!err)
		err = check_sizes(parser, c, json);
	if (!err)
		err = check_work(parser, c);
	return err;
}

struct ao_error *ao_cases_parse(struct ao_task_parser *parser)
{
	struct ao_task *task = parser->task;
	const struct ao_json *list;
	struct ao_error *err;
	size_t count;

	err = ao_json_want(&list, parser->doc, parser->root, "cases",
			   AO_JSON_ARRAY);
	if (err)
		return err;
	count = ao_json_count(list);
	if (!count || count > AO_MAX_CASES)
		return ao_json_complain(parser->doc, list, NULL,
					"expected 1 .. %d cases", AO_MAX_CASES);
	task->cases = ao_xcalloc(count, sizeof(*task->cases));
	for (const struct ao_json *e = ao_json_first(list); e && !err;
	     e = ao_json_next(e)) {
		struct ao_case c = { 0 };

		err = parse_case(parser, &c, e);
		/* Counted even if it is bad: ao_task_free() sees to it. */
		task->cases[task->case_count++] = c;
	}
	return err;
}

void ao_task_case_names(struct ao_strs *out, const struct ao_task *task,
			bool is_all)
{
	for (size_t i = 0; i < task->case_count; i++)
		if (is_all || !task->cases[i].is_on_request)
			ao_strs_push(out, task->cases[i].name);
}

static struct ao_error *unknown_case(const struct ao_task *task,
				     const char *name)
{
	struct ao_strs names = { 0 };
	struct ao_error *err;
	const char *near;

	ao_task_case_names(&names, task, true);
	near = ao_text_nearest(name, (const char *const *)names.v, names.count);
	if (near)
		err = ao_error_new(AO_ENOTFOUND,
				   "task '%s' has no case '%s'; did you mean "
				   "'%s'?",
				   task->name, name, near);
	else
		err = ao_error_new(AO_ENOTFOUND,
				   "task '%s' has no case '%s'; 'git accelopt "
				   "task show %s' lists them",
				   task->name, name, task->name);
	ao_strs_release(&names);
	return err;
}

struct ao_error *ao_task_choose(size_t **out, size_t *count_out,
				const struct ao_task *task,
				const struct ao_strs *names)
{
	bool is_by_name = names && names->count;
	size_t *chosen;
	size_t count = 0;

	for (size_t i = 0; is_by_name && i < names->count; i++)
		if (!ao_task_case(task, names->v[i]))
			return unknown_case(task, names->v[i]);
	chosen = ao_xcalloc(task->case_count, sizeof(*chosen));
	for (size_t i = 0; i < task->case_count; i++) {
		const struct ao_case *c = &task->cases[i];

		if (is_by_name ? ao_strs_has(names, c->name)
			       : !c->is_on_request)
			chosen[count++] = i;
	}
	*out = chosen;
	*count_out = count;
	return NULL;
}
