/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/library.h"
#include "model/task.h"
#include "util/buf.h"
#include "util/file.h"
#include "util/limits.h"

/* A task with all that a task can have, and not more cases than needed. */
static const char good[] =
	"{\n"
	"  \"v\": 1,\n"
	"  \"name\": \"toy\",\n"
	"  \"op_type\": \"test\",\n"
	"  \"description\": \"a toy\",\n"
	"  \"target\": \"c\",\n"
	"  \"entry\": \"toy_kernel\",\n"
	"  \"shapes\": \"generic\",\n"
	"  \"axes\": {\n"
	"    \"M\": { \"type\": \"var\" },\n"
	"    \"Cols\": { \"type\": \"const\", \"value\": 6 },\n"
	"    \"H\": { \"type\": \"expr\", \"expression\": \"M / 2\" }\n"
	"  },\n"
	"  \"scalars\": { \"EPS\": 1e-5 },\n"
	"  \"inputs\": {\n"
	"    \"x\": { \"shape\": [\"M\", \"Cols\"], \"dtype\": \"float32\",\n"
	"             \"fill\": \"abs_normal\", \"scale\": 0.5 },\n"
	"    \"index\": { \"shape\": [\"H\"], \"dtype\": \"int32\",\n"
	"                 \"fill\": \"uniform\", \"scale\": 100 }\n"
	"  },\n"
	"  \"outputs\": {\n"
	"    \"y\": { \"shape\": [\"M\"], \"dtype\": \"float64\",\n"
	"             \"tolerance\": 1e-6 },\n"
	"    \"count\": { \"shape\": [\"M\"], \"dtype\": \"int32\" }\n"
	"  },\n"
	"  \"kernel\": [\"kernel.c\", \"sub/part.h\"],\n"
	"  \"reference\": \"reference.c\",\n"
	"  \"practitioner\": { \"file\": \"usual.c\",\n"
	"                    \"libraries\": [\"openblas\"] },\n"
	"  \"independent_axis\": \"M\",\n"
	"  \"work\": { \"fma\": \"M * Cols\", \"exp\": \"2 * M\" },\n"
	"  \"cases\": [\n"
	"    { \"name\": \"main\", \"axes\": { \"M\": 4 }, \"protected\": true },\n"
	"    { \"name\": \"M=2\", \"axes\": { \"M\": 2 }, \"weight\": 0 }\n"
	"  ]\n"
	"}\n";

static struct ao_task *parse_good(void)
{
	struct ao_task *task = NULL;
	struct ao_error *err;

	err = ao_task_parse(&task, "task.json", good, strlen(good));
	if (err)
		printf("# %s\n", ao_error_message(err));
	ao_error_free(err);
	return task;
}

/* `text` with the first `from` in it replaced by `to`. */
static char *edit(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at) {
		printf("# no '%s' in the good task\n", from);
		return ao_xstrdup("");
	}
	return ao_xstrf("%.*s%s%s", (int)(at - text), text, to,
			at + strlen(from));
}

static struct ao_error *parse_edited(struct ao_task **out, const char *from,
				     const char *to)
{
	char *text = edit(good, from, to);
	struct ao_error *err;

	err = ao_task_parse(out, "task.json", text, strlen(text));
	free(text);
	return err;
}

/* Whether the good task is refused with `message` once it is edited. */
static bool is_refused(const char *from, const char *to, const char *message)
{
	struct ao_task *task = NULL;
	struct ao_error *err = parse_edited(&task, from, to);
	bool is = ao_error_code(err) == AO_EINVALID && !task &&
		  strstr(ao_error_message(err), message);

	if (!is)
		printf("# %s -> %s: %s\n", from, to,
		       err ? ao_error_message(err) : "no error");
	ao_error_free(err);
	ao_task_free(task);
	return is;
}

static bool is_taken(const char *from, const char *to)
{
	struct ao_task *task = NULL;
	struct ao_error *err = parse_edited(&task, from, to);

	if (err)
		printf("# %s\n", ao_error_message(err));
	ao_error_free(err);
	ao_task_free(task);
	return task != NULL;
}

static void a_task_says_what_its_json_says(void)
{
	struct ao_task *task = parse_good();

	EXPECT(task != NULL);
	if (!task)
		return;
	EXPECT(!strcmp(task->name, "toy"));
	EXPECT(!strcmp(task->op_type, "test"));
	EXPECT(!strcmp(task->description, "a toy"));
	EXPECT(!strcmp(task->target, "c"));
	EXPECT(!strcmp(task->entry, "toy_kernel"));
	EXPECT(!strcmp(task->reference_file, "reference.c"));
	EXPECT(task->is_generic);
	EXPECT(task->kernel_files.count == 2);
	EXPECT(!strcmp(task->kernel_files.v[1], "sub/part.h"));
	EXPECT(task->json_len == strlen(good) && !strcmp(task->json, good));
	ao_task_free(task);
}

static void axes_keep_their_order_and_their_expressions(void)
{
	struct ao_task *task = parse_good();

	EXPECT(task->axis_count == 3);
	EXPECT(!strcmp(task->axes[0].name, "M"));
	EXPECT(!task->axes[0].expression);
	EXPECT(!strcmp(task->axes[1].expression, "6"));
	EXPECT(!strcmp(task->axes[2].expression, "M / 2"));
	EXPECT(task->independent_axis == 0);
	EXPECT(task->scalar_count == 1);
	EXPECT(!strcmp(task->scalars[0].name, "EPS"));
	EXPECT(task->scalars[0].value == 1e-5);
	ao_task_free(task);
}

