/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>

#include "rewrite/token.h"

/* Conditionals in each other that are told apart. */
enum { MAX_NESTED_IFS = 32 };

/* A text being cut into tokens. */
struct reader {
	const char *text;
	size_t len;
	size_t at;
	bool at_line_start; /* nothing but space and comments before, in line */
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char peek(const struct reader *r, size_t ahead)
{
	return r->len - r->at > ahead ? r->text[r->at + ahead] : '\0';
}

/* The bytes of a backslash and line end here; 0 if there is none. */
static size_t splice_len(const struct reader *r)
{
	if (peek(r, 0) != '\\')
		return 0;
	if (peek(r, 1) == '\n')
		return 2;
	return peek(r, 1) == '\r' && peek(r, 2) == '\n' ? 3 : 0;
}

static bool at_comment(const struct reader *r)
{
	return peek(r, 0) == '/' && (peek(r, 1) == '/' || peek(r, 1) == '*');
}

/* To the next line end, which stays, passing splices. */
static void skip_line(struct reader *r)
{
	while (r->at < r->len && r->text[r->at] != '\n') {
		size_t splice = splice_len(r);

		r->at += splice ? splice : 1;
	}
}

static void skip_comment(struct reader *r)
{
	const char *end;

	if (peek(r, 1) == '/') {
		skip_line(r);
		return;
	}
	r->at += 2;
	end = memmem(r->text + r->at, r->len - r->at, "*/", 2);
	r->at = end ? (size_t)(end - r->text) + 2 : r->len;
}

static void skip_space(struct reader *r)
{
	for (;;) {
		size_t splice = splice_len(r);

		if (splice)
			r->at += splice;
		else if (r->at < r->len && is_space(r->text[r->at]))
			r->at_line_start |= r->text[r->at++] == '\n';
		else
			return;
	}
}

/* A string ends at its quote, or, unterminated, at the end of the line. */
static void skip_string(struct reader *r)
{
	char quote = r->text[r->at++];

	while (r->at < r->len && r->text[r->at] != '\n') {
		size_t splice = splice_len(r);
		char c = r->text[r->at];

		if (splice)
			r->at += splice;
		else
			r->at += c == '\\' && peek(r, 1) && peek(r, 1) != '\n'
					 ? 2
					 : 1;
		if (c == quote)
			return;
	}
}

/* Comments within a directive may hide its line end. */
static void skip_directive(struct reader *r)
{
	while (r->at < r->len && r->text[r->at] != '\n') {
		size_t splice = splice_len(r);
		char c = r->text[r->at];

		if (splice)
			r->at += splice;
		else if (at_comment(r))
			skip_comment(r);
		else if (c == '"' || c == '\'')
			skip_string(r);
		else
			r->at++;
	}
}

/* As the standard has it: 0x1p-3, 1e+5 and 1.f are one number each. */
static void skip_number(struct reader *r)
{
	for (r->at++; r->at < r->len; r->at++) {
		char c = r->text[r->at];
		char before = r->text[r->at - 1];
		bool after_exponent = before == 'e' || before == 'E' ||
				      before == 'p' || before == 'P';

		if ((c == '+' || c == '-') && after_exponent)
			continue;
		if (!is_letter(c) && !is_digit(c) && c != '.')
			return;
	}
}

static void skip_punct(struct reader *r)
{
	static const char *const longest_first[] = {
		"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
		"<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
		"%=",  "+=",  "-=",  "&=", "^=", "|=", "##",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(longest_first); i++) {
		size_t len = strlen(longest_first[i]);

		if (r->len - r->at >= len &&
		    !memcmp(r->text + r->at, longest_first[i], len)) {
			r->at += len;
			return;
		}
	}
	r->at++;
}

static enum ao_token_kind skip_token(struct reader *r)
{
	char c = r->text[r->at];
	bool at_line_start = r->at_line_start;

