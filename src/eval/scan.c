/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/scan.h"

static bool is_blank(char c)
{
	/* A NUL is blank to compilers, too. */
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' ||
	       c == '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	/* Bytes above 127 are letters to both compilers. */
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || (unsigned char)c >= 128;
}

static bool is_name_part(char c)
{
	return is_name_start(c) || is_digit(c);
}

/*
 * The length of a splice at the start of `s`, or 0.  Compilers also take one
 * with blanks between the backslash and the end of the line.
 */
static size_t splice_len(const char *s, size_t len)
{
	size_t i = 1;

	if (!len || s[0] != '\\')
		return 0;
	while (i < len && s[i] != '\n' && is_blank(s[i]))
		i++;
	return i < len && s[i] == '\n' ? i + 1 : 0;
}

void ao_scan_init(struct ao_scan *scan, const char *source, size_t len)
{
	size_t alloc = 0;

	*scan = (struct ao_scan){ .text = ao_xmalloc(len + 1) };
	for (size_t i = 0; i < len;) {
		size_t skip = splice_len(source + i, len - i);

		if (!skip) {
			scan->text[scan->len++] = source[i++];
			continue;
		}
		scan->splices = ao_grow(scan->splices, &alloc,
					scan->splice_count + 1,
					sizeof(*scan->splices));
		scan->splices[scan->splice_count++] = scan->len;
		i += skip;
	}
	scan->text[scan->len] = '\0';
}

void ao_scan_release(struct ao_scan *scan)
{
	free(scan->text);
	free(scan->splices);
	*scan = (struct ao_scan){ 0 };
}

static char peek(const struct ao_scan *scan, size_t ahead)
{
	size_t left = scan->len - scan->at;

	return ahead < left ? scan->text[scan->at + ahead] : '\0';
}

/* The line of the token that begins here; splices behind it do not count. */
static uint32_t line_here(struct ao_scan *scan)
{
	while (scan->splices_passed < scan->splice_count &&
	       scan->splices[scan->splices_passed] <= scan->at)
		scan->splices_passed++;
	return scan->newlines + (uint32_t)scan->splices_passed + 1;
}

static size_t block_comment_len(struct ao_scan *scan)
{
	size_t left = scan->len - scan->at;
	const char *s = scan->text + scan->at;

	for (size_t i = 2; i < left; i++) {
		if (s[i] == '\n')
			scan->newlines++;
		if (s[i] == '*' && i + 1 < left && s[i + 1] == '/')
			return i + 2;
	}
	return left;
}

static size_t line_comment_len(const struct ao_scan *scan)
{
	size_t i = 2;

	while (scan->at + i < scan->len && peek(scan, i) != '\n')
		i++;
	return i;
}

/* Up to the closing quote; one that is missing ends with the line. */
static size_t string_len(const struct ao_scan *scan)
{
	size_t left = scan->len - scan->at;
	const char *s = scan->text + scan->at;

	for (size_t i = 1; i < left; i++) {
		if (s[i] == '\n')
			return i;
		if (s[i] == s[0])
			return i + 1;
		if (s[i] == '\\' && i + 1 < left && s[i + 1] != '\n')
			i++;
	}
	return left;
}

static size_t name_len(const struct ao_scan *scan)
{
	size_t i = 1;

	while (is_name_part(peek(scan, i)))
		i++;
	return i;
}

/* A preprocessing number: "1e-5f", "0x1.8p+3", ".5". */
static size_t number_len(const struct ao_scan *scan)
{
	size_t i = 1;

	for (;; i++) {
		char before = peek(scan, i - 1);
		char c = peek(scan, i);
		bool is_sign = (c == '+' || c == '-') &&
			       strchr("eEpP", before) && before;

		if (!is_name_part(c) && c != '.' && !is_sign)
			return i;
	}
}

static bool is_raw_prefix(const struct ao_scan *scan, size_t len)
{
	static const char *const prefixes[] = { "R", "LR", "uR", "UR", "u8R" };

	if (peek(scan, len) != '"')
		return false;
	for (size_t i = 0; i < AO_ARRAY_SIZE(prefixes); i++) {
		if (strlen(prefixes[i]) == len &&
		    !memcmp(scan->text + scan->at, prefixes[i], len))
			return true;
	}
	return false;
}

/* What begins at the scan's position, which is not at its end; its length. */
static enum ao_scan_kind classify(struct ao_scan *scan, size_t *len)
{
	char c = peek(scan, 0);
	char c1 = peek(scan, 1);

	*len = 1;
	if (c == '\n') {
		scan->newlines++;
		return AO_SCAN_NEWLINE;
	}
	if (c == '/' && c1 == '*') {
		*len = block_comment_len(scan);
		return AO_SCAN_COMMENT;
	}
	if (c == '/' && c1 == '/') {
		*len = line_comment_len(scan);
		return AO_SCAN_COMMENT;
	}
	if (c == '"' || c == '\'') {
		*len = string_len(scan);
		return AO_SCAN_STRING;
	}
	if (is_name_start(c)) {
		*len = name_len(scan);
		return is_raw_prefix(scan, *len) ? AO_SCAN_RAW : AO_SCAN_NAME;
	}
	if (is_digit(c) || (c == '.' && is_digit(c1))) {
		*len = number_len(scan);
		return AO_SCAN_NUMBER;
	}
	if (c == '%' && c1 == ':')
		*len = 2;
	return AO_SCAN_PUNCT;
}

struct ao_scan_token ao_scan_next(struct ao_scan *scan)
{
	struct ao_scan_token token = { .kind = AO_SCAN_END };

	while (scan->at < scan->len && is_blank(peek(scan, 0)))
		scan->at++;
	token.ptr = scan->text + scan->at;
	token.line = line_here(scan);
	if (scan->at == scan->len)
		return token;
	token.kind = classify(scan, &token.len);
	scan->at += token.len;
	if (token.kind == AO_SCAN_PUNCT && token.len == 2) {
		token.ptr = "#";
		token.len = 1;
	}
	return token;
}

bool ao_scan_is(const struct ao_scan_token *token, const char *text)
{
	return token->len == strlen(text) &&
	       !memcmp(token->ptr, text, token->len);
}