static void tensors_have_shape_dtype_fill_and_tolerance(void)
{
	struct ao_task *task = parse_good();

	EXPECT(task->input_count == 2 && task->output_count == 2);
	EXPECT(task->inputs[0].rank == 2);
	EXPECT(task->inputs[0].axes[0] == 0 && task->inputs[0].axes[1] == 1);
	EXPECT(task->inputs[0].fill == AO_FILL_ABS_NORMAL);
	EXPECT(task->inputs[0].scale == 0.5);
	EXPECT(task->inputs[1].dtype == AO_DTYPE_INT32);
	EXPECT(task->inputs[1].axes[0] == 2);
	EXPECT(task->outputs[0].dtype == AO_DTYPE_FLOAT64);
	EXPECT(task->outputs[0].tolerance == 1e-6);
	EXPECT(task->outputs[1].tolerance == 0);
	ao_task_free(task);
}

static uint32_t bits(enum ao_hard first, enum ao_hard last)
{
	return (UINT32_C(2) << last) - (UINT32_C(1) << first);
}

static void an_input_is_as_hard_as_its_type_sign_and_range_allow(void)
{
	struct ao_task *task = parse_good();

	/* |N|: no signs in turns. */
	EXPECT(task->inputs[0].hard == bits(AO_HARD_LARGE, AO_HARD_MAX_LAST));
	/* Whole numbers within a range. */
	EXPECT(task->inputs[1].hard ==
	       bits(AO_HARD_EQUAL, AO_HARD_ALTERNATING));
	ao_task_free(task);
}

static void a_task_may_say_how_hard_an_input_is(void)
{
	struct ao_task *task = NULL;

	EXPECT(!parse_edited(&task, "\"scale\": 0.5",
			     "\"hard\": [\"one_hot\", \"large\"]"));
	EXPECT(task->inputs[0].hard ==
	       (1u << AO_HARD_LARGE | 1u << AO_HARD_ONE_HOT));
	ao_task_free(task);
	task = NULL;
	EXPECT(!parse_edited(&task, "\"scale\": 0.5", "\"hard\": []"));
	EXPECT(!task->inputs[0].hard);
	ao_task_free(task);
}

static void kinds_of_hard_inputs_are_known_ones(void)
{
	EXPECT(is_refused("\"scale\": 0.5", "\"hard\": [\"huge\"]",
			  "inputs.x.hard[0]: expected 'large', "));
	EXPECT(is_refused("\"scale\": 0.5", "\"hard\": \"large\"",
			  "inputs.x.hard: expected an array"));
	EXPECT(is_refused("\"scale\": 0.5", "\"hard\": [\"alternating\"]",
			  "hard[0]: an input of this dtype and fill cannot"));
	EXPECT(is_refused("\"scale\": 100", "\"hard\": [\"denormal\"]",
			  "hard[0]: an input of this dtype and fill cannot"));
	EXPECT(is_refused("\"tolerance\": 1e-6",
			  "\"tolerance\": 1e-6, \"hard\": []",
			  "outputs.y.hard: unknown field"));
}

static void a_case_has_the_extents_of_all_axes(void)
{
	struct ao_task *task = parse_good();

	EXPECT(task->case_count == 2);
	EXPECT(task->cases[0].extents[0] == 4);
	EXPECT(task->cases[0].extents[1] == 6);
	EXPECT(task->cases[0].extents[2] == 2);
	EXPECT(task->cases[0].weight == 1);
	EXPECT(task->cases[0].is_protected);
	EXPECT(task->cases[1].extents[2] == 1);
	EXPECT(task->cases[1].weight == 0);
	EXPECT(!task->cases[1].is_protected);
	EXPECT(ao_task_case(task, "M=2") == &task->cases[1]);
	EXPECT(!ao_task_case(task, "M=3"));
	ao_task_free(task);
}

static void bytes_and_work_follow_from_the_extents(void)
{
	struct ao_task *task = parse_good();
	const struct ao_case *c = &task->cases[0];

	EXPECT(ao_tensor_elements(&task->inputs[0], c) == 24);
	/* x 24 x 4, index 2 x 4, y 4 x 8, count 4 x 4 */
	EXPECT(ao_task_bytes(task, c) == 96 + 8 + 32 + 16);
	EXPECT(ao_task_work(task, c, AO_WORK_FMA) == 24);
	EXPECT(ao_task_work(task, c, AO_WORK_EXP) == 8);
	EXPECT(ao_task_work(task, c, AO_WORK_DIV) == 0);
	ao_task_free(task);
}

static void what_may_be_left_out_has_a_default(void)
{
	static const char least[] =
		"{\"v\":1,\"name\":\"a\",\"kernel\":[\"k.c\"],"
		"\"reference\":\"r.c\",\"axes\":{\"M\":{\"type\":\"var\"}},"
		"\"inputs\":{\"x\":{\"shape\":[\"M\"],\"dtype\":\"float32\"}},"
		"\"outputs\":{\"y\":{\"shape\":[],\"dtype\":\"float32\","
		"\"tolerance\":0.1}},"
		"\"cases\":[{\"name\":\"m\",\"axes\":{\"M\":1}}]}";
	struct ao_task *task = NULL;
	struct ao_error *err;

	err = ao_task_parse(&task, "task.json", least, strlen(least));
	EXPECT(!err);
	if (err) {
		printf("# %s\n", ao_error_message(err));
		ao_error_free(err);
		return;
	}
	EXPECT(!strcmp(task->target, "c"));
	EXPECT(!strcmp(task->entry, "kernel"));
	EXPECT(!task->is_generic);
	EXPECT(!ao_task_has_threads(task));
	EXPECT(ao_task_threads(task, 8) == 1);
	EXPECT(!task->op_type && !task->description);
	EXPECT(task->inputs[0].fill == AO_FILL_NORMAL);
	EXPECT(task->inputs[0].scale == 1);
	EXPECT(ao_tensor_elements(&task->outputs[0], task->cases) == 1);
	EXPECT(task->independent_axis == task->axis_count);
	ao_task_free(task);
}

