/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "util/json_pull.h"
#include "util/json_scan.h"

/*
 * Nothing here looks for the end of the text: it was scanned, so every value
 * that begins also ends, strings hold what they may, and the last byte that is
 * looked at is the bracket that closes the outermost value.
 */

static void skip_blanks(struct ao_json_pull *pull)
{
	while (*pull->at == ' ' || *pull->at == '\t' || *pull->at == '\n' ||
	       *pull->at == '\r')
		pull->at++;
}

bool ao_json_pull_start(struct ao_json_pull *pull, const char *text, size_t len)
{
	struct ao_json_scan scan = { .text = text, .len = len };

	if (!ao_json_scan(&scan))
		return false;
	*pull = (struct ao_json_pull){ .at = text };
	skip_blanks(pull);
	return *pull->at == '{' || *pull->at == '[';
}

bool ao_json_pull_enter(struct ao_json_pull *pull, char bracket)
{
	if (*pull->at != bracket) {
		ao_json_pull_skip(pull);
		return false;
	}
	pull->at++;
	return true;
}

/* Over blanks and a comma; false at a closing bracket, which is passed. */
static bool next_part(struct ao_json_pull *pull)
{
	skip_blanks(pull);
	if (*pull->at == '}' || *pull->at == ']') {
		pull->at++;
		return false;
	}
	if (*pull->at == ',') {
		pull->at++;
		skip_blanks(pull);
	}
	return true;
}

bool ao_json_pull_element(struct ao_json_pull *pull)
{
	return next_part(pull);
}

/* Behind the string that begins here. */
static const char *string_end(const char *quote)
{
	const char *at = quote + 1;

	while (*at != '"')
		at += *at == '\\' ? 2 : 1;
	return at + 1;
}

bool ao_json_pull_member(struct ao_json_pull *pull)
{
	if (!next_part(pull))
		return false;
	pull->key = pull->at + 1;
	pull->at = string_end(pull->at);
	pull->key_len = (size_t)(pull->at - pull->key) - 1;
	skip_blanks(pull);
	pull->at++; /* the colon */
	skip_blanks(pull);
	return true;
}

bool ao_json_pull_is(const struct ao_json_pull *pull, const char *key)
{
	return strlen(key) == pull->key_len &&
	       !memcmp(key, pull->key, pull->key_len);
}

/* Over an array or object; brackets within strings do not count. */
static void skip_parts(struct ao_json_pull *pull)
{
	unsigned depth = 0;

	do {
		switch (*pull->at) {
		case '"':
			pull->at = string_end(pull->at);
			continue;
		case '{':
		case '[':
			depth++;
			break;
		case '}':
		case ']':
			depth--;
			break;
		default:
			break;
		}
		pull->at++;
	} while (depth);
}

/* Numbers, and true, false and null. */
static size_t plain_len(const char *at)
{
	size_t len = 0;

	while (at[len] == '-' || at[len] == '+' || at[len] == '.' ||
	       (at[len] >= '0' && at[len] <= '9') ||
	       (at[len] >= 'a' && at[len] <= 'z') || at[len] == 'E')
		len++;
	return len;
}

void ao_json_pull_skip(struct ao_json_pull *pull)
{
	if (*pull->at == '"')
		pull->at = string_end(pull->at);
	else if (*pull->at == '{' || *pull->at == '[')
		skip_parts(pull);
	else
		pull->at += plain_len(pull->at);
}

/* Take digits at *at into *number; returns how many there were. */
static size_t take_digits(uint64_t *number, const char **at)
{
	const char *from = *at;

	for (; **at >= '0' && **at <= '9'; ++*at)
		*number = *number * 10 + (uint64_t)(**at - '0');
	return (size_t)(*at - from);
}

/*
 * The usual number, of at most 19 digits: where these make a whole number
 * below 2^53, and the power of ten is exact as well, one division rounds right
 * (W. D. Clinger, "How to read floating point numbers accurately", 1990).
 * strtod() takes five times as long.  Returns false if it is another.
 */
