/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <float.h>
#include <math.h>

#include "eval/draw.h"
#include "eval/element.h"
#include "eval_task.h"

enum { ROWS = 7, COLUMNS = 13, COUNT = ROWS * COLUMNS };

static struct ao_task *task;

/* x of a hard set of the case "odd", if it is of one kind alone. */
static void draw_x(float x[COUNT], enum ao_hard kind)
{
	task->inputs[0].hard = 1u << kind;
	ao_draw_hard_input(x, task, ao_task_case(task, "odd"), 5, 0, 0);
}

/* g, which has no independent axis. */
static void draw_g(float g[COLUMNS], enum ao_hard kind)
{
	task->inputs[1].hard = 1u << kind;
	ao_draw_hard_input(g, task, ao_task_case(task, "odd"), 5, 0, 1);
}

static void large_is_a_thousand_times_the_scale(void)
{
	double square = 0;
	float x[COUNT];

	draw_x(x, AO_HARD_LARGE);
	for (int i = 0; i < COUNT; i++)
		square += (double)x[i] * (double)x[i] / COUNT;
	EXPECT(sqrt(square) > 700 && sqrt(square) < 1400);
}

static void a_denormal_is_below_the_least_normal_number(void)
{
	float x[COUNT], g[COLUMNS];
	int negative = 0;

	draw_x(x, AO_HARD_DENORMAL);
	for (int i = 0; i < COUNT; i++) {
		EXPECT(fpclassify(x[i]) == FP_SUBNORMAL);
		negative += x[i] < 0;
	}
	EXPECT(negative > COUNT / 4 && negative < COUNT * 3 / 4);
	draw_g(g, AO_HARD_DENORMAL);
	for (int i = 0; i < COLUMNS; i++)
		EXPECT(fpclassify(g[i]) == FP_SUBNORMAL && g[i] > 0);
}

static void equal_is_within_a_slice(void)
{
	float x[COUNT];

	draw_x(x, AO_HARD_EQUAL);
	for (int i = 0; i < COUNT; i++)
		EXPECT(x[i] == x[i / COLUMNS * COLUMNS]);
	EXPECT(x[0] != x[COLUMNS]);
}

static void one_hot_has_one_element_in_each_slice(void)
{
	float x[COUNT];

	draw_x(x, AO_HARD_ONE_HOT);
	for (int i = 0; i < ROWS; i++) {
		int hot = 0;

		for (int j = 0; j < COLUMNS; j++)
			hot += x[i * COLUMNS + j] != 0;
		EXPECT(hot == 1);
	}
}

static void the_last_of_each_slice_may_be_by_far_the_largest(void)
{
	float x[COUNT], g[COLUMNS];

	draw_x(x, AO_HARD_MAX_LAST);
	for (int i = 0; i < COUNT; i++)
		EXPECT(i % COLUMNS == COLUMNS - 1 ? x[i] == 100 : x[i] < 10);
	draw_g(g, AO_HARD_MAX_LAST);
	EXPECT(g[COLUMNS - 1] == 200 && g[0] < 20);
}

static void alternating_signs_cancel_out(void)
{
	float x[COUNT];
	double sum = 0, size = 0;

	draw_x(x, AO_HARD_ALTERNATING);
	for (int j = 0; j + 1 < COLUMNS; j++) {
		EXPECT(x[j] * x[j + 1] < 0);
		sum += (double)x[j];
		size += fabs((double)x[j]);
	}
	EXPECT(fabs(sum) < size / 100);
}

static void slices_of_a_set_take_turns(void)
{
	float x[COUNT];

	task->inputs[0].hard = 1u << AO_HARD_LARGE | 1u << AO_HARD_DENORMAL;
	ao_draw_hard_input(x, task, ao_task_case(task, "odd"), 5, 0, 0);
	for (int i = 0; i + 1 < ROWS; i++) {
		bool is_small = fabsf(x[i * COLUMNS]) < FLT_MIN;
		bool is_next_small = fabsf(x[(i + 1) * COLUMNS]) < FLT_MIN;

		EXPECT(is_small != is_next_small);
	}
}

