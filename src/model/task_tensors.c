/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <float.h>

#include "model/task_tensors.h"
#include "util/limits.h"

static const char *const fill_names[] = {
	[AO_FILL_NORMAL] = "normal",
	[AO_FILL_ABS_NORMAL] = "abs_normal",
	[AO_FILL_UNIFORM] = "uniform",
};

static struct ao_error *parse_shape(struct ao_tensor *tensor,
				    const struct ao_task_parser *parser,
				    const struct ao_json *json)
{
	const struct ao_json *shape;
	struct ao_error *err;
	size_t rank;

	err = ao_json_want(&shape, parser->doc, json, "shape", AO_JSON_ARRAY);
	if (err)
		return err;
	rank = ao_json_count(shape);
	if (rank > AO_MAX_RANK)
		return ao_json_complain(parser->doc, shape, NULL,
					"expected at most %d axes",
					AO_MAX_RANK);
	tensor->axes = ao_xcalloc(rank, sizeof(*tensor->axes));
	for (const struct ao_json *e = ao_json_first(shape); e && !err;
	     e = ao_json_next(e))
		err = ao_parser_axis(&tensor->axes[tensor->rank++], parser, e);
	return err;
}

static struct ao_error *parse_fill(struct ao_tensor *tensor,
				   const struct ao_task_parser *parser,
				   const struct ao_json *json)
{
	struct ao_error *err = NULL;
	size_t fill = AO_FILL_NORMAL;

	tensor->scale = 1;
	if (ao_json_get(json, "fill"))
		err = ao_parser_choice(&fill, parser, json, "fill", fill_names,
				       AO_ARRAY_SIZE(fill_names));
	if (!err && ao_json_get(json, "scale"))
		err = ao_json_want_number(&tensor->scale, parser->doc, json,
					  "scale", 1e-30, 1e30);
	tensor->fill = (enum ao_fill)fill;
	if (!err && tensor->dtype == AO_DTYPE_INT32 && fill != AO_FILL_UNIFORM)
		err = ao_json_complain(parser->doc, json, "fill",
				       "integers have fill 'uniform'");
	return err;
}

static uint32_t bit(enum ao_hard hard)
{
	return UINT32_C(1) << hard;
}

/* Kinds that an input can be: they keep to its type, sign and range. */
static uint32_t possible_kinds(const struct ao_tensor *tensor)
{
	uint32_t kinds = bit(AO_HARD_COUNT) - 1;

	if (tensor->dtype == AO_DTYPE_INT32)
		kinds &= ~(bit(AO_HARD_LARGE) | bit(AO_HARD_DENORMAL));
	if (tensor->fill == AO_FILL_ABS_NORMAL)
		kinds &= ~bit(AO_HARD_ALTERNATING);
	return kinds;
}

/* By default all of them; but who says 'uniform' has a range in mind. */
static struct ao_error *parse_hard(struct ao_tensor *tensor,
				   const struct ao_task_parser *parser,
				   const struct ao_json *json)
{
	uint32_t possible = possible_kinds(tensor);
	const char *names[AO_HARD_COUNT];
	const struct ao_json *list;
	struct ao_error *err;

	tensor->hard = possible;
	if (tensor->fill == AO_FILL_UNIFORM)
		tensor->hard &= ~bit(AO_HARD_LARGE);
	if (!ao_json_get(json, "hard"))
		return NULL;
	for (size_t i = 0; i < AO_HARD_COUNT; i++)
		names[i] = ao_hard_name((enum ao_hard)i);
	tensor->hard = 0;
	err = ao_json_want(&list, parser->doc, json, "hard", AO_JSON_ARRAY);
	if (err)
		return err;
	for (const struct ao_json *e = ao_json_first(list); e;
	     e = ao_json_next(e)) {
		size_t kind;

		err = ao_parser_word(&kind, parser, e, names, AO_HARD_COUNT);
		if (err)
			return err;
		if (!(possible & bit((enum ao_hard)kind)))
			return ao_json_complain(
				parser->doc, e, NULL,
				"an input of this dtype and fill cannot be so");
		tensor->hard |= bit((enum ao_hard)kind);
	}
	return NULL;
}

/* Integers have to be exact, so only the others have a tolerance. */
static struct ao_error *parse_tolerance(struct ao_tensor *tensor,
					const struct ao_task_parser *parser,
					const struct ao_json *json)
{
	if (tensor->dtype != AO_DTYPE_INT32)
		return ao_json_want_number(&tensor->tolerance, parser->doc,
					   json, "tolerance", DBL_MIN, 0.5);
	if (ao_json_get(json, "tolerance"))
		return ao_json_complain(parser->doc, json, "tolerance",
					"integers have to be exact; leave it "
					"out");
	return NULL;
}

