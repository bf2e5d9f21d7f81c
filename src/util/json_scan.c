/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/json_scan.h"
#include "util/limits.h"
#include "util/text.h"

/* The longest number that cJSON takes in. */
enum { MAX_NUMBER_BYTES = 63 };

static bool fail(struct ao_json_scan *scan, const char *problem)
{
	scan->problem = problem;
	scan->code = AO_EINVALID;
	return false;
}

static bool over_limit(struct ao_json_scan *scan, const char *problem)
{
	scan->problem = problem;
	scan->code = AO_ELIMIT;
	return false;
}

/* The byte at hand, or 0 at the end. */
static char peek(const struct ao_json_scan *scan)
{
	return scan->at < scan->len ? scan->text[scan->at] : '\0';
}

static bool take(struct ao_json_scan *scan, char c)
{
	if (peek(scan) != c)
		return false;
	scan->at++;
	return true;
}

static void skip_blanks(struct ao_json_scan *scan)
{
	while (peek(scan) == ' ' || peek(scan) == '\t' || peek(scan) == '\r' ||
	       peek(scan) == '\n')
		scan->at++;
}

static size_t skip_digits(struct ao_json_scan *scan)
{
	size_t from = scan->at;

	while (peek(scan) >= '0' && peek(scan) <= '9')
		scan->at++;
	return scan->at - from;
}

static bool scan_number(struct ao_json_scan *scan)
{
	size_t from = scan->at;

	take(scan, '-');
	if (!take(scan, '0') && !skip_digits(scan))
		return fail(scan, "expected a digit");
	if (take(scan, '.') && !skip_digits(scan))
		return fail(scan, "expected a digit");
	if (take(scan, 'e') || take(scan, 'E')) {
		if (!take(scan, '-'))
			take(scan, '+');
		if (!skip_digits(scan))
			return fail(scan, "expected a digit");
	}
	if (scan->at - from > MAX_NUMBER_BYTES) {
		scan->at = from;
		return over_limit(scan, "the number has too many digits");
	}
	return true;
}

/* The four digits behind \u. */
static bool scan_hex(struct ao_json_scan *scan, unsigned *out)
{
	unsigned number = 0;

	for (int i = 0; i < 4; i++, scan->at++) {
		char c = peek(scan);

		if (c >= '0' && c <= '9')
			number = number * 16 + (unsigned)(c - '0');
		else if (c >= 'a' && c <= 'f')
			number = number * 16 + (unsigned)(c - 'a') + 10;
		else if (c >= 'A' && c <= 'F')
			number = number * 16 + (unsigned)(c - 'A') + 10;
		else
			return fail(scan, "expected four hexadecimal digits");
	}
	*out = number;
	return true;
}

/* What follows a backslash. */
static bool scan_escape(struct ao_json_scan *scan)
{
	size_t from = scan->at - 1;
	unsigned first, second;

	if (peek(scan) && strchr("\"\\/bfnrt", peek(scan))) {
		scan->at++;
		return true;
	}
	if (!take(scan, 'u'))
		return fail(scan, "unknown escape in a string");
	if (!scan_hex(scan, &first))
		return false;
	if (first >= 0xd800 && first < 0xdc00 && take(scan, '\\') &&
	    take(scan, 'u')) {
		if (!scan_hex(scan, &second))
			return false;
		if (second >= 0xdc00 && second < 0xe000)
			return true;
	}
	if (first && (first < 0xd800 || first >= 0xe000))
		return true;
	scan->at = from;
	return fail(scan, first ? "half of a surrogate pair in a string"
				: "\\u0000 in a string");
}

static bool scan_string(struct ao_json_scan *scan)
{
	size_t from = scan->at;

	for (scan->at++; scan->at < scan->len;) {
		char c = scan->text[scan->at];

		if ((unsigned char)c < 0x20)
			return fail(scan, "control character in a string");
		scan->at++;
		if (c == '"')
			return true;
		if (c == '\\' && !scan_escape(scan))
			return false;
	}
	scan->at = from;
	return fail(scan, "the string does not end");
}

static bool scan_word(struct ao_json_scan *scan, const char *word)
{
	size_t len = strlen(word);

	if (scan->len - scan->at < len ||
	    memcmp(scan->text + scan->at, word, len) != 0)
		return fail(scan, "expected a value");
	scan->at += len;
	return true;
}

static bool scan_value(struct ao_json_scan *scan);

static bool scan_member(struct ao_json_scan *scan)
{
	skip_blanks(scan);
	if (peek(scan) != '"')
		return fail(scan, "expected a key in double quotes");
	if (!scan_string(scan))
		return false;
	skip_blanks(scan);
	if (!take(scan, ':'))
		return fail(scan, "expected ':'");
	return scan_value(scan);
}

/* An array or object, from its opening bracket. */
static bool scan_parts(struct ao_json_scan *scan, char close,
		       bool (*scan_part)(struct ao_json_scan *scan),
		       const char *problem)
{
	if (scan->depth == AO_MAX_JSON_DEPTH)
		return over_limit(scan, "nested too deeply");
	scan->depth++;
	scan->at++;
	skip_blanks(scan);
	if (!take(scan, close)) {
		do {
			if (!scan_part(scan))
				return false;
			skip_blanks(scan);
		} while (take(scan, ','));
		if (!take(scan, close))
			return fail(scan, problem);
	}
	scan->depth--;
	return true;
}

static bool scan_value(struct ao_json_scan *scan)
{
	skip_blanks(scan);
	if (scan->values == AO_MAX_JSON_VALUES)
		return over_limit(scan, "too many values");
	if (scan->values++ == scan->wanted)
		scan->wanted_at = scan->at;

	switch (peek(scan)) {
	case '{':
		return scan_parts(scan, '}', scan_member,
				  "expected ',' or '}'");
	case '[':
		return scan_parts(scan, ']', scan_value, "expected ',' or ']'");
	case '"':
		return scan_string(scan);
	case 't':
		return scan_word(scan, "true");
	case 'f':
		return scan_word(scan, "false");
	case 'n':
		return scan_word(scan, "null");
	default:
		if (peek(scan) != '-' && (peek(scan) < '0' || peek(scan) > '9'))
			return fail(scan, "expected a value");
		return scan_number(scan);
	}
}

bool ao_json_scan(struct ao_json_scan *scan)
{
	size_t clean;

	if (scan->len > AO_MAX_JSON_BYTES)
		return over_limit(scan, "the text is too long");
	clean = ao_text_utf8_prefix(scan->text, scan->len);
	if (clean < scan->len) {
		scan->at = clean;
		return fail(scan, "not UTF-8");
	}
	if (scan->len >= 3 && !memcmp(scan->text, "\xef\xbb\xbf", 3))
		return fail(scan, "begins with a byte order mark");
	if (!scan_value(scan))
		return false;
	skip_blanks(scan);
	if (scan->at < scan->len)
		return fail(scan, "unexpected text behind the value");
	return true;
}
