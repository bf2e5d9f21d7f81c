/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "util/clock.h"

static bool formats(int64_t unix_ms, const char *expected)
{
	char text[AO_TIME_SIZE];

	ao_clock_format(text, unix_ms);
	if (strcmp(text, expected) != 0)
		printf("# got: %s\n", text);
	return !strcmp(text, expected);
}

static void times_are_written_in_utc_with_milliseconds(void)
{
	EXPECT(formats(0, "1970-01-01T00:00:00.000Z"));
	EXPECT(formats(1709210096007, "2024-02-29T12:34:56.007Z"));
	EXPECT(formats(-1, "1969-12-31T23:59:59.999Z"));
}

static void times_beyond_four_digits_are_brought_back(void)
{
	EXPECT(formats(INT64_MAX, "9999-12-31T23:59:59.999Z"));
	EXPECT(formats(INT64_MIN, "0000-01-01T00:00:00.000Z"));
}

static void what_was_written_is_read_back(void)
{
	static const int64_t times[] = { 0, -1, 1709210096007, 253402300799999,
					 -62167219200000 };

	for (size_t i = 0; i < AO_ARRAY_SIZE(times); i++) {
		char text[AO_TIME_SIZE];
		int64_t again = 42;

		ao_clock_format(text, times[i]);
		EXPECT(ao_clock_parse(&again, text) && again == times[i]);
	}
}

static void other_texts_are_no_times(void)
{
	static const char *const bad[] = {
		"",
		"2024-02-29",
		"2024-02-29T12:34:56Z",
		"2024-02-29 12:34:56.007Z",
		"2024-02-29T12:34:56.007Zx",
		"2024-02-29T12:34:56.007",
		"2023-02-29T12:34:56.007Z",
		"2024-13-01T00:00:00.000Z",
		"2024-00-01T00:00:00.000Z",
		"2024-01-01T24:00:00.000Z",
		"2024-01-01T00:60:00.000Z",
		"2024-01-01T00:00:60.000Z",
		"+024-01-01T00:00:00.000Z",
	};
	int64_t time = 42;

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_clock_parse(&time, bad[i]));
	EXPECT(time == 42);
}

static void a_stamp_sorts_as_time_goes(void)
{
	char stamp[AO_STAMP_SIZE];

	ao_clock_stamp(stamp, 1709210096007);
	EXPECT(!strcmp(stamp, "20240229T123456"));
}

static void clocks_go_forward(void)
{
	uint64_t start_ns = ao_clock_now_ns();
	uint64_t cpu_ns = ao_clock_cpu_ns();

	ao_clock_sleep_ms(2);
	EXPECT(ao_clock_now_ns() - start_ns >= 2000000);
	EXPECT(ao_clock_cpu_ns() >= cpu_ns);
	EXPECT(ao_clock_unix_ms() > 1577836800000);
}

int main(void)
{
	RUN(times_are_written_in_utc_with_milliseconds);
	RUN(times_beyond_four_digits_are_brought_back);
	RUN(what_was_written_is_read_back);
	RUN(other_texts_are_no_times);
	RUN(a_stamp_sorts_as_time_goes);
	RUN(clocks_go_forward);
	return tap_done();
}
