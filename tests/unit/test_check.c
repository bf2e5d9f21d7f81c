/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/check.h"
#include "tap.h"

enum { ROWS = 3, COLUMNS = 700, COUNT = ROWS * COLUMNS };

/* An output of three long rows, right unless a test spoils it. */
struct output {
	struct ao_tensor tensor;
	float got[COUNT];
	double expected[COUNT];
	struct ao_checked checked;
};

static char name[] = "y";

static void make_output(struct output *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 0; i < COUNT; i++) {
		out->expected[i] = 1 + i % 7;
		out->got[i] = (float)out->expected[i];
	}
	out->tensor.name = name;
	out->tensor.tolerance = 1e-5;
	out->checked = (struct ao_checked){
		.tensor = &out->tensor,
		.view = { .rank = 2,
			  .extents = { ROWS, COLUMNS },
			  .is_independent = { true, false } },
		.got = out->got,
		.expected = out->expected,
		.poison = ao_check_poison(AO_DTYPE_FLOAT32, 1234567),
	};
}

static void poison_from(struct output *out, size_t first)
{
	for (size_t i = first; i < COUNT; i++)
		memcpy(&out->got[i], &out->checked.poison, sizeof(float));
}

static double error_of(struct output *out)
{
	out->checked.norm = ao_check_norm(out->expected, COUNT);
	return ao_check_error(&out->checked);
}

static bool explains(struct output *out, const char *words)
{
	double error = error_of(out);
	char *text = ao_check_explain(&out->checked, error);
	bool is_there = strstr(text, words) && !strchr(text, '\n');

	if (!is_there)
		printf("# %s\n", text);
	free(text);
	return is_there;
}

static void a_right_output_has_no_error(void)
{
	static struct output out;

	make_output(&out);
	EXPECT(error_of(&out) == 0);
}

static void the_error_is_relative_and_of_all_elements(void)
{
	static struct output out;

	make_output(&out);
	for (int i = 0; i < COUNT; i++)
		out.got[i] = (float)(out.expected[i] * 1.25);
	EXPECT(fabs(error_of(&out) - 0.25) < 1e-12);
}

static void the_norm_is_of_all_elements(void)
{
	double values[777];

	for (int i = 0; i < 777; i++)
		values[i] = 2;
	EXPECT(fabs(ao_check_norm(values, 777) - 2 * sqrt(777)) < 1e-12);
	EXPECT(ao_check_norm(values, 0) == 0);
}

static void against_zeros_the_error_is_absolute(void)
{
	static struct output out;

	make_output(&out);
	memset(out.expected, 0, sizeof(out.expected));
	memset(out.got, 0, sizeof(out.got));
	EXPECT(error_of(&out) == 0);
	out.got[5] = 0.5f;
	EXPECT(error_of(&out) == 0.5);
}

static void an_error_is_within_its_limit_or_not(void)
{
	EXPECT(ao_check_is_within(1e-5, 1e-5));
	EXPECT(!ao_check_is_within(1.1e-5, 1e-5));
	EXPECT(ao_check_is_within(0, 0));
	EXPECT(!ao_check_is_within((double)NAN, 1e300));
	EXPECT(!ao_check_is_within((double)INFINITY, 1e300));
}

static void one_nan_anywhere_is_within_nothing(void)
{
	static const size_t places[] = { 0, 255, 256, COLUMNS - 1, COUNT - 1 };
	static struct output out;

	for (size_t i = 0; i < AO_ARRAY_SIZE(places); i++) {
		make_output(&out);
		out.got[places[i]] = -NAN;
		EXPECT(isnan(error_of(&out)));
		EXPECT(explains(&out, "relative error nan, allowed"));
		EXPECT(explains(&out, "1 of 2100 wrong, first"));
		EXPECT(explains(&out, ": got nan, expected"));
	}
}

static void one_infinity_is_within_nothing(void)
{
	static struct output out;

	make_output(&out);
	out.got[COUNT - 1] = INFINITY;
	EXPECT(!ao_check_is_within(error_of(&out), 1e300));
}