/* The threads of the good task with that value, where there are four CPUs. */
static uint32_t threads_with(const char *value)
{
	char *field = ao_xstrf("\"v\": 1, \"threads\": %s", value);
	struct ao_task *task = NULL;
	struct ao_error *err = parse_edited(&task, "\"v\": 1", field);
	uint32_t threads = err ? 0 : ao_task_threads(task, 4);

	EXPECT(err || ao_task_has_threads(task) == (threads > 1));
	ao_error_free(err);
	ao_task_free(task);
	free(field);
	return threads;
}

static void a_task_says_how_many_threads_may_work(void)
{
	EXPECT(threads_with("1") == 1);
	EXPECT(threads_with("2") == 2);
	EXPECT(threads_with("1024") == 4);
	EXPECT(threads_with("\"all\"") == 4);
	EXPECT(is_refused("\"v\": 1", "\"v\": 1, \"threads\": 0", "threads: "));
	EXPECT(is_refused("\"v\": 1", "\"v\": 1, \"threads\": 1.5",
			  "expected a whole number"));
	EXPECT(is_refused("\"v\": 1", "\"v\": 1, \"threads\": 1025",
			  "at most 1024"));
	EXPECT(is_refused("\"v\": 1", "\"v\": 1, \"threads\": \"many\"",
			  "or 'all'"));
	EXPECT(is_refused("\"v\": 1", "\"v\": 1, \"threads\": [2]",
			  "threads: "));
}

static void the_id_hashes_definition_and_reference(void)
{
	struct ao_task *task = parse_good();
	struct ao_task *other = NULL;
	char first[AO_ID_SIZE];

	EXPECT(!*task->id);
	ao_task_set_reference(task, "one", 3);
	memcpy(first, task->id, sizeof(first));
	EXPECT(strlen(first) == AO_ID_SIZE - 1);
	EXPECT(!strcmp(task->reference, "one"));

	ao_task_set_reference(task, "two", 3);
	EXPECT(strcmp(task->id, first) != 0);
	ao_task_set_reference(task, "one", 3);
	EXPECT(!strcmp(task->id, first));

	ao_error_free(parse_edited(&other, "1e-6", "1e-7"));
	ao_task_set_reference(other, "one", 3);
	EXPECT(strcmp(other->id, first) != 0);
	ao_task_free(other);
	ao_task_free(task);
}

static void a_complaint_names_file_line_and_field(void)
{
	EXPECT(is_refused("\"type\": \"var\"", "\"type\": \"vat\"",
			  "task.json:10: axes.M.type: expected 'var', 'const' "
			  "or 'expr'"));
	EXPECT(is_refused("{\n  \"v\"", "{\n  \"v\",", "task.json:2: "));
}

static void another_version_is_refused_by_its_number(void)
{
	EXPECT(is_refused("\"v\": 1", "\"v\": 2, \"new\": 1",
			  "v: version 2 is not known here"));
	EXPECT(is_refused("\"v\": 1,", "", "v: missing"));
}

static void an_unknown_field_is_refused_and_the_likely_one_named(void)
{
	EXPECT(is_refused("\"op_type\"", "\"op_typ\"",
			  "op_typ: unknown field; did you mean 'op_type'?"));
	EXPECT(is_refused("\"scale\": 0.5", "\"sclae\": 0.5",
			  "inputs.x.sclae: unknown field; did you mean "
			  "'scale'?"));
	EXPECT(is_refused("\"weight\": 0", "\"wieght\": 0",
			  "cases[1].wieght: unknown field; did you mean"));
	EXPECT(is_refused(
		"\"exp\":", "\"xyzzy\":", "work.xyzzy: unknown field"));
	EXPECT(is_refused("\"tolerance\": 1e-6",
			  "\"tolerance\": 1e-6, \"fill\": \"normal\"",
			  "outputs.y.fill: unknown field"));
}

static void a_practitioners_baseline_names_its_file_and_libraries(void)
{
	struct ao_task *task = parse_good();

	EXPECT(!strcmp(task->practitioner_file, "usual.c"));
	EXPECT(task->practitioner_libraries == ao_library_bit("openblas"));
	ao_task_free(task);
	EXPECT(is_taken("\"libraries\": [\"openblas\"]", "\"libraries\": []"));
	EXPECT(is_taken("\"usual.c\",\n                    \"libraries\": "
			"[\"openblas\"]",
			"\"usual.c\""));
}

static void a_task_need_not_have_a_practitioners_baseline(void)
{
	struct ao_task *task = NULL;
	struct ao_error *err;

	err = parse_edited(
		&task,
		"\"practitioner\": { \"file\": \"usual.c\",\n"
		"                    \"libraries\": [\"openblas\"] },",
		"");
	EXPECT(!err);
	if (err)
		return;
	EXPECT(!task->practitioner_file && !task->practitioner_libraries);
	ao_task_free(task);
}