static bool read_simple(double *out, const char **at)
{
	static const double tens[] = { 1e0,  1e1,  1e2,	 1e3,  1e4,  1e5,  1e6,
				       1e7,  1e8,  1e9,	 1e10, 1e11, 1e12, 1e13,
				       1e14, 1e15, 1e16, 1e17, 1e18, 1e19 };
	const char *end = *at + (**at == '-');
	uint64_t digits = 0;
	size_t count, fraction = 0;

	count = take_digits(&digits, &end);
	if (*end == '.') {
		end++;
		fraction = take_digits(&digits, &end);
	}
	if (count + fraction >= AO_ARRAY_SIZE(tens) || digits >> 53 ||
	    *end == 'e' || *end == 'E')
		return false;
	*out = (double)digits / tens[fraction];
	if (**at == '-')
		*out = -*out;
	*at = end;
	return true;
}

double ao_json_pull_number(struct ao_json_pull *pull, double otherwise)
{
	double number;
	char *end;

	/* What follows a number is no part of one, so strtod() stops there. */
	if (*pull->at != '-' && (*pull->at < '0' || *pull->at > '9')) {
		ao_json_pull_skip(pull);
		return otherwise;
	}
	if (read_simple(&number, &pull->at))
		return number;
	number = strtod(pull->at, &end);
	pull->at = end;
	return isfinite(number) ? number : otherwise;
}

bool ao_json_pull_true(struct ao_json_pull *pull)
{
	bool is_true = *pull->at == 't';

	ao_json_pull_skip(pull);
	return is_true;
}

static unsigned hex_value(const char *digits)
{
	unsigned value = 0;

	for (int i = 0; i < 4; i++) {
		unsigned c = (unsigned char)digits[i];

		value = value * 16 +
			(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return value;
}

/* Write a code point as UTF-8; returns behind it. */
static char *put_point(char *to, uint32_t point)
{
	if (point < 0x80) {
		*to++ = (char)point;
		return to;
	}
	if (point < 0x800) {
		*to++ = (char)(0xc0 | point >> 6);
	} else {
		if (point < 0x10000) {
			*to++ = (char)(0xe0 | point >> 12);
		} else {
			*to++ = (char)(0xf0 | point >> 18);
			*to++ = (char)(0x80 | (point >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (point >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (point & 0x3f));
	return to;
}

/* Write what the escape at *from, its backslash, stands for; pass it. */
static char *put_escape(char *to, const char **from)
{
	static const char letters[] = "bfnrt";
	static const char bytes[] = "\b\f\n\r\t";
	const char *at = *from + 1;
	const char *letter = strchr(letters, *at);
	uint32_t point;

	if (*at != 'u') {
		*to++ = letter ? bytes[letter - letters] : *at;
		*from = at + 1;
		return to;
	}
	point = hex_value(at + 1);
	at += 5;
	if (point >= 0xd800 && point < 0xdc00) {
		point = 0x10000 + ((point - 0xd800) << 10) +
			(hex_value(at + 2) - 0xdc00);
		at += 6;
	}
	*from = at;
	return put_point(to, point);
}

char *ao_json_pull_string(struct ao_json_pull *pull)
{
	const char *from = pull->at + 1;
	char *text, *to;

	if (*pull->at != '"') {
		ao_json_pull_skip(pull);
		return NULL;
	}
	pull->at = string_end(pull->at);
	/* No escape is shorter than what it stands for. */
	text = ao_xmalloc((size_t)(pull->at - from));
	to = text;
	while (*from != '"') {
		if (*from == '\\')
			to = put_escape(to, &from);
		else
			*to++ = *from++;
	}
	*to = '\0';
	return text;
}

void ao_json_pull_word(char *out, size_t size, struct ao_json_pull *pull)
{
	const char *from = pull->at + 1;
	size_t len;

	*out = '\0';
	ao_json_pull_skip(pull);
	if (from[-1] != '"')
		return;
	len = (size_t)(pull->at - from) - 1;
	if (len >= size || memchr(from, '\\', len))
		return;
	memcpy(out, from, len);
	out[len] = '\0';
}