static void the_answer_is_found_in_the_order_of_the_inputs(void)
{
	static const size_t order[ROWS] = { 2, 0, 1 };
	static struct output out;

	make_output(&out);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++)
			out.expected[i * COLUMNS + j] = (double)(i * 1000 + j);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++)
			out.got[i * COLUMNS + j] = (float)(order[i] * 1000 + j);
	EXPECT(error_of(&out) > 0.1);
	out.checked.order = order;
	EXPECT(error_of(&out) == 0);
}

static void the_last_axis_may_be_the_reordered_one(void)
{
	static size_t order[COLUMNS];
	static struct output out;

	make_output(&out);
	out.checked.view.is_independent[0] = false;
	out.checked.view.is_independent[1] = true;
	out.checked.order = order;
	for (size_t j = 0; j < COLUMNS; j++)
		order[j] = COLUMNS - 1 - j;
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++) {
			out.expected[i * COLUMNS + j] = (double)(i * 1000 + j);
			out.got[i * COLUMNS + j] = (float)(i * 1000 + order[j]);
		}
	EXPECT(error_of(&out) == 0);
}

/* A small row between large ones, with yardsticks of their own. */
static void make_rows(struct output *out, double *scales, bool is_hard)
{
	static const size_t order[ROWS] = { 2, 0, 1 };
	static const double sizes[ROWS] = { 1e6, 1, 1e6 };

	make_output(out);
	for (size_t i = 0; i < ROWS; i++) {
		scales[i] = sizes[i] * sqrt(COLUMNS);
		for (size_t j = 0; j < COLUMNS; j++) {
			out->expected[i * COLUMNS + j] = sizes[i];
			out->got[i * COLUMNS + j] = (float)sizes[order[i]];
		}
	}
	out->checked.order = order;
	out->checked.scales = scales;
	out->checked.is_hard = is_hard;
}

static void a_wrong_small_row_among_large_ones_is_seen(void)
{
	static struct output out;
	double scales[ROWS];

	make_rows(&out, scales, false);
	EXPECT(error_of(&out) == 0);
	/* Row 1 is where the kernel has row 2. */
	for (size_t j = 0; j < COLUMNS; j++)
		out.got[2 * COLUMNS + j] = 0;
	EXPECT(fabs(error_of(&out) - 1) < 1e-9);
	EXPECT(ao_check_worst_slice(&out.checked) == 1);
	EXPECT(explains(&out, "700 of 2100 wrong, first [2][0]: got 0"));
	out.checked.scales = NULL;
	EXPECT(ao_check_is_within(error_of(&out), out.tensor.tolerance));
}

static void a_small_column_among_large_ones_is_seen_too(void)
{
	static size_t order[COLUMNS];
	static struct output out;
	static double scales[COLUMNS];

	make_output(&out);
	out.checked.view.is_independent[0] = false;
	out.checked.view.is_independent[1] = true;
	out.checked.order = order;
	out.checked.scales = scales;
	for (size_t j = 0; j < COLUMNS; j++) {
		order[j] = COLUMNS - 1 - j;
		scales[j] = (j == 5 ? 1 : 1e6) * sqrt(ROWS);
		for (size_t i = 0; i < ROWS; i++) {
			out.expected[i * COLUMNS + j] = j == 5 ? 1 : 1e6;
			out.got[i * COLUMNS + COLUMNS - 1 - j] = j == 5 ? 1
									: 1e6F;
		}
	}
	EXPECT(error_of(&out) == 0);
	out.got[COLUMNS + COLUMNS - 1 - 5] = 1.5F;
	EXPECT(fabs(error_of(&out) - 0.5 / sqrt(ROWS)) < 1e-9);
	EXPECT(ao_check_worst_slice(&out.checked) == 5);
	EXPECT(explains(&out, "1 of 2100 wrong, first [1][694]"));
}

static void of_hard_inputs_each_row_counts_by_its_own_yardstick(void)
{
	static struct output out;
	double scales[ROWS];

	make_rows(&out, scales, true);
	/* Its terms are a million times what they add up to. */
	scales[1] *= 1e6;
	for (size_t j = 0; j < COLUMNS; j++)
		out.got[2 * COLUMNS + j] = 2;
	EXPECT(fabs(error_of(&out) - 1e-6) < 1e-12);
	out.got[0] = NAN;
	EXPECT(isnan(error_of(&out)));
}

