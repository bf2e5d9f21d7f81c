/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <math.h>

#include "util/text.h"

/*
 * The bytes of the code point at the start of `s`, or 0 if it is not one:
 * overlong forms, surrogates and what lies past U+10FFFF are refused, as
 * RFC 3629 has it.
 */
static size_t code_point(uint32_t *point_out, const char *s, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = len ? (unsigned char)s[0] : 0xff;
	size_t need = lead < 0x80		     ? 1
		      : lead >= 0xc2 && lead <= 0xdf ? 2
		      : lead >= 0xe0 && lead <= 0xef ? 3
		      : lead >= 0xf0 && lead <= 0xf4 ? 4
						     : 0;
	uint32_t point;

	if (!need || need > len)
		return 0;
	point = need == 1 ? lead : lead & (0x7fU >> need);
	for (size_t i = 1; i < need; i++) {
		unsigned char c = (unsigned char)s[i];

		if ((c & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (c & 0x3f);
	}
	if (point < least[need] || point > 0x10ffff ||
	    (point >= 0xd800 && point <= 0xdfff))
		return 0;
	*point_out = point;
	return need;
}

/* Like code_point(), but a stray byte counts as one of its own. */
static size_t step(const char *s, size_t len)
{
	uint32_t point;
	size_t size = code_point(&point, s, len);

	return size ? size : 1;
}

static size_t columns_of(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; columns++)
		i += step(text + i, len - i);
	return columns;
}

size_t ao_text_columns(const char *text)
{
	return columns_of(text, strlen(text));
}

/* Wrap one line, which has a word in it. */
static void wrap_line(struct ao_buf *out, const char *line, size_t len,
		      const char *indent, size_t columns)
{
	size_t margin = ao_text_columns(indent);
	size_t used = 0;

	for (size_t i = 0; i < len;) {
		size_t word = 0;
		size_t width;

		while (i + word < len && line[i + word] != ' ' &&
		       line[i + word] != '\t')
			word++;
		if (!word) {
			i++;
			continue;
		}
		width = columns_of(line + i, word);
		if (used && used + 1 + width > columns) {
			ao_buf_addstr(out, "\n");
			used = 0;
		}
		ao_buf_addstr(out, used ? " " : indent);
		used = used ? used + 1 + width : margin + width;
		ao_buf_add(out, line + i, word);
		i += word;
	}
	ao_buf_addstr(out, "\n");
}

void ao_text_wrap(struct ao_buf *out, const char *text, const char *indent,
		  size_t columns)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (strspn(text, " \t") >= len)
			ao_buf_addstr(out, "\n");
		else
			wrap_line(out, text, len, indent, columns);
		text += len;
		if (*text)
			text++;
	}
}

void ao_text_cut(struct ao_buf *out, const char *text, size_t columns)
{
	size_t len = strcspn(text, "\n");
	size_t dots = columns < 3 ? columns : 3;
	size_t end = 0;

	if (columns_of(text, len) <= columns) {
		ao_buf_add(out, text, len);
		return;
	}
	for (size_t i = 0; i < columns - dots; i++)
		end += step(text + end, len - end);
	while (end && text[end - 1] == ' ')
		end--;
	ao_buf_add(out, text, end);
	ao_buf_add(out, "...", dots);
}

/* With the controls in `kept` as they are. */
static void add_safe(struct ao_buf *out, const char *text, size_t len,
		     const char *kept)
{
	for (size_t i = 0; i < len;) {
		uint32_t point = 0;
		size_t size = code_point(&point, text + i, len - i);
		bool is_control = point < 0x20 ||
				  (point >= 0x7f && point < 0xa0);
		bool is_kept = size == 1 && text[i] && strchr(kept, text[i]);

		if (size && (!is_control || is_kept)) {
			ao_buf_add(out, text + i, size);
			i += size;
			continue;
		}
		/* U+0080..U+009F are controls of two bytes: escape both. */
		for (size_t end = i + (size ? size : 1); i < end; i++)
			ao_buf_addf(out, "\\x%02x",
				    (unsigned)(unsigned char)text[i]);
	}
}

void ao_text_safe(struct ao_buf *out, const char *text, size_t len)
{
	add_safe(out, text, len, "\n\t");
}

void ao_text_safe_line(struct ao_buf *out, const char *text, size_t len)
{
	add_safe(out, text, len, "");
}

size_t ao_text_utf8_prefix(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		uint32_t point;
		size_t size;

		/* Nearly all text is ASCII, and all JSON comes by here. */
		while (i < len && text[i] && (unsigned char)text[i] < 0x80)
			i++;
		size = code_point(&point, text + i, len - i);
		if (!size || !point)
			break;
		i += size;
	}
	return i;
}

bool ao_text_is_utf8(const char *text, size_t len)
{
	return ao_text_utf8_prefix(text, len) == len;
}

bool ao_text_to_int(int64_t *out, const char *text, int64_t min, int64_t max)
{
	const char *digits = text + (*text == '-');
	long long number;
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || *end || number < min || number > max)
		return false;
	*out = number;
	return true;
}

bool ao_text_to_double(double *out, const char *text, double min, double max)
{
	double number;
	char *end;

	/* strtod() would take blanks, hexadecimal, "inf" and "nan", too. */
	if (!*text || text[strspn(text, "+-.0123456789eE")])
		return false;
	errno = 0;
	number = strtod(text, &end);
	if (end == text || *end || !isfinite(number) || number < min ||
	    number > max)
		return false;
	*out = number;
	return true;
}

bool ao_text_starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool ao_text_ends_with(const char *text, const char *suffix)
{
	size_t len = strlen(text);
	size_t suffix_len = strlen(suffix);

	return len >= suffix_len && !strcmp(text + len - suffix_len, suffix);
}

/* The longest word that a misspelling is looked up for. */
enum { MAX_WORD = 64 };

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * How many letters to insert, drop, replace or swap with their neighbour to
 * make `a` of `b`.  Both are at most MAX_WORD bytes.
 */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][MAX_WORD + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];
	size_t b_len = strlen(b);

	for (size_t j = 0; j <= b_len; j++)
		last[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *spare = before;

		now[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			now[j] = least_of(last[j], now[j - 1]) + 1;
			now[j] = least_of(now[j],
					  last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = least_of(now[j], before[j - 2] + 1);
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[b_len];
}

const char *ao_text_nearest(const char *word, const char *const *names,
			    size_t count)
{
	size_t len = strlen(word);
	/* A third of the letters: what is further is no misspelling. */
	size_t least = (len + 1) / 3 + 1;
	const char *nearest = NULL;

	if (!len || len > MAX_WORD)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t name_len = strlen(names[i]);
		size_t far;

		if (name_len > MAX_WORD)
			continue;
		far = distance(word, names[i]);
		if (far < least && far < name_len) {
			least = far;
			nearest = names[i];
		}
	}
	return nearest;
}
