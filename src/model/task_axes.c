/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/task_axes.h"
#include "util/limits.h"

/* What makes the extent: NULL for "var", else an expression. */
static struct ao_error *parse_axis_type(char **expression_out,
					const struct ao_task_parser *parser,
					const struct ao_json *json)
{
	enum { VAR, CONST, EXPR };
	static const char *const types[] = { "var", "const", "expr" };
	const char *unused;
	struct ao_error *err;
	int64_t value;
	size_t type;

	err = ao_parser_choice(&type, parser, json, "type", types,
			       AO_ARRAY_SIZE(types));
	if (err)
		return err;
	unused = type == CONST ? "expression" : "value";
	if (type == VAR && ao_json_get(json, "expression"))
		unused = "expression";
	if (ao_json_get(json, unused))
		return ao_json_complain(parser->doc, json, unused,
					"an axis of type '%s' has none",
					types[type]);
	if (type == EXPR) {
		const char *text;

		err = ao_json_want_string(&text, parser->doc, json,
					  "expression");
		if (!err)
			*expression_out = ao_xstrdup(text);
	} else if (type == CONST) {
		err = ao_parser_extent(&value, parser, json, "value");
		if (!err)
			*expression_out = ao_xstrf("%" PRId64, value);
	}
	return err;
}

/* By what each extent is divided: a number, or an axis that has no such. */
static struct ao_error *parse_multiple(struct ao_axis *axis,
				       const struct ao_task_parser *parser,
				       const struct ao_json *json)
{
	static const char key[] = "multiple_of";
	const struct ao_json *value = ao_json_get(json, key);
	const struct ao_axis *by;
	struct ao_error *err;
	size_t index;

	axis->multiple = 1;
	if (!value)
		return NULL;
	if (axis->expression)
		return ao_json_complain(parser->doc, value, NULL,
					"the extents of this axis follow from "
					"its type; leave it out");
	if (!ao_json_text(value))
		return ao_parser_extent(&axis->multiple, parser, json, key);
	err = ao_parser_axis(&index, parser, value);
	if (err)
		return err;
	by = &parser->task->axes[index];
	if (by == axis || by->expression ||
	    ao_json_text(ao_json_get(
		    ao_json_get(ao_json_get(parser->root, "axes"), by->name),
		    key)))
		return ao_json_complain(parser->doc, value, NULL,
					"expected another axis of type 'var' "
					"that is no multiple of an axis");
	axis->multiple_axis = index + 1;
	return NULL;
}

static struct ao_error *parse_multiples(const struct ao_task_parser *parser)
{
	struct ao_task *task = parser->task;
	const struct ao_json *axes = ao_json_get(parser->root, "axes");
	struct ao_error *err = NULL;

	for (size_t i = 0; i < task->axis_count && !err; i++)
		err = parse_multiple(&task->axes[i], parser,
				     ao_json_get(axes, task->axes[i].name));
	return err;
}

struct ao_error *ao_axes_parse(struct ao_task_parser *parser)
{
	static const char *const keys[] = { "type", "description", "value",
					    "expression", "multiple_of" };
	struct ao_task *task = parser->task;
	const struct ao_json *axes;
	struct ao_error *err;
	size_t count;

	err = ao_json_want(&axes, parser->doc, parser->root, "axes",
			   AO_JSON_OBJECT);
	if (err)
		return err;
	count = ao_json_count(axes);
	if (count > AO_MAX_AXES)
		return ao_json_complain(parser->doc, axes, NULL,
					"expected at most %d axes",
					AO_MAX_AXES);
	task->axes = ao_xcalloc(count, sizeof(*task->axes));
	for (const struct ao_json *m = ao_json_first(axes); m && !err;
	     m = ao_json_next(m)) {
		struct ao_axis *axis = &task->axes[task->axis_count];

		err = ao_parser_claim(parser, m, NULL, ao_json_key(m));
		if (!err)
			err = ao_json_want_only(parser->doc, m, keys,
						AO_ARRAY_SIZE(keys));
		if (!err)
			err = parse_axis_type(&axis->expression, parser, m);
		if (err)
			break;
		axis->name = ao_xstrdup(ao_json_key(m));
		task->axis_count++;
	}
	return err ? err : parse_multiples(parser);
}