static void a_wrong_element_is_named_with_what_was_expected(void)
{
	static struct output out;

	make_output(&out);
	out.got[COLUMNS + 17] += 1;
	out.got[COLUMNS + 18] += 1;
	EXPECT(explains(&out, "output 'y': relative error"));
	EXPECT(explains(&out, "2 of 2100 wrong, first [1][17]"));
	EXPECT(explains(&out, "got 5, expected 4"));
}

static void what_was_never_written_is_told_from_what_is_wrong(void)
{
	static struct output out;

	make_output(&out);
	poison_from(&out, 2 * COLUMNS);
	EXPECT(explains(&out, "700 of 2100 never written, first [2][0]"));
}

static void a_nan_that_is_not_the_poison_was_written(void)
{
	static struct output out;

	make_output(&out);
	out.got[3] = NAN;
	EXPECT(explains(&out, "1 of 2100 wrong, first [0][3]: got nan"));
}

static void an_error_spread_over_all_elements_is_called_so(void)
{
	static struct output out;

	make_output(&out);
	for (int i = 0; i < COUNT; i++)
		out.got[i] = (float)(out.expected[i] * (1 + 3e-5));
	EXPECT(!ao_check_is_within(error_of(&out), out.tensor.tolerance));
	EXPECT(explains(&out, "a little everywhere"));
}

static void integers_are_exact(void)
{
	static struct output out;
	static int32_t got[COUNT];

	make_output(&out);
	out.tensor.dtype = AO_DTYPE_INT32;
	out.tensor.tolerance = 0;
	out.checked.got = got;
	for (int i = 0; i < COUNT; i++) {
		got[i] = INT32_MAX - i;
		out.expected[i] = INT32_MAX - i;
	}
	EXPECT(ao_check_is_within(error_of(&out), 0));
	got[9]--;
	EXPECT(!ao_check_is_within(error_of(&out), 0));
	EXPECT(explains(&out, "1 of 2100 wrong, first [0][9]"));
}

static void doubles_are_compared_as_doubles(void)
{
	static struct output out;
	static double got[COUNT];

	make_output(&out);
	out.tensor.dtype = AO_DTYPE_FLOAT64;
	out.checked.got = got;
	for (int i = 0; i < COUNT; i++)
		got[i] = out.expected[i] + 1e-12;
	EXPECT(error_of(&out) > 0);
	EXPECT(error_of(&out) < 1e-11);
}

static void poison_is_never_a_number(void)
{
	for (uint64_t random = 1; random; random <<= 1) {
		uint64_t bits32 = ao_check_poison(AO_DTYPE_FLOAT32, ~random);
		uint64_t bits64 = ao_check_poison(AO_DTYPE_FLOAT64, random);
		uint32_t low = (uint32_t)bits32;
		float f32;
		double f64;

		memcpy(&f32, &low, sizeof(f32));
		memcpy(&f64, &bits64, sizeof(f64));
		EXPECT(isnan(f32) && isnan(f64));
		EXPECT(bits32 == low);
	}
}

int main(void)
{
	RUN(a_right_output_has_no_error);
	RUN(the_error_is_relative_and_of_all_elements);
	RUN(the_norm_is_of_all_elements);
	RUN(against_zeros_the_error_is_absolute);
	RUN(an_error_is_within_its_limit_or_not);
	RUN(one_nan_anywhere_is_within_nothing);
	RUN(one_infinity_is_within_nothing);
	RUN(the_answer_is_found_in_the_order_of_the_inputs);
	RUN(the_last_axis_may_be_the_reordered_one);
	RUN(a_wrong_small_row_among_large_ones_is_seen);
	RUN(a_small_column_among_large_ones_is_seen_too);
	RUN(of_hard_inputs_each_row_counts_by_its_own_yardstick);
	RUN(a_wrong_element_is_named_with_what_was_expected);
	RUN(what_was_never_written_is_told_from_what_is_wrong);
	RUN(a_nan_that_is_not_the_poison_was_written);
	RUN(an_error_spread_over_all_elements_is_called_so);
	RUN(integers_are_exact);
	RUN(doubles_are_compared_as_doubles);
	RUN(poison_is_never_a_number);
	return tap_done();
}