static void a_library_that_is_not_on_the_list_is_refused(void)
{
	EXPECT(is_refused("[\"openblas\"]", "[\"openblas\", \"mkl\"]",
			  "task.json:29: practitioner.libraries[1]: expected a "
			  "library out of: 'openblas'"));
	EXPECT(is_refused("[\"openblas\"]", "[7]",
			  "practitioner.libraries[0]: expected a library"));
	EXPECT(is_refused("[\"openblas\"]", "\"openblas\"",
			  "practitioner.libraries: expected an array"));
}

static void a_practitioners_baseline_is_a_file_of_its_own(void)
{
	EXPECT(is_refused("\"usual.c\"", "\"kernel.c\"",
			  "practitioner.file: the baseline cannot be"));
	EXPECT(is_refused("\"usual.c\"", "\"reference.c\"",
			  "practitioner.file: the baseline cannot be"));
	EXPECT(is_refused("\"usual.c\"", "\"../usual.c\"",
			  "practitioner.file: "));
	EXPECT(is_refused("\"file\": \"usual.c\"", "\"flie\": \"usual.c\"",
			  "practitioner.flie: "));
}

static void an_unknown_target_is_refused_and_the_known_one_named(void)
{
	EXPECT(is_refused("\"target\": \"c\"", "\"target\": \"cuda\"",
			  "target: there is no target 'cuda'; the one that is "
			  "known is 'c'"));
}

static void a_wrong_type_is_refused(void)
{
	EXPECT(is_refused("\"name\": \"toy\"", "\"name\": 7",
			  "name: expected a string"));
	EXPECT(is_refused("\"kernel\": [\"kernel.c\", \"sub/part.h\"]",
			  "\"kernel\": \"kernel.c\"",
			  "kernel: expected an array"));
	EXPECT(is_refused("[\"M\", \"Cols\"]", "\"M\"",
			  "inputs.x.shape: expected an array"));
	EXPECT(is_refused("[\"M\", \"Cols\"]", "[\"M\", 6]",
			  "inputs.x.shape[1]: expected the name of an axis"));
	EXPECT(is_refused("\"M\": 4", "\"M\": \"4\"",
			  "cases[0].axes.M: expected a number"));
	EXPECT(is_refused("1e-5", "\"small\"",
			  "scalars.EPS: expected a number"));
	EXPECT(is_refused("\"protected\": true", "\"protected\": 1",
			  "cases[0].protected: expected true or false"));
	EXPECT(is_refused("\"M * Cols\"", "24", "work.fma: expected a string"));
}

static void what_must_be_there_is_missed(void)
{
	EXPECT(is_refused("\"name\": \"toy\",", "", "name: missing"));
	EXPECT(is_refused("\"reference\": \"reference.c\",", "",
			  "reference: missing"));
	EXPECT(is_refused("\"kernel\": [\"kernel.c\", \"sub/part.h\"],", "",
			  "kernel: missing"));
	EXPECT(is_refused("\"axes\": { \"M\": 4 }", "\"axes\": {}",
			  "cases[0].axes.M: missing"));
	EXPECT(is_refused("\"dtype\": \"float32\",", "",
			  "inputs.x.dtype: missing"));
	EXPECT(is_refused(",\n             \"tolerance\": 1e-6", "",
			  "outputs.y.tolerance: missing"));
	EXPECT(is_refused("\"v\": 1,", "\"v\": 1, \"v\": 1,", "occurs twice"));
}

static void an_unknown_axis_is_refused_and_the_likely_one_named(void)
{
	EXPECT(is_refused("[\"M\", \"Cols\"]", "[\"M\", \"Clos\"]",
			  "inputs.x.shape[1]: unknown axis; did you mean "
			  "'Cols'?"));
	EXPECT(is_refused("\"axes\": { \"M\": 4 }",
			  "\"axes\": { \"M\": 4, \"Zebra\": 1 }",
			  "cases[0].axes.Zebra: unknown axis"));
	EXPECT(is_refused("\"independent_axis\": \"M\"",
			  "\"independent_axis\": \"Q\"",
			  "independent_axis: unknown axis"));
	EXPECT(is_refused("\"2 * M\"", "\"2 * Q\"",
			  "work.exp: column 5: unknown 'Q'"));
}

static void an_axis_may_only_rest_on_earlier_ones(void)
{
	EXPECT(is_refused("\"M / 2\"", "\"L / 2\"",
			  "axes.H.expression: column 1: unknown 'L'"));
	EXPECT(is_refused("\"M / 2\"", "\"H / 2\"",
			  "axes.H.expression: column 1: unknown 'H'"));
}

static void an_extent_is_a_whole_number_from_one(void)
{
	EXPECT(is_refused("\"M\": 4", "\"M\": 0", "cases[0].axes.M: 0 is not"));
	EXPECT(is_refused("\"M\": 4", "\"M\": -4", "cases[0].axes.M: -4 is"));
	EXPECT(is_refused("\"M\": 4", "\"M\": 4.5",
			  "cases[0].axes.M: expected a whole number"));
	EXPECT(is_refused("\"M\": 4", "\"M\": 2147483648",
			  "cases[0].axes.M: 2147483648 is not"));
	EXPECT(is_refused("\"value\": 6", "\"value\": 0",
			  "axes.Cols.value: 0 is not"));
}

