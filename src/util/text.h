/* SPDX-License-Identifier: MIT */
/* text.h - text for people: wrap, cut, quote, escape.  UTF-8 throughout. */
#ifndef AO_UTIL_TEXT_H
#define AO_UTIL_TEXT_H

#include "util/buf.h"

/*
 * Append `text` wrapped at blanks to at most `columns`, each line behind
 * `indent`; blank lines stay blank.  Ends with a newline unless empty.
 */
void ao_text_wrap(struct ao_buf *out, const char *text, const char *indent,
		  size_t columns);

/* Append at most `columns` columns of the first line of `text`; "..." if cut.
 */
void ao_text_cut(struct ao_buf *out, const char *text, size_t columns);

/* How many columns `text` takes on a terminal (one per code point). */
size_t ao_text_columns(const char *text);

/*
 * Append `text` so that no terminal acts on it: control characters other than
 * newline and tab, and bytes that are not UTF-8, become \xNN.
 */
void ao_text_safe(struct ao_buf *out, const char *text, size_t len);

/* The same, all in one line: newline and tab, too, become \xNN. */
void ao_text_safe_line(struct ao_buf *out, const char *text, size_t len);

/* Whether all of it is valid UTF-8 without NUL. */
bool ao_text_is_utf8(const char *text, size_t len);

/* How many bytes from its start are that. */
size_t ao_text_utf8_prefix(const char *text, size_t len);

/*
 * A whole decimal number, nothing before or behind it.  Returns false if it is
 * not one, or not within min..max.
 */
bool ao_text_to_int(int64_t *out, const char *text, int64_t min, int64_t max);
bool ao_text_to_double(double *out, const char *text, double min, double max);

bool ao_text_starts_with(const char *text, const char *prefix);
bool ao_text_ends_with(const char *text, const char *suffix);

/*
 * The name of `names` that `word` most probably meant, or NULL if none is
 * near; for "did you mean".  Borrowed from `names`.
 */
const char *ao_text_nearest(const char *word, const char *const *names,
			    size_t count);

#endif
