/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/cname.h"
#include "model/task_parser.h"
#include "util/limits.h"
#include "util/text.h"

struct ao_error *ao_parser_complain(const struct ao_task_parser *parser,
				    const struct ao_json *value,
				    const char *key, struct ao_error *err)
{
	struct ao_error *complaint;

	if (!err)
		return NULL;
	complaint = ao_json_complain(parser->doc, value, key, "%s",
				     ao_error_message(err));
	ao_error_free(err);
	return complaint;
}

struct ao_error *ao_parser_text(char **out, const struct ao_task_parser *parser,
				const struct ao_json *object, const char *key,
				const char *otherwise)
{
	const char *text = otherwise;
	struct ao_error *err = NULL;

	if (ao_json_get(object, key))
		err = ao_json_want_string(&text, parser->doc, object, key);
	if (!err)
		*out = text ? ao_xstrdup(text) : NULL;
	return err;
}

static struct ao_error *not_a_choice(const struct ao_task_parser *parser,
				     const struct ao_json *member,
				     const char *const *choices, size_t count)
{
	struct ao_buf list = AO_BUF_INIT(1024);
	struct ao_error *err;

	for (size_t i = 0; i < count; i++)
		ao_buf_addf(&list, "%s'%s'",
			    i == 0	    ? ""
			    : i + 1 < count ? ", "
					    : " or ",
			    choices[i]);
	err = ao_json_complain(parser->doc, member, NULL, "expected %s",
			       list.ptr);
	ao_buf_release(&list);
	return err;
}

struct ao_error *ao_parser_word(size_t *out,
				const struct ao_task_parser *parser,
				const struct ao_json *value,
				const char *const *choices, size_t count)
{
	const char *text = ao_json_text(value);

	for (size_t i = 0; text && i < count; i++) {
		if (!strcmp(choices[i], text)) {
			*out = i;
			return NULL;
		}
	}
	return not_a_choice(parser, value, choices, count);
}

struct ao_error *ao_parser_choice(size_t *out,
				  const struct ao_task_parser *parser,
				  const struct ao_json *object, const char *key,
				  const char *const *choices, size_t count)
{
	const char *text;
	struct ao_error *err;

	err = ao_json_want_string(&text, parser->doc, object, key);
	if (err)
		return err;
	return ao_parser_word(out, parser, ao_json_get(object, key), choices,
			      count);
}

struct ao_error *ao_parser_truth(bool *out, const struct ao_task_parser *parser,
				 const struct ao_json *object, const char *key)
{
	const struct ao_json *value;
	struct ao_error *err;

	if (!ao_json_get(object, key))
		return NULL;
	err = ao_json_want(&value, parser->doc, object, key, AO_JSON_BOOL);
	if (!err)
		*out = ao_json_truth(value);
	return err;
}

struct ao_error *ao_parser_extent(int64_t *out,
				  const struct ao_task_parser *parser,
				  const struct ao_json *object, const char *key)
{
	struct ao_error *err;
	double number;

	err = ao_json_want_number(&number, parser->doc, object, key, 1,
				  INT32_MAX);
	if (err)
		return err;
	if (number != floor(number))
		return ao_json_complain(parser->doc, object, key,
					"expected a whole number");
	*out = (int64_t)number;
	return NULL;
}

struct ao_error *ao_parser_claim(struct ao_task_parser *parser,
				 const struct ao_json *object, const char *key,
				 const char *name)
{
	if (!ao_cname_is_identifier(name))
		return ao_json_complain(parser->doc, object, key,
					"not a name for C: use letters, digits "
					"and _, a letter first, at most 64");
	if (ao_cname_is_taken(name))
		return ao_json_complain(parser->doc, object, key,
					"'%s' has a meaning in C already",
					name);
	if (ao_strs_has(&parser->names, name))
		return ao_json_complain(parser->doc, object, key,
					"'%s' is the name of another axis, "
					"scalar, tensor or function",
					name);
	ao_strs_push(&parser->names, name);
	return NULL;
}

size_t ao_parser_find_axis(const struct ao_task_parser *parser,
			   const char *name)
{
	const struct ao_task *task = parser->task;
	size_t i = 0;

	while (i < task->axis_count && strcmp(task->axes[i].name, name) != 0)
		i++;
	return i;
}

struct ao_error *ao_parser_unknown_axis(const struct ao_task_parser *parser,
					const struct ao_json *value,
					const char *name)
{
	const struct ao_task *task = parser->task;
	const char *names[AO_MAX_AXES];
	const char *near;

	for (size_t i = 0; i < task->axis_count; i++)
		names[i] = task->axes[i].name;
	near = ao_text_nearest(name, names, task->axis_count);
	if (near)
		return ao_json_complain(parser->doc, value, NULL,
					"unknown axis; did you mean '%s'?",
					near);
	return ao_json_complain(parser->doc, value, NULL,
				"unknown axis: none of that name in 'axes'");
}

struct ao_error *ao_parser_axis(size_t *out,
				const struct ao_task_parser *parser,
				const struct ao_json *value)
{
	const char *name = ao_json_text(value);
	size_t axis;

	if (!name)
		return ao_json_complain(parser->doc, value, NULL,
					"expected the name of an axis");
	axis = ao_parser_find_axis(parser, name);
	if (axis == parser->task->axis_count)
		return ao_parser_unknown_axis(parser, value, name);
	*out = axis;
	return NULL;
}