	if (is_space(c) || splice_len(r)) {
		skip_space(r);
		return AO_TOKEN_SPACE;
	}
	if (at_comment(r)) {
		skip_comment(r);
		return AO_TOKEN_COMMENT;
	}
	r->at_line_start = false;
	if (c == '#' && at_line_start) {
		skip_directive(r);
		return AO_TOKEN_DIRECTIVE;
	}
	if (is_letter(c)) {
		while (r->at < r->len &&
		       (is_letter(r->text[r->at]) || is_digit(r->text[r->at])))
			r->at++;
		return AO_TOKEN_WORD;
	}
	if (is_digit(c) || (c == '.' && is_digit(peek(r, 1)))) {
		skip_number(r);
		return AO_TOKEN_NUMBER;
	}
	if (c == '"' || c == '\'') {
		skip_string(r);
		return AO_TOKEN_STRING;
	}
	skip_punct(r);
	return AO_TOKEN_PUNCT;
}

static char bracket_of(const struct ao_tokens *tokens, uint32_t i)
{
	const struct ao_token *token = &tokens->v[tokens->code[i]];

	if (token->kind != AO_TOKEN_PUNCT || token->len != 1)
		return '\0';
	return tokens->text[token->at];
}

static char opening_of(char closing)
{
	return closing == ')'	? '('
	       : closing == ']' ? '['
	       : closing == '}' ? '{'
				: '\0';
}

/* An #if that is open. */
struct conditional {
	size_t base;	/* brackets open before it */
	size_t floor;	/* those which were open before what is around it */
	size_t pending; /* brackets before these were left to others to close */
};

/* Brackets being paired. */
struct matcher {
	struct ao_tokens *tokens;
	uint32_t *open; /* [depth] */
	size_t depth;
	size_t floor;	   /* what is below was open before this #if */
	uint32_t *pending; /* [pending_count] that close what is below */
	size_t pending_count;
	struct conditional ifs[MAX_NESTED_IFS]; /* [if_count], what fits */
	size_t if_count;
};

/*
 * A brace outranks what is open inside it: one that closes leaves that without
 * a partner, and ) or ] never closes it.
 */
static void close_bracket(struct matcher *m, uint32_t i)
{
	struct ao_tokens *tokens = m->tokens;
	char wanted = opening_of(bracket_of(tokens, i));

	while (m->depth > m->floor) {
		char top = bracket_of(tokens, m->open[m->depth - 1]);

		if (top == '{' && wanted != '{')
			return;
		m->depth--;
		if (top == wanted) {
			tokens->v[tokens->code[m->open[m->depth]]].match = i;
			tokens->v[tokens->code[i]].match = m->open[m->depth];
			return;
		}
	}
	if (m->if_count)
		m->pending[m->pending_count++] = i;
}

static void begin_if(struct matcher *m)
{
	if (m->if_count++ >= MAX_NESTED_IFS)
		return;
	m->ifs[m->if_count - 1] = (struct conditional){ m->depth, m->floor,
							m->pending_count };
	m->floor = m->depth;
}

/* Of all branches, the last one opens and closes for what is behind. */
static void begin_else(struct matcher *m)
{
	if (!m->if_count || m->if_count > MAX_NESTED_IFS)
		return;
	m->depth = m->ifs[m->if_count - 1].base;
	m->pending_count = m->ifs[m->if_count - 1].pending;
}

/* Close what the branch closed, under what it left open. */
static void end_if(struct matcher *m)
{
	size_t opened, count = m->pending_count;
	uint32_t *top;

	if (!m->if_count || m->if_count-- > MAX_NESTED_IFS)
		return;
	m->floor = m->ifs[m->if_count].floor;
	m->pending_count = m->ifs[m->if_count].pending;
	if (count == m->pending_count)
		return;
	top = m->open + m->ifs[m->if_count].base;
	opened = m->depth - m->ifs[m->if_count].base;
	m->depth = m->ifs[m->if_count].base;
	for (size_t n = m->pending_count; n < count; n++)
		close_bracket(m, m->pending[n]);
	memmove(m->open + m->depth, top, opened * sizeof(*top));
	m->depth += opened;
}

/* Whether a directive is #word. */
static bool directive_begins(const struct ao_tokens *tokens, uint32_t i,
			     const char *word)
{
	struct ao_token token = ao_token(tokens, i);
	size_t len = strlen(word), at = 1;

	while (at < token.len && (tokens->text[token.at + at] == ' ' ||
				  tokens->text[token.at + at] == '\t'))
		at++;
	return token.len - at >= len &&
	       !memcmp(tokens->text + token.at + at, word, len);
}

static void match_directive(struct matcher *m, uint32_t i)
{
	if (directive_begins(m->tokens, i, "if"))
		begin_if(m);
	else if (directive_begins(m->tokens, i, "el"))
		begin_else(m);
	else if (directive_begins(m->tokens, i, "endif"))
		end_if(m);
}

/*
 * Pair the brackets, so that an #if with several branches that open a block
 * each leaves one block open.
 */
static void match_brackets(struct ao_tokens *tokens)
{
	size_t size = tokens->code_count * sizeof(uint32_t);
	struct matcher m = { .tokens = tokens,
			     .open = ao_xmalloc(size),
			     .pending = ao_xmalloc(size) };

	for (uint32_t i = 0; i < tokens->code_count; i++) {
		char c = bracket_of(tokens, i);

		tokens->v[tokens->code[i]].match = i;
		if (c == '(' || c == '[' || c == '{')
			m.open[m.depth++] = i;
		else if (opening_of(c))
			close_bracket(&m, i);
		else if (ao_token(tokens, i).kind == AO_TOKEN_DIRECTIVE)
			match_directive(&m, i);
	}
	free(m.open);
	free(m.pending);
}

void ao_tokens_read(struct ao_tokens *out, const char *text, size_t len)
{
	struct ao_tokens tokens = { .text = text, .len = len };
	struct reader r = { .text = text, .len = len, .at_line_start = true };
	size_t alloc = 0;

	assert(len <= AO_MAX_SOURCE_BYTES);
	while (r.at < len) {
		struct ao_token token = { .at = (uint32_t)r.at };

		token.kind = skip_token(&r);
		token.len = (uint32_t)r.at - token.at;
		tokens.v = ao_grow(tokens.v, &alloc, tokens.count + (size_t)1,
				   sizeof(*tokens.v));
		tokens.v[tokens.count++] = token;
	}
	tokens.code = ao_xmalloc(tokens.count * sizeof(*tokens.code));
	for (uint32_t i = 0; i < tokens.count; i++) {
		if (tokens.v[i].kind != AO_TOKEN_SPACE &&
		    tokens.v[i].kind != AO_TOKEN_COMMENT)
			tokens.code[tokens.code_count++] = i;
	}
	match_brackets(&tokens);
	*out = tokens;
}

void ao_tokens_release(struct ao_tokens *tokens)
{
	free(tokens->v);
	free(tokens->code);
	*tokens = (struct ao_tokens){ 0 };
}

struct ao_token ao_token(const struct ao_tokens *tokens, uint32_t i)
{
	if (i < tokens->code_count)
		return tokens->v[tokens->code[i]];
	return (struct ao_token){ .at = (uint32_t)tokens->len,
				  .match = i,
				  .kind = AO_TOKEN_SPACE };
}

const char *ao_token_ptr(const struct ao_tokens *tokens, uint32_t i)
{
	return tokens->text + ao_token(tokens, i).at;
}

bool ao_token_is(const struct ao_tokens *tokens, uint32_t i, const char *text)
{
	struct ao_token token = ao_token(tokens, i);
	size_t len = strlen(text);

	return token.len == len && !memcmp(tokens->text + token.at, text, len);
}

bool ao_token_is_word(const struct ao_tokens *tokens, uint32_t i)
{
	return ao_token(tokens, i).kind == AO_TOKEN_WORD;
}

bool ao_token_same(const struct ao_tokens *tokens, uint32_t a, uint32_t b)
{
	struct ao_token ta = ao_token(tokens, a), tb = ao_token(tokens, b);

	return ta.len == tb.len &&
	       !memcmp(tokens->text + ta.at, tokens->text + tb.at, ta.len);
}

uint32_t ao_token_skip(const struct ao_tokens *tokens, uint32_t i, uint32_t end)
{
	uint32_t match = ao_token(tokens, i).match;

	return match > i && match < end ? match + 1 : end;
}

size_t ao_span_at(const struct ao_tokens *tokens, struct ao_span span)
{
	return ao_token(tokens, span.first).at;
}

size_t ao_span_at_end(const struct ao_tokens *tokens, struct ao_span span)
{
	struct ao_token last;

	if (span.first >= span.end)
		return ao_span_at(tokens, span);
	last = ao_token(tokens, span.end - 1);
	return (size_t)last.at + last.len;
}

bool ao_span_same(const struct ao_tokens *tokens, struct ao_span a,
		  struct ao_span b)
{
	if (a.end - a.first != b.end - b.first)
		return false;
	for (uint32_t i = 0; a.first + i < a.end; i++) {
		if (!ao_token_same(tokens, a.first + i, b.first + i))
			return false;
	}
	return true;
}

bool ao_span_has(const struct ao_tokens *tokens, struct ao_span span,
		 const char *word)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		if (ao_token_is_word(tokens, i) && ao_token_is(tokens, i, word))
			return true;
	}
	return false;
}

size_t ao_span_count(const struct ao_tokens *tokens, struct ao_span span,
		     uint32_t name)
{
	size_t count = 0;

	for (uint32_t i = span.first; i < span.end; i++)
		count += ao_token_is_word(tokens, i) &&
			 ao_token_same(tokens, i, name);
	return count;
}

uint32_t ao_tokens_line(const struct ao_tokens *tokens, size_t at)
{
	uint32_t line = 1;

	for (size_t i = 0; i < at && i < tokens->len; i++)
		line += tokens->text[i] == '\n';
	return line;
}

size_t ao_tokens_behind_line(const struct ao_tokens *tokens, size_t at)
{
	const char *newline = memchr(tokens->text + at, '\n', tokens->len - at);

	return newline ? (size_t)(newline - tokens->text) + 1 : tokens->len;
}