static void an_axis_may_be_a_multiple_of_a_number_or_of_another(void)
{
	struct ao_task *task = NULL;

	EXPECT(!parse_edited(&task, "\"type\": \"var\"",
			     "\"type\": \"var\", \"multiple_of\": 2"));
	EXPECT(task && task->axes[0].multiple == 2);
	EXPECT(task && !task->axes[0].multiple_axis);
	ao_task_free(task);
	EXPECT(is_taken("\"type\": \"var\"",
			"\"type\": \"var\", \"multiple_of\": 1"));
	EXPECT(is_refused("\"type\": \"var\"",
			  "\"type\": \"var\", \"multiple_of\": 4",
			  "cases[1].axes.M: expected a multiple of 4"));
	EXPECT(is_refused("\"type\": \"var\"",
			  "\"type\": \"var\", \"multiple_of\": 0",
			  "multiple_of: 0 is not"));
	EXPECT(is_refused("\"type\": \"var\"",
			  "\"type\": \"var\", \"multiple_of\": \"M\"",
			  "multiple_of: expected another axis"));
	EXPECT(is_refused("\"type\": \"var\"",
			  "\"type\": \"var\", \"multiple_of\": \"X\"",
			  "multiple_of: unknown axis"));
	EXPECT(is_refused("\"expression\"",
			  "\"multiple_of\": 2, \"expression\"",
			  "multiple_of: the extents of this axis follow"));
}

static void a_task_may_want_no_shapes_but_its_own(void)
{
	struct ao_task *task = parse_good();

	EXPECT(!task->is_without_hidden);
	ao_task_free(task);
	task = NULL;
	EXPECT(!parse_edited(&task, "\"v\": 1", "\"v\": 1, \"hidden\": false"));
	EXPECT(task && task->is_without_hidden);
	ao_task_free(task);
	EXPECT(is_refused("\"v\": 1", "\"v\": 1, \"hidden\": 1", "hidden: "));
}

static void a_computed_extent_is_a_whole_number_from_one(void)
{
	EXPECT(is_refused("\"M\": 4", "\"M\": 5",
			  "axes.H.expression: is 2.5 in case 'main'"));
	EXPECT(is_refused("\"M / 2\"", "\"M - 4\"",
			  "axes.H.expression: is 0 in case 'main'"));
	EXPECT(is_refused("\"M / 2\"", "\"M / (M - 4)\"",
			  "axes.H.expression: column 4: division by zero"));
	EXPECT(is_refused("\"M / 2\"", "\"M * 1e9\"",
			  "axes.H.expression: is 4e+09 in case 'main'"));
}

static void an_axis_has_what_its_type_asks_for(void)
{
	EXPECT(is_refused("\"type\": \"var\"",
			  "\"type\": \"var\", \"value\": 3",
			  "axes.M.value: an axis of type 'var' has none"));
	EXPECT(is_refused("\"type\": \"var\"",
			  "\"type\": \"var\", \"expression\": \"3\"",
			  "axes.M.expression: an axis of type 'var' has none"));
	EXPECT(is_refused("\"value\": 6", "\"expression\": \"6\"",
			  "axes.Cols.expression: an axis of type 'const'"));
	EXPECT(is_refused("\"expression\": \"M / 2\"", "\"value\": 2",
			  "axes.H.value: an axis of type 'expr'"));
	EXPECT(is_refused("\"axes\": { \"M\": 4 }",
			  "\"axes\": { \"M\": 4, \"H\": 2 }",
			  "cases[0].axes.H: this axis is not of type 'var'"));
}

static void a_name_must_be_one_in_c(void)
{
	EXPECT(is_refused("\"M\": {", "\"2M\": {",
			  "axes.2M: not a name for C"));
	EXPECT(is_refused("\"M\": {", "\"_M\": {",
			  "axes._M: not a name for C"));
	EXPECT(is_refused("\"M\": {", "\"\": {", "not a name for C"));
	EXPECT(is_refused(
		"\"x\":", "\"x y\":", "inputs.x y: not a name for C"));
	EXPECT(is_refused("\"entry\": \"toy_kernel\"",
			  "\"entry\": \"toy-kernel\"",
			  "entry: not a name for C"));
	EXPECT(is_refused("\"x\":",
			  "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			  "xxxxxxxxxxxxxxx\":",
			  "not a name for C"));
}

static void a_name_must_be_free(void)
{
	EXPECT(is_refused("\"M\": {", "\"int\": {",
			  "axes.int: 'int' has a meaning in C already"));
	EXPECT(is_refused("\"x\":", "\"restrict\":",
			  "inputs.restrict: 'restrict' has a meaning"));
	EXPECT(is_refused("\"EPS\":", "\"size_t\":",
			  "scalars.size_t: 'size_t' has a meaning"));
	EXPECT(is_refused("\"entry\": \"toy_kernel\"",
			  "\"entry\": \"reference\"",
			  "entry: 'reference' has a meaning"));
	EXPECT(is_refused(
		"\"x\":", "\"M\":", "inputs.M: 'M' is the name of another"));
	EXPECT(is_refused(
		"\"y\":", "\"x\":", "outputs.x: 'x' is the name of another"));
	EXPECT(is_refused(
		"\"EPS\":", "\"H\":", "scalars.H: 'H' is the name of another"));
	EXPECT(is_refused("\"y\":", "\"toy_kernel\":",
			  "outputs.toy_kernel: 'toy_kernel' is the name"));
}