static void sets_take_turns_with_what_has_no_slices(void)
{
	uint32_t all = (1u << AO_HARD_COUNT) - 1;
	unsigned seen = 0;

	task->inputs[1].hard = all & ~(1u << AO_HARD_ALTERNATING);
	for (size_t set = 0; set < AO_HARD_COUNT - 1; set++) {
		char *text = ao_draw_describe(task, 5, set, 3);

		for (unsigned kind = 0; kind < AO_HARD_COUNT; kind++) {
			char *name = ao_xstrf(", g %s",
					      ao_hard_name((enum ao_hard)kind));

			if (strstr(text, name))
				seen |= 1u << kind;
			free(name);
		}
		free(text);
	}
	EXPECT(seen == task->inputs[1].hard);
}

static void equal_seeds_give_equal_hard_inputs_others_do_not(void)
{
	const struct ao_case *c = ao_task_case(task, "odd");
	float a[COUNT], b[COUNT];

	task->inputs[0].hard = (1u << AO_HARD_COUNT) - 1;
	ao_draw_hard_input(a, task, c, 5, 1, 0);
	ao_draw_hard_input(b, task, c, 5, 1, 0);
	EXPECT(!memcmp(a, b, sizeof(a)));
	ao_draw_hard_input(b, task, c, 6, 1, 0);
	EXPECT(memcmp(a, b, sizeof(a)));
	ao_draw_hard_input(b, task, c, 5, 2, 0);
	EXPECT(memcmp(a, b, sizeof(a)));
}

static void an_input_without_kinds_is_drawn_as_usual(void)
{
	float x[COUNT];
	double square = 0;

	task->inputs[0].hard = 0;
	ao_draw_hard_input(x, task, ao_task_case(task, "odd"), 5, 0, 0);
	for (int i = 0; i < COUNT; i++)
		square += (double)x[i] * (double)x[i] / COUNT;
	EXPECT(square > 0.5 && square < 2);
}

static void whole_numbers_stay_within_their_range(void)
{
	int32_t x[COUNT];

	task->inputs[0].dtype = AO_DTYPE_INT32;
	task->inputs[0].fill = AO_FILL_UNIFORM;
	task->inputs[0].scale = 100;
	for (enum ao_hard kind = AO_HARD_EQUAL; kind < AO_HARD_COUNT; kind++) {
		task->inputs[0].hard = 1u << kind;
		ao_draw_hard_input(x, task, ao_task_case(task, "odd"), 5, 0, 0);
		for (int i = 0; i < COUNT; i++)
			EXPECT(x[i] >= -100 && x[i] <= 100);
	}
	task->inputs[0].hard = 1u << AO_HARD_MAX_LAST;
	ao_draw_hard_input(x, task, ao_task_case(task, "odd"), 5, 0, 0);
	EXPECT(x[COUNT - 1] == 99);
}

static void there_are_fewer_hard_sets_of_large_cases(void)
{
	struct ao_task *easy = scale_task();

	EXPECT(ao_draw_hard_sets(easy, 1000) == AO_HARD_COUNT);
	EXPECT(ao_draw_hard_sets(easy, UINT64_C(4) << 20) == 2);
	EXPECT(ao_draw_hard_sets(easy, UINT64_C(100) << 20) == 1);
	EXPECT(ao_draw_hard_sets(easy, UINT64_C(2) << 30) == 0);
	easy->inputs[0].hard = easy->inputs[1].hard = 0;
	EXPECT(ao_draw_hard_sets(easy, 1000) == 0);
	ao_task_free(easy);
}

/* Each test has a task of its own to change. */
#define WITH_TASK(test)              \
	do {                         \
		task = scale_task(); \
		RUN(test);           \
		ao_task_free(task);  \
	} while (0)

int main(void)
{
	WITH_TASK(large_is_a_thousand_times_the_scale);
	WITH_TASK(a_denormal_is_below_the_least_normal_number);
	WITH_TASK(equal_is_within_a_slice);
	WITH_TASK(one_hot_has_one_element_in_each_slice);
	WITH_TASK(the_last_of_each_slice_may_be_by_far_the_largest);
	WITH_TASK(alternating_signs_cancel_out);
	WITH_TASK(slices_of_a_set_take_turns);
	WITH_TASK(sets_take_turns_with_what_has_no_slices);
	WITH_TASK(equal_seeds_give_equal_hard_inputs_others_do_not);
	WITH_TASK(an_input_without_kinds_is_drawn_as_usual);
	WITH_TASK(whole_numbers_stay_within_their_range);
	WITH_TASK(there_are_fewer_hard_sets_of_large_cases);
	return tap_done();
}
