/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "cli/units.h"

#include "tap.h"

static bool reads(void (*format)(char out[AO_UNITS_SIZE], double value),
		  double value, const char *text)
{
	char out[AO_UNITS_SIZE];

	format(out, value);
	if (strcmp(out, text) == 0)
		return true;
	printf("# '%s', not '%s'\n", out, text);
	return false;
}

static void a_time_has_three_digits_and_its_unit(void)
{
	EXPECT(reads(ao_units_time, 812, "812 ns"));
	EXPECT(reads(ao_units_time, 12340, "12.3 us"));
	EXPECT(reads(ao_units_time, 4.56e6, "4.56 ms"));
	EXPECT(reads(ao_units_time, 1.2e9, "1.20 s"));
	EXPECT(reads(ao_units_time, 1.2e12, "1200 s"));
}

static void rounding_never_prints_a_thousand_of_the_smaller_unit(void)
{
	EXPECT(reads(ao_units_time, 999.4, "999 ns"));
	EXPECT(reads(ao_units_time, 999.6, "1.00 us"));
	EXPECT(reads(ao_units_time, 9.996e3, "10.0 us"));
	EXPECT(reads(ao_units_time, 99.96e3, "100 us"));
}

static void a_size_is_decimal(void)
{
	EXPECT(reads(ao_units_bytes, 0, "0 B"));
	EXPECT(reads(ao_units_bytes, 4096, "4.10 KB"));
	EXPECT(reads(ao_units_bytes, 1.25e9, "1.25 GB"));
}

static void what_is_not_finite_is_a_dash(void)
{
	EXPECT(reads(ao_units_time, NAN, "-"));
	EXPECT(reads(ao_units_count, INFINITY, "-"));
}

static void elapsed_time_changes_unit_at_a_minute_and_an_hour(void)
{
	EXPECT(reads(ao_units_elapsed, 0.9, "0 s"));
	EXPECT(reads(ao_units_elapsed, 59.9, "59 s"));
	EXPECT(reads(ao_units_elapsed, 60, "1:00 min"));
	EXPECT(reads(ao_units_elapsed, 3599, "59:59 min"));
	EXPECT(reads(ao_units_elapsed, 7500, "2:05 h"));
	EXPECT(reads(ao_units_elapsed, -1, "0 s"));
}

int main(void)
{
	RUN(a_time_has_three_digits_and_its_unit);
	RUN(rounding_never_prints_a_thousand_of_the_smaller_unit);
	RUN(a_size_is_decimal);
	RUN(what_is_not_finite_is_a_dash);
	RUN(elapsed_time_changes_unit_at_a_minute_and_an_hour);
	return tap_done();
}
