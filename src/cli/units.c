/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "cli/units.h"

/*
 * Three digits of `value`, scaled to the last unit of which there is one at
 * least; a step is a factor of 1000.
 */
static void scaled(char out[AO_UNITS_SIZE], double value,
		   const char *const *units, size_t count)
{
	size_t i = 0;
	int decimals;

	if (!isfinite(value)) {
		snprintf(out, AO_UNITS_SIZE, "-");
		return;
	}
	/* 999.5 would be printed as 1000. */
	while (i + 1 < count && value >= 999.5) {
		value /= 1000;
		i++;
	}
	decimals = value >= 99.95 || i == 0 ? 0 : value >= 9.995 ? 1 : 2;
	snprintf(out, AO_UNITS_SIZE, "%.*f%s", decimals, value, units[i]);
}

void ao_units_time(char out[AO_UNITS_SIZE], double ns)
{
	static const char *const units[] = { " ns", " us", " ms", " s" };

	scaled(out, ns, units, AO_ARRAY_SIZE(units));
}

void ao_units_bytes(char out[AO_UNITS_SIZE], double bytes)
{
	static const char *const units[] = { " B", " KB", " MB", " GB", " TB" };

	scaled(out, bytes, units, AO_ARRAY_SIZE(units));
}

void ao_units_count(char out[AO_UNITS_SIZE], double count)
{
	static const char *const units[] = { "", " k", " M", " G", " T" };

	scaled(out, count, units, AO_ARRAY_SIZE(units));
}

void ao_units_elapsed(char out[AO_UNITS_SIZE], double seconds)
{
	unsigned long s;

	if (!isfinite(seconds) || seconds < 0)
		seconds = 0;
	s = (unsigned long)seconds;
	if (s < 60)
		snprintf(out, AO_UNITS_SIZE, "%lu s", s);
	else if (s < 3600)
		snprintf(out, AO_UNITS_SIZE, "%lu:%02lu min", s / 60, s % 60);
	else
		snprintf(out, AO_UNITS_SIZE, "%lu:%02lu h", s / 3600,
			 s / 60 % 60);
}