static void a_path_stays_within_the_folder(void)
{
	static const char *const bad[] = {
		"../kernel.c", "a/../../b.c", "/etc/passwd", "",
		".",	       "a//b.c",      "a/",	     "./kernel.c",
		".git/config", "a/.GIT/hook", "a\\\\b.c",    "a\\nb.c",
		"task.json",   "-kernel.c",   "git~1/hook",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++) {
		char *quoted = ao_xstrf("\"%s\"", bad[i]);

		EXPECT(is_refused("\"sub/part.h\"", quoted, "kernel[1]: "));
		EXPECT(is_refused("\"reference.c\"", quoted, "reference: "));
		free(quoted);
	}
	EXPECT(is_taken("\"sub/part.h\"", "\"a/..b/c...h\""));
	EXPECT(is_taken("\"sub/part.h\"", "\"\xc3\xa4.c\""));
}

static void a_file_has_one_part_to_play(void)
{
	EXPECT(is_refused("\"sub/part.h\"", "\"kernel.c\"",
			  "kernel[1]: the file is named twice"));
	EXPECT(is_refused("\"reference\": \"reference.c\"",
			  "\"reference\": \"kernel.c\"",
			  "reference: the reference cannot be a kernel file"));
	EXPECT(is_refused("[\"kernel.c\", \"sub/part.h\"]", "[]",
			  "kernel: expected 1 .. "));
}

static void case_names_differ_and_are_plain(void)
{
	EXPECT(is_refused("\"M=2\"", "\"main\"",
			  "cases[1].name: there is a case 'main' already"));
	EXPECT(is_refused("\"M=2\"", "\"M 2\"", "cases[1].name: expected"));
	EXPECT(is_refused("\"M=2\"", "\"\"", "cases[1].name: expected"));
}

static void there_is_a_main_case_and_it_counts(void)
{
	struct ao_task *task = NULL;
	const char *cases = strstr(good, "\"cases\"");
	char *text = ao_xstrf("%.*s\"cases\": []}", (int)(cases - good), good);
	struct ao_error *err;

	err = ao_task_parse(&task, "task.json", text, strlen(text));
	EXPECT(ao_error_code(err) == AO_EINVALID);
	ao_error_free(err);
	free(text);
	EXPECT(is_refused("\"protected\": true", "\"weight\": 0",
			  "cases[0].weight: the first case is the main one"));
	EXPECT(is_refused("\"weight\": 0", "\"weight\": -1",
			  "cases[1].weight: -1 is not within"));
}

static void a_case_on_request_has_no_weight(void)
{
	struct ao_task *task = NULL;
	struct ao_error *err;

	err = parse_edited(&task, "\"weight\": 0", "\"on_request\": true");
	EXPECT(!err);
	EXPECT(task && task->cases[1].is_on_request);
	EXPECT(task && task->cases[1].weight == 0);
	EXPECT(task && !task->cases[0].is_on_request);
	ao_error_free(err);
	ao_task_free(task);
	EXPECT(is_taken("\"weight\": 0",
			"\"on_request\": true, \"weight\": 0"));
	EXPECT(is_refused("\"weight\": 0",
			  "\"on_request\": true, \"weight\": 1",
			  "cases[1].weight: 1 is not within"));
	EXPECT(is_refused("\"weight\": 0", "\"on_request\": 1",
			  "cases[1].on_request: expected true or false"));
}

static void what_nobody_asks_for_cannot_be_main_or_protected(void)
{
	EXPECT(is_refused("\"protected\": true", "\"on_request\": true",
			  "cases[0].on_request: the first case is the main"));
	EXPECT(is_refused("\"weight\": 0",
			  "\"on_request\": true, \"protected\": true",
			  "cases[1].protected: a case on request is not "
			  "timed"));
}

/* The good task with one more case, that is on request. */
static struct ao_task *parse_with_request(void)
{
	struct ao_task *task = NULL;

	ao_error_free(parse_edited(&task, "\"weight\": 0 }",
				   "\"weight\": 0 },\n"
				   "{ \"name\": \"large\",\n"
				   "  \"axes\": { \"M\": 8 },\n"
				   "  \"on_request\": true }"));
	return task;
}

static void unless_named_all_but_those_on_request_are_chosen(void)
{
	struct ao_task *task = parse_with_request();
	const struct ao_strs none = { 0 };
	size_t *chosen = NULL;
	size_t count = 0;

	EXPECT(task && !ao_task_choose(&chosen, &count, task, &none));
	EXPECT(count == 2 && chosen[0] == 0 && chosen[1] == 1);
	free(chosen);
	EXPECT(task && !ao_task_choose(&chosen, &count, task, NULL));
	EXPECT(count == 2);
	free(chosen);
	ao_task_free(task);
}

static void named_cases_are_chosen_in_the_tasks_order_and_once(void)
{
	struct ao_task *task = parse_with_request();
	struct ao_strs names = { 0 };
	size_t *chosen = NULL;
	size_t count = 0;

	ao_strs_push(&names, "large");
	ao_strs_push(&names, "main");
	ao_strs_push(&names, "large");
	EXPECT(task && !ao_task_choose(&chosen, &count, task, &names));
	EXPECT(count == 2 && chosen[0] == 0 && chosen[1] == 2);
	free(chosen);
	ao_strs_release(&names);
	ao_task_case_names(&names, task, true);
	EXPECT(names.count == 3 && !strcmp(names.v[2], "large"));
	ao_strs_release(&names);
	ao_task_free(task);
}