static struct ao_error *parse_tensor(struct ao_tensor *tensor,
				     const struct ao_task_parser *parser,
				     const struct ao_json *json, bool is_input)
{
	static const char *const input_keys[] = { "shape",	 "dtype",
						  "description", "fill",
						  "scale",	 "hard" };
	static const char *const output_keys[] = { "shape", "dtype",
						   "description", "tolerance" };
	const char *dtypes[AO_DTYPE_INT32 + 1];
	struct ao_error *err;
	size_t dtype = 0;

	for (size_t i = 0; i < AO_ARRAY_SIZE(dtypes); i++)
		dtypes[i] = ao_dtype_name((enum ao_dtype)i);

	err = ao_json_want_only(parser->doc, json,
				is_input ? input_keys : output_keys,
				is_input ? AO_ARRAY_SIZE(input_keys)
					 : AO_ARRAY_SIZE(output_keys));
	if (!err)
		err = parse_shape(tensor, parser, json);
	if (!err)
		err = ao_parser_choice(&dtype, parser, json, "dtype", dtypes,
				       AO_ARRAY_SIZE(dtypes));
	tensor->dtype = (enum ao_dtype)dtype;
	if (!err)
		err = is_input ? parse_fill(tensor, parser, json)
			       : parse_tolerance(tensor, parser, json);
	if (!err && is_input)
		err = parse_hard(tensor, parser, json);
	return err;
}

static struct ao_error *parse_tensors(struct ao_tensor **out, size_t *count_out,
				      struct ao_task_parser *parser,
				      const char *key)
{
	const struct ao_json *tensors;
	struct ao_error *err;
	size_t count;

	err = ao_json_want(&tensors, parser->doc, parser->root, key,
			   AO_JSON_OBJECT);
	if (err)
		return err;
	count = ao_json_count(tensors);
	if (!count || count > AO_MAX_TENSORS)
		return ao_json_complain(parser->doc, tensors, NULL,
					"expected 1 .. %d tensors",
					AO_MAX_TENSORS);
	*out = ao_xcalloc(count, sizeof(**out));
	for (const struct ao_json *m = ao_json_first(tensors); m && !err;
	     m = ao_json_next(m)) {
		struct ao_tensor *tensor = &(*out)[(*count_out)++];

		err = ao_parser_claim(parser, m, NULL, ao_json_key(m));
		if (err)
			break;
		tensor->name = ao_xstrdup(ao_json_key(m));
		err = parse_tensor(tensor, parser, m,
				   *out == parser->task->inputs);
	}
	return err;
}

static size_t uses_of_axis(const struct ao_tensor *tensor, size_t axis)
{
	size_t uses = 0;

	for (size_t i = 0; i < tensor->rank; i++)
		uses += tensor->axes[i] == axis;
	return uses;
}

static struct ao_error *parse_independent_axis(struct ao_task_parser *parser)
{
	static const char key[] = "independent_axis";
	struct ao_task *task = parser->task;
	const struct ao_json *json = ao_json_get(parser->root, key);
	size_t axis = task->axis_count;
	struct ao_error *err;

	task->independent_axis = axis;
	if (!json)
		return NULL;
	err = ao_parser_axis(&axis, parser, json);
	if (err)
		return err;
	for (size_t i = 0; i < task->output_count; i++)
		if (uses_of_axis(&task->outputs[i], axis) != 1)
			return ao_json_complain(
				parser->doc, json, NULL,
				"output '%s' must have the axis once",
				task->outputs[i].name);
	for (size_t i = 0; i < task->input_count; i++)
		if (uses_of_axis(&task->inputs[i], axis) > 1)
			return ao_json_complain(
				parser->doc, json, NULL,
				"input '%s' may not have the axis twice",
				task->inputs[i].name);
	task->independent_axis = axis;
	return NULL;
}

struct ao_error *ao_tensors_parse(struct ao_task_parser *parser)
{
	struct ao_task *task = parser->task;
	struct ao_error *err;

	err = parse_tensors(&task->inputs, &task->input_count, parser,
			    "inputs");
	if (!err)
		err = parse_tensors(&task->outputs, &task->output_count, parser,
				    "outputs");
	if (!err)
		err = parse_independent_axis(parser);
	return err;
}
