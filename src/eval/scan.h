/* SPDX-License-Identifier: MIT */
/*
 * scan.h - C source as tokens, as far as the gate has to understand it.
 *
 * Lines are spliced first and comments are tokens, as a compiler sees them:
 * "#\<newline>define", "# define", "%:define" and a directive behind a comment
 * are all found, and one inside a string or comment is not.
 */
#ifndef AO_EVAL_SCAN_H
#define AO_EVAL_SCAN_H

#include "util/base.h"

enum ao_scan_kind {
	AO_SCAN_END,
	AO_SCAN_NEWLINE,
	AO_SCAN_NAME,
	AO_SCAN_NUMBER,
	AO_SCAN_STRING, /* or a character constant, with its quotes */
	AO_SCAN_RAW,	/* the prefix of a raw string, which is not read */
	AO_SCAN_COMMENT,
	AO_SCAN_PUNCT, /* one character; a digraph for # is "#" */
};

struct ao_scan_token {
	enum ao_scan_kind kind;
	const char *ptr; /* borrowed from the scan; not terminated */
	size_t len;
	uint32_t line; /* where it begins, from 1 */
};

struct ao_scan {
	char *text; /* [len] with splices taken out */
	size_t len;
	size_t at;
	uint32_t newlines; /* passed so far */
	size_t *splices;   /* [splice_count] where in `text` one was */
	size_t splice_count;
	size_t splices_passed;
};

/* Begin to scan a copy of `source`. */
void ao_scan_init(struct ao_scan *scan, const char *source, size_t len);
void ao_scan_release(struct ao_scan *scan);

/* The next token; AO_SCAN_END at the end, again and again. */
struct ao_scan_token ao_scan_next(struct ao_scan *scan);

bool ao_scan_is(const struct ao_scan_token *token, const char *text);

#endif
