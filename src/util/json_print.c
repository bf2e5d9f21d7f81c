/* SPDX-License-Identifier: MIT */
/*
 * The writing half of json.h.  cJSON's own printer takes two doubles for the
 * same when they differ by an epsilon, and so drops digits; records are
 * compared, hashed and signed, and must not change when they are rewritten.
 */
#include "util/base.h"

#include <math.h>

#include "util/json.h"

static void print_string(struct ao_buf *out, const char *s)
{
	static const char plain[] = "\b\f\n\r\t\"\\";
	static const char escaped[] = "bfnrt\"\\";

	ao_buf_addstr(out, "\"");
	while (*s) {
		size_t len = 0;
		const char *found;

		while ((unsigned char)s[len] >= 0x20 && s[len] != '"' &&
		       s[len] != '\\' && s[len] != 0x7f)
			len++;
		ao_buf_add(out, s, len);
		s += len;
		if (!*s)
			break;
		found = strchr(plain, *s);
		if (found)
			ao_buf_addf(out, "\\%c", escaped[found - plain]);
		else
			ao_buf_addf(out, "\\u%04x", (unsigned)*s);
		s++;
	}
	ao_buf_addstr(out, "\"");
}

static void print_number(struct ao_buf *out, double number)
{
	char digits[32];

	if (fabs(number) < 1e15 && number == floor(number) &&
	    !(number == 0 && signbit(number))) {
		snprintf(digits, sizeof(digits), "%" PRId64, (int64_t)number);
		ao_buf_addstr(out, digits);
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	ao_buf_addstr(out, digits);
}

static void new_line(struct ao_buf *out, bool pretty, unsigned depth)
{
	if (!pretty)
		return;
	ao_buf_addstr(out, "\n");
	while (depth--)
		ao_buf_addstr(out, "  ");
}

static void print_value(struct ao_buf *out, const struct ao_json *value,
			bool pretty, unsigned depth);

/* The members of an object or elements of an array, with its brackets. */
static void print_parts(struct ao_buf *out, const struct ao_json *value,
			bool pretty, unsigned depth)
{
	const char *brackets = ao_json_kind(value) == AO_JSON_OBJECT ? "{}"
								     : "[]";
	const struct ao_json *part = ao_json_first(value);

	ao_buf_add(out, brackets, 1);
	if (part) {
		for (; part; part = ao_json_next(part)) {
			if (part != ao_json_first(value))
				ao_buf_addstr(out, ",");
			new_line(out, pretty, depth + 1);
			if (ao_json_key(part)) {
				print_string(out, ao_json_key(part));
				ao_buf_addstr(out, pretty ? ": " : ":");
			}
			print_value(out, part, pretty, depth + 1);
		}
		new_line(out, pretty, depth);
	}
	ao_buf_add(out, brackets + 1, 1);
}

static void print_value(struct ao_buf *out, const struct ao_json *value,
			bool pretty, unsigned depth)
{
	switch (ao_json_kind(value)) {
	case AO_JSON_NULL:
		ao_buf_addstr(out, "null");
		break;
	case AO_JSON_BOOL:
		ao_buf_addstr(out, ao_json_truth(value) ? "true" : "false");
		break;
	case AO_JSON_NUMBER:
		print_number(out, ao_json_value(value));
		break;
	case AO_JSON_STRING:
		print_string(out, ao_json_text(value));
		break;
	case AO_JSON_ARRAY:
	case AO_JSON_OBJECT:
		print_parts(out, value, pretty, depth);
		break;
	}
}

void ao_json_print(struct ao_buf *out, const struct ao_json *value, bool pretty)
{
	print_value(out, value, pretty, 0);
}
