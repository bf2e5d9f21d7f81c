/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <errno.h>

#include "util/text.h"

#include "cli/option.h"

enum { HELP_COLUMN = 28, MAX_TIME_S = 365 * 24 * 3600 };

static bool store_time(uint32_t *out, const char *text)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	size_t len = strlen(text);
	int64_t factor = 1, count;
	char digits[16];

	for (size_t i = 0; len && i < AO_ARRAY_SIZE(units); i++) {
		if (text[len - 1] == units[i].unit) {
			factor = units[i].seconds;
			len--;
			break;
		}
	}
	if (!len || len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (!ao_text_to_int(&count, digits, 0, MAX_TIME_S / factor))
		return false;
	*out = (uint32_t)(count * factor);
	return true;
}

/* All 64 bits, which ao_text_to_int() does not reach. */
static bool store_seed(uint64_t *out, const char *text)
{
	unsigned long long seed;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	seed = strtoull(text, &end, 10);
	if (errno || *end)
		return false;
	*out = seed;
	return true;
}

bool ao_option_store(const struct ao_option *option, const char *text)
{
	int64_t count;

	switch (option->type) {
	case AO_OPTION_COUNT:
		if (!ao_text_to_int(&count, text, (int64_t)option->min,
				    (int64_t)option->max))
			return false;
		*(uint32_t *)option->value = (uint32_t)count;
		return true;
	case AO_OPTION_NUMBER:
		return ao_text_to_double(option->value, text, option->min,
					 option->max);
	case AO_OPTION_SEED:
		return store_seed(option->value, text);
	case AO_OPTION_TIME:
		return store_time(option->value, text);
	case AO_OPTION_STRING:
	case AO_OPTION_MAYBE:
		*(const char **)option->value = text;
		return true;
	case AO_OPTION_FLAG:
	case AO_OPTION_END:
		break;
	}
	assert(!"an option that takes no value");
	return false;
}

char *ao_option_text(const struct ao_option *option)
{
	const char *text;

	switch (option->type) {
	case AO_OPTION_FLAG:
		return ao_xstrdup(*(bool *)option->value ? "true" : "false");
	case AO_OPTION_COUNT:
	case AO_OPTION_TIME:
		return ao_xstrf("%" PRIu32, *(uint32_t *)option->value);
	case AO_OPTION_NUMBER:
		return ao_xstrf("%g", *(double *)option->value);
	case AO_OPTION_SEED:
		return ao_xstrf("%" PRIu64, *(uint64_t *)option->value);
	case AO_OPTION_STRING:
	case AO_OPTION_MAYBE:
		text = *(const char **)option->value;
		return text ? ao_xstrdup(text) : NULL;
	case AO_OPTION_END:
		break;
	}
	return NULL;
}

char *ao_option_takes(const struct ao_option *option)
{
	switch (option->type) {
	case AO_OPTION_COUNT:
		return ao_xstrf("a whole number from %.0f to %.0f", option->min,
				option->max);
	case AO_OPTION_NUMBER:
		return ao_xstrf("a number from %g to %g", option->min,
				option->max);
	case AO_OPTION_SEED:
		return ao_xstrf("a whole number from 0 to %" PRIu64,
				UINT64_MAX);
	case AO_OPTION_TIME:
		return ao_xstrdup("a time of at most a year, such as 90s, "
				  "15m, 2h or 1d");
	case AO_OPTION_STRING:
	case AO_OPTION_MAYBE:
	case AO_OPTION_FLAG:
	case AO_OPTION_END:
		break;
	}
	return ao_xstrdup("a text");
}

static bool takes_argument(const struct ao_option *option)
{
	return option->type != AO_OPTION_FLAG &&
	       option->type != AO_OPTION_MAYBE;
}

bool ao_option_is_negatable(const struct ao_option *option)
{
	return option->type == AO_OPTION_FLAG ||
	       option->type == AO_OPTION_STRING ||
	       option->type == AO_OPTION_MAYBE;
}

static int print_name(FILE *out, const struct ao_option *option)
{
	int columns = fprintf(out, "    ");

	if (option->letter)
		columns += fprintf(out, "-%c, ", option->letter);
	columns += fprintf(out, "--%s", option->name);
	if (option->type == AO_OPTION_MAYBE)
		columns += fprintf(out, "[=<%s>]", option->arg);
	else if (takes_argument(option))
		columns += fprintf(out, " <%s>", option->arg);
	return columns;
}

void ao_option_help(FILE *out, const struct ao_option *table)
{
	for (; table->type != AO_OPTION_END; table++) {
		int columns = print_name(out, table);

		if (columns + 2 > HELP_COLUMN) {
			fputc('\n', out);
			columns = 0;
		}
		fprintf(out, "%*s%s\n", HELP_COLUMN - columns, "", table->help);
	}
}

void ao_option_names(FILE *out, const struct ao_option *table)
{
	const char *separator = "-- ";

	for (const struct ao_option *o = table; o->type != AO_OPTION_END; o++)
		fprintf(out, "--%s%s ", o->name, takes_argument(o) ? "=" : "");
	for (const struct ao_option *o = table; o->type != AO_OPTION_END; o++) {
		if (!ao_option_is_negatable(o))
			continue;
		fprintf(out, "%s--no-%s ", separator, o->name);
		separator = "";
	}
	fputc('\n', out);
}