static bool choice_fails(const struct ao_task *task, const char *name,
			 const char *message)
{
	struct ao_strs names = { 0 };
	size_t *chosen = NULL;
	size_t count = 7;
	struct ao_error *err;
	bool is;

	ao_strs_push(&names, "main");
	ao_strs_push(&names, name);
	err = ao_task_choose(&chosen, &count, task, &names);
	is = ao_error_code(err) == AO_ENOTFOUND && !chosen && count == 7 &&
	     strstr(ao_error_message(err), message);
	ao_error_free(err);
	ao_strs_release(&names);
	return is;
}

static void a_case_that_is_not_there_cannot_be_chosen(void)
{
	struct ao_task *task = parse_with_request();

	EXPECT(choice_fails(task, "larg",
			    "task 'toy' has no case 'larg'; did you mean "
			    "'large'?"));
	EXPECT(choice_fails(task, "quite-another", "task show toy"));
	ao_task_free(task);
}

static void tensors_together_have_a_size_limit(void)
{
	/* A row takes 24 bytes of x, 2 of index, 8 of y, 4 of count. */
	EXPECT(is_refused("\"M\": 4", "\"M\": 200000000",
			  "cases[0].axes: with 'x' the tensors take "));
	EXPECT(is_refused("\"M\": 4", "\"M\": 120000000",
			  "cases[0].axes: with 'count' the tensors take "));
	EXPECT(is_taken("\"M\": 4", "\"M\": 100000000"));
}

static void a_size_that_overflows_is_too_large(void)
{
	/* 65536 to the fourth power is 0 in 64 bits. */
	char *text = edit(good, "\"M\": 4", "\"M\": 65536");
	char *large = edit(text, "[\"M\", \"Cols\"]",
			   "[\"M\",\"M\",\"M\",\"M\"]");
	char *whole = edit(large, "\"independent_axis\": \"M\",", "");
	struct ao_task *task = NULL;
	struct ao_error *err;

	err = ao_task_parse(&task, "task.json", whole, strlen(whole));
	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(err && strstr(ao_error_message(err), "the tensors take"));
	ao_error_free(err);
	free(whole);
	free(large);
	free(text);
}

static void integers_are_uniform_and_exact(void)
{
	EXPECT(is_refused("\"fill\": \"uniform\"", "\"fill\": \"normal\"",
			  "inputs.index.fill: integers have fill 'uniform'"));
	EXPECT(is_refused("\"count\": { \"shape\": [\"M\"], \"dtype\": "
			  "\"int32\" }",
			  "\"count\": { \"shape\": [\"M\"], \"dtype\": "
			  "\"int32\", \"tolerance\": 0.1 }",
			  "outputs.count.tolerance: integers have to be "
			  "exact"));
}

static void tolerance_and_scale_are_positive(void)
{
	EXPECT(is_refused("1e-6", "0", "outputs.y.tolerance: 0 is not"));
	EXPECT(is_refused("1e-6", "2", "outputs.y.tolerance: 2 is not"));
	EXPECT(is_refused("\"scale\": 0.5", "\"scale\": 0",
			  "inputs.x.scale: 0 is not"));
	EXPECT(is_refused("1e-5", "1e999", "the number is too large"));
}

static void an_independent_axis_is_once_in_every_output(void)
{
	EXPECT(is_refused("\"independent_axis\": \"M\"",
			  "\"independent_axis\": \"Cols\"",
			  "independent_axis: output 'y' must have the axis"));
	EXPECT(is_refused("[\"M\", \"Cols\"]", "[\"M\", \"M\"]",
			  "independent_axis: input 'x' may not have"));
}

static void work_is_not_negative(void)
{
	EXPECT(is_refused("\"2 * M\"", "\"2 - M\"",
			  "work.exp: is -2 in case 'main'"));
	EXPECT(is_refused("\"2 * M\"", "\"2 * (M\"",
			  "work.exp: column 5: '(' is never closed"));
}

static void numbers_of_things_are_limited(void)
{
	struct ao_buf axes = AO_BUF_INIT(1 << 20);

	ao_buf_addstr(&axes, "\"M\": { \"type\": \"var\" }");
	for (int i = 0; i < AO_MAX_AXES; i++)
		ao_buf_addf(&axes, ", \"A%d\": { \"type\": \"var\" }", i);
	EXPECT(is_refused("\"M\": { \"type\": \"var\" }", axes.ptr,
			  "axes: expected at most"));
	ao_buf_release(&axes);
	EXPECT(is_refused(
		"[\"M\", \"Cols\"]",
		"[\"M\",\"Cols\",\"Cols\",\"Cols\",\"Cols\",\"Cols\",\"Cols\",\"Cols\","
		"\"Cols\"]",
		"inputs.x.shape: expected at most 8 axes"));
}

static void a_text_that_is_too_long_is_not_parsed(void)
{
	size_t len = AO_MAX_TASK_BYTES + 1;
	char *text = ao_xmalloc(len);
	struct ao_task *task = NULL;
	struct ao_error *err;

	memset(text, ' ', len);
	err = ao_task_parse(&task, "task.json", text, len);
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	ao_error_free(err);
	free(text);
}

static void what_is_no_object_is_refused(void)
{
	static const char *const texts[] = { "[]", "1", "\"task\"", "",
					     "null" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++) {
		struct ao_task *task = NULL;
		struct ao_error *err;

		err = ao_task_parse(&task, "t", texts[i], strlen(texts[i]));
		EXPECT(ao_error_code(err) == AO_EINVALID && !task);
		ao_error_free(err);
	}
}

