/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/expr.h"
#include "util/buf.h"

static bool look_up(void *data, const char *name, size_t len, double *value_out)
{
	(void)data;
	if (len == 1 && *name == 'M')
		*value_out = 6;
	else if (len == 3 && !memcmp(name, "N_2", 3))
		*value_out = 4;
	else
		return false;
	return true;
}

static double value_of(const char *text)
{
	double value = -12345;
	struct ao_error *err = ao_expr_eval(&value, text, look_up, NULL);

	if (err)
		printf("# %s\n", ao_error_message(err));
	ao_error_free(err);
	return value;
}

/* Whether `text` is refused, as invalid, with `what` in the message. */
static bool is_refused(const char *text, const char *what)
{
	double value = -12345;
	struct ao_error *err = ao_expr_eval(&value, text, look_up, NULL);
	bool is = ao_error_code(err) == AO_EINVALID &&
		  strstr(ao_error_message(err), what) && value == -12345;

	if (!is)
		printf("# %s\n", err ? ao_error_message(err) : "no error");
	ao_error_free(err);
	return is;
}

static void products_bind_closer_than_sums(void)
{
	EXPECT(value_of("1 + 2 * 3") == 7);
	EXPECT(value_of("(1 + 2) * 3") == 9);
}

static void equal_operators_group_from_the_left(void)
{
	EXPECT(value_of("10 - 3 - 2") == 5);
	EXPECT(value_of("16 / 4 / 2") == 2);
	EXPECT(value_of("16 / 4 * 2") == 8);
}

static void a_minus_may_stand_before_a_factor(void)
{
	EXPECT(value_of("-2 + 5") == 3);
	EXPECT(value_of("2 * -3") == -6);
	EXPECT(value_of("--2") == 2);
}

static void names_are_looked_up_whole(void)
{
	EXPECT(value_of("M*N_2") == 24);
	EXPECT(is_refused("M2", "unknown 'M2'"));
	EXPECT(is_refused("N_", "unknown 'N_'"));
}

static void division_is_not_that_of_integers(void)
{
	EXPECT(value_of("M / 4") == 1.5);
}

static void numbers_are_decimal(void)
{
	EXPECT(value_of("2.5e1") == 25);
	EXPECT(value_of(".5") == 0.5);
	EXPECT(is_refused("0x10", "not a decimal number"));
	EXPECT(is_refused("1e", "not a decimal number"));
	EXPECT(is_refused("1.2.3", "not a decimal number"));
	EXPECT(is_refused("1e999", "not a decimal number"));
	EXPECT(is_refused(".", "not a decimal number"));
	EXPECT(is_refused("2M", "not a decimal number"));
	EXPECT(is_refused("inf", "unknown 'inf'"));
}

static void a_fault_is_named_with_its_column(void)
{
	EXPECT(is_refused("", "column 1: expected"));
	EXPECT(is_refused("M +", "column 4: expected"));
	EXPECT(is_refused("M M", "column 3: expected an operator"));
	EXPECT(is_refused("2 * (M", "column 5: '(' is never closed"));
	EXPECT(is_refused("M)", "column 2: expected an operator"));
	EXPECT(is_refused("M % 2", "column 3"));
	EXPECT(is_refused("M ** 2", "column 4"));
}

static void division_by_zero_is_refused(void)
{
	EXPECT(is_refused("1 / 0", "column 4: division by zero"));
	EXPECT(is_refused("1 / (M - 6)", "division by zero"));
}

static void a_value_beyond_the_range_is_refused(void)
{
	EXPECT(is_refused("1e300 * 1e300", "not finite"));
	EXPECT(is_refused("1e300*1e300 - 1e300*1e300", "not finite"));
}

static void depth_is_limited(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 20);

	for (int i = 0; i < 100000; i++)
		ao_buf_addstr(&text, "(");
	EXPECT(is_refused(text.ptr, "nested more than"));
	ao_buf_release(&text);
	for (int i = 0; i < 100000; i++)
		ao_buf_addstr(&text, "-");
	EXPECT(is_refused(text.ptr, "nested more than"));
	ao_buf_release(&text);
}

static void length_is_not_depth(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 20);

	ao_buf_addstr(&text, "1");
	for (int i = 0; i < 1000; i++)
		ao_buf_addstr(&text, " + (1)");
	EXPECT(value_of(text.ptr) == 1001);
	ao_buf_release(&text);
}

int main(void)
{
	RUN(products_bind_closer_than_sums);
	RUN(equal_operators_group_from_the_left);
	RUN(a_minus_may_stand_before_a_factor);
	RUN(names_are_looked_up_whole);
	RUN(division_is_not_that_of_integers);
	RUN(numbers_are_decimal);
	RUN(a_fault_is_named_with_its_column);
	RUN(division_by_zero_is_refused);
	RUN(a_value_beyond_the_range_is_refused);
	RUN(depth_is_limited);
	RUN(length_is_not_depth);
	return tap_done();
}
