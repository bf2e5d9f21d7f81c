/* SPDX-License-Identifier: MIT */
/*
 * token.h - C source as tokens, without loss.
 *
 * Tokens lie edge to edge: printed one after another they are the text again,
 * whatever the text is.  What C does not know is a token of one byte.
 */
#ifndef AO_REWRITE_TOKEN_H
#define AO_REWRITE_TOKEN_H

#include "util/base.h"

enum ao_token_kind {
	AO_TOKEN_SPACE, /* blanks, line ends, line splices */
	AO_TOKEN_COMMENT,
	AO_TOKEN_DIRECTIVE, /* from # to the end of its last line */
	AO_TOKEN_WORD,	    /* name or keyword; bytes over 127 are letters */
	AO_TOKEN_NUMBER,
	AO_TOKEN_STRING, /* or character constant, with its quotes */
	AO_TOKEN_PUNCT,	 /* an operator, or any other byte */
};

struct ao_token {
	uint32_t at; /* byte offset */
	uint32_t len;
	uint32_t match; /* code index of the bracket's other half, or itself */
	enum ao_token_kind kind;
};

/* From one code token to another: [first, end), as indices into `code`. */
struct ao_span {
	uint32_t first;
	uint32_t end;
};

/*
 * The tokens of a text.  Whoever parses looks at code tokens alone, which are
 * all but space and comments; an index means one of these unless it says
 * otherwise.  All zero is empty.
 */
struct ao_tokens {
	const char *text; /* borrowed from the caller of ao_tokens_read() */
	size_t len;
	struct ao_token *v; /* [count] all of them */
	uint32_t count;
	uint32_t *code; /* [code_count] indices into v */
	uint32_t code_count;
};

/* The most that is read; who rewrites takes less, see rewrite/unit.h. */
enum { AO_MAX_SOURCE_BYTES = 64 << 20 };

/* `len` is at most AO_MAX_SOURCE_BYTES. */
void ao_tokens_read(struct ao_tokens *out, const char *text, size_t len);
void ao_tokens_release(struct ao_tokens *tokens);

/* The code token `i`; behind the last one, an empty one at the text's end. */
struct ao_token ao_token(const struct ao_tokens *tokens, uint32_t i);

/* Where its bytes are.  Borrowed from the text, not terminated. */
const char *ao_token_ptr(const struct ao_tokens *tokens, uint32_t i);

/* Whether code token `i` is exactly `text`. */
bool ao_token_is(const struct ao_tokens *tokens, uint32_t i, const char *text);

/* Whether code token `i` is a word, in the sense of AO_TOKEN_WORD. */
bool ao_token_is_word(const struct ao_tokens *tokens, uint32_t i);

/* Whether code tokens `a` and `b` have the same text. */
bool ao_token_same(const struct ao_tokens *tokens, uint32_t a, uint32_t b);

/*
 * The code index behind the closing half of the bracket that opens at `i`;
 * `end` if it has none before that.
 */
uint32_t ao_token_skip(const struct ao_tokens *tokens, uint32_t i,
		       uint32_t end);

/* Where in the text a span begins and ends; comments around it not counted. */
size_t ao_span_at(const struct ao_tokens *tokens, struct ao_span span);
size_t ao_span_at_end(const struct ao_tokens *tokens, struct ao_span span);

/* Whether the code tokens of both spans are the same, one by one. */
bool ao_span_same(const struct ao_tokens *tokens, struct ao_span a,
		  struct ao_span b);

/* Whether some token in the span is this word. */
bool ao_span_has(const struct ao_tokens *tokens, struct ao_span span,
		 const char *word);

/* How often the word at code token `name` stands in the span. */
size_t ao_span_count(const struct ao_tokens *tokens, struct ao_span span,
		     uint32_t name);

/* The line, from 1, of a byte of the text. */
uint32_t ao_tokens_line(const struct ao_tokens *tokens, size_t at);

/* Where the line of a byte ends: behind its newline. */
size_t ao_tokens_behind_line(const struct ao_tokens *tokens, size_t at);

#endif