static void a_task_name_can_be_a_folder_and_part_of_a_ref(void)
{
	static const char *const good_names[] = { "matmul", "a", "a.b-c_D9" };
	static const char *const bad_names[] = {
		"",	".",	"..",	  ".hidden", "-option",
		"a/b",	"a..b", "a.lock", "a.",	     "a b",
		"a\nb", "a~1",	"a:b",	  "a*",	     "\xc3\xa4",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(good_names); i++)
		EXPECT(ao_task_name_is_valid(good_names[i]));
	for (size_t i = 0; i < AO_ARRAY_SIZE(bad_names); i++)
		EXPECT(!ao_task_name_is_valid(bad_names[i]));
	EXPECT(is_refused("\"name\": \"toy\"", "\"name\": \"../toy\"",
			  "name: not a name for a folder and a ref"));
}

static void names_of_dtypes_and_work_are_those_of_the_file(void)
{
	EXPECT(!strcmp(ao_dtype_name(AO_DTYPE_FLOAT64), "float64"));
	EXPECT(ao_dtype_size(AO_DTYPE_FLOAT64) == 8);
	EXPECT(ao_dtype_size(AO_DTYPE_INT32) == 4);
	EXPECT(!strcmp(ao_work_name(AO_WORK_SQRT), "sqrt"));
}

static void every_task_of_the_suite_parses(void)
{
	static const char folder[] = "nkibench/tasks";
	struct ao_strs names = { 0 };
	struct ao_error *err = ao_file_list(&names, folder);

	EXPECT(!err && names.count > 0);
	ao_error_free(err);
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s/task.json", folder, names.v[i]);
		struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);
		struct ao_task *task = NULL;

		err = ao_file_read(&text, path);
		if (!err)
			err = ao_task_parse(&task, path, text.ptr, text.len);
		if (err)
			printf("# %s\n", ao_error_message(err));
		EXPECT(!err);
		EXPECT(task && !strcmp(task->name, names.v[i]));
		EXPECT(task && task->independent_axis < task->axis_count);
		EXPECT(task && task->practitioner_file);
		ao_error_free(err);
		ao_task_free(task);
		ao_buf_release(&text);
		free(path);
	}
	ao_strs_release(&names);
}

int main(void)
{
	RUN(a_task_says_what_its_json_says);
	RUN(axes_keep_their_order_and_their_expressions);
	RUN(tensors_have_shape_dtype_fill_and_tolerance);
	RUN(an_input_is_as_hard_as_its_type_sign_and_range_allow);
	RUN(a_task_may_say_how_hard_an_input_is);
	RUN(kinds_of_hard_inputs_are_known_ones);
	RUN(a_case_has_the_extents_of_all_axes);
	RUN(bytes_and_work_follow_from_the_extents);
	RUN(what_may_be_left_out_has_a_default);
	RUN(a_task_says_how_many_threads_may_work);
	RUN(the_id_hashes_definition_and_reference);
	RUN(a_complaint_names_file_line_and_field);
	RUN(another_version_is_refused_by_its_number);
	RUN(an_unknown_field_is_refused_and_the_likely_one_named);
	RUN(a_practitioners_baseline_names_its_file_and_libraries);
	RUN(a_task_need_not_have_a_practitioners_baseline);
	RUN(a_library_that_is_not_on_the_list_is_refused);
	RUN(a_practitioners_baseline_is_a_file_of_its_own);
	RUN(an_unknown_target_is_refused_and_the_known_one_named);
	RUN(a_wrong_type_is_refused);
	RUN(what_must_be_there_is_missed);
	RUN(an_unknown_axis_is_refused_and_the_likely_one_named);
	RUN(an_axis_may_only_rest_on_earlier_ones);
	RUN(an_extent_is_a_whole_number_from_one);
	RUN(an_axis_may_be_a_multiple_of_a_number_or_of_another);
	RUN(a_task_may_want_no_shapes_but_its_own);
	RUN(a_computed_extent_is_a_whole_number_from_one);
	RUN(an_axis_has_what_its_type_asks_for);
	RUN(a_name_must_be_one_in_c);
	RUN(a_name_must_be_free);
	RUN(a_path_stays_within_the_folder);
	RUN(a_file_has_one_part_to_play);
	RUN(case_names_differ_and_are_plain);
	RUN(there_is_a_main_case_and_it_counts);
	RUN(a_case_on_request_has_no_weight);
	RUN(what_nobody_asks_for_cannot_be_main_or_protected);
	RUN(unless_named_all_but_those_on_request_are_chosen);
	RUN(named_cases_are_chosen_in_the_tasks_order_and_once);
	RUN(a_case_that_is_not_there_cannot_be_chosen);
	RUN(tensors_together_have_a_size_limit);
	RUN(a_size_that_overflows_is_too_large);
	RUN(integers_are_uniform_and_exact);
	RUN(tolerance_and_scale_are_positive);
	RUN(an_independent_axis_is_once_in_every_output);
	RUN(work_is_not_negative);
	RUN(numbers_of_things_are_limited);
	RUN(a_text_that_is_too_long_is_not_parsed);
	RUN(what_is_no_object_is_refused);
	RUN(a_task_name_can_be_a_folder_and_part_of_a_ref);
	RUN(names_of_dtypes_and_work_are_those_of_the_file);
	RUN(every_task_of_the_suite_parses);
	return tap_done();
}
