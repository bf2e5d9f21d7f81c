/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/unit.h"
#include "util/text.h"

/* What names that we generate begin with. */
static const char *const our_prefixes[] = { "TILE", "VEC", "STREAM", "KEPT" };

/* Where the last line of a token begins: behind its last newline; 0: none. */
static size_t last_line(const struct ao_tokens *tokens,
			const struct ao_token *token)
{
	const char *text = tokens->text + token->at;
	const char *newline = memrchr(text, '\n', token->len);

	return newline ? (size_t)(newline - tokens->text) + 1 : 0;
}

/* The width that the first indented line of code has, as one level. */
static const char *find_indent(struct ao_unit *unit)
{
	const struct ao_tokens *tokens = &unit->tokens;

	for (uint32_t i = 0; i + 1 < tokens->count; i++) {
		const struct ao_token *token = &tokens->v[i];
		size_t at = last_line(tokens, token);
		size_t len = token->at + token->len - at;

		if (token->kind != AO_TOKEN_SPACE || !at || !len ||
		    tokens->v[i + 1].kind == AO_TOKEN_COMMENT)
			continue;
		if (tokens->text[at] == '\t')
			break;
		if (len <= 8)
			return ao_pool_strndup(&unit->pool, tokens->text + at,
					       len);
	}
	return "\t";
}

/* Whether a counter is no pointer, float or element, as far as we know. */
static bool counts_integers(const struct ao_unit *unit,
			    const struct ao_for *loop)
{
	struct ao_decl decl;

	return !ao_decl_find(&decl, &unit->tokens,
			     loop->node->child ? loop->node->child : loop->node,
			     loop->var) ||
	       (!decl.pointers && !decl.dim_count &&
		decl.base != AO_TYPE_FLOAT && decl.base != AO_TYPE_DOUBLE);
}

static void collect_loops(struct ao_unit *unit)
{
	for (const struct ao_node *n = unit->file; n; n = ao_node_next(n)) {
		struct ao_for loop;

		if (unit->loop_count == AO_MAX_LOOPS)
			break;
		if (ao_for_read(&loop, &unit->tokens, n) &&
		    counts_integers(unit, &loop))
			unit->loops[unit->loop_count++] = loop;
	}
}

bool ao_unit_read(struct ao_unit *out, const char *text, size_t len,
		  const struct ao_rewrite_context *context)
{
	const char *newline;

	*out = (struct ao_unit){ .context = context };
	if (len > AO_MAX_UNIT_BYTES)
		return false;
	ao_tokens_read(&out->tokens, text, len);
	out->file = ao_syntax_parse(&out->pool, &out->tokens);
	newline = memchr(text, '\n', len);
	out->newline = newline && newline > text && newline[-1] == '\r' ? "\r\n"
									: "\n";
	out->indent = find_indent(out);
	collect_loops(out);
	return true;
}

void ao_unit_release(struct ao_unit *unit)
{
	ao_tokens_release(&unit->tokens);
	ao_pool_release(&unit->pool);
	*unit = (struct ao_unit){ 0 };
}

const struct ao_for *ao_unit_loop(const struct ao_unit *unit,
				  const struct ao_node *node)
{
	for (size_t i = 0; i < unit->loop_count; i++) {
		if (unit->loops[i].node == node)
			return &unit->loops[i];
	}
	return NULL;
}

int ao_unit_lanes(const struct ao_unit *unit)
{
	enum { LEAST_BYTES = 16 };
	uint32_t bytes = unit->context->vector_bytes;

	return (int)((bytes ? bytes : LEAST_BYTES) / sizeof(float));
}

uint32_t ao_unit_line(const struct ao_unit *unit, const struct ao_node *node)
{
	return ao_tokens_line(&unit->tokens,
			      ao_span_at(&unit->tokens, node->span));
}

size_t ao_unit_site(const struct ao_unit *unit, const struct ao_for *loop)
{
	return (size_t)(loop - unit->loops);
}

/* What says something about the loop behind it, which is as it was. */
static bool is_promise(const struct ao_tokens *tokens, uint32_t i)
{
	return ao_token_is(tokens, i, "VEC_LARGEST") ||
	       ao_token_is(tokens, i, "VEC_SMALLEST");
}

/* One of the prefixes, with a number before its _ or without: TILE2_ROWS. */
static bool is_our_word(const struct ao_tokens *tokens, uint32_t i)
{
	struct ao_token token = ao_token(tokens, i);
	const char *text = tokens->text + token.at;
	const char *end = text + token.len;

	if (token.kind != AO_TOKEN_WORD || is_promise(tokens, i))
		return false;
	for (size_t k = 0; k < AO_ARRAY_SIZE(our_prefixes); k++) {
		size_t len = strlen(our_prefixes[k]);
		const char *behind = text + len;

		if (token.len <= len || memcmp(text, our_prefixes[k], len) != 0)
			continue;
		while (behind < end && *behind >= '0' && *behind <= '9')
			behind++;
		if (behind < end && *behind == '_')
			return true;
	}
	return false;
}

bool ao_unit_is_ours(const struct ao_unit *unit, struct ao_span span)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		if (is_our_word(&unit->tokens, i))
			return true;
	}
	return false;
}

bool ao_unit_is_fallback(const struct ao_unit *unit, const struct ao_node *node)
{
	const struct ao_node *inner = node;

	for (node = node->parent; node; inner = node, node = node->parent) {
		if (node->kind == AO_NODE_CONTROL && node->child == inner &&
		    ao_token_is(&unit->tokens, node->span.first, "if") &&
		    ao_unit_is_ours(unit, node->head))
			return true;
	}
	return false;
}

bool ao_unit_is_rest(const struct ao_unit *unit, const struct ao_for *loop)
{
	const struct ao_node *function = ao_node_function(loop->node);
	const struct ao_tokens *tokens = &unit->tokens;
	uint32_t i = function ? function->span.first : loop->node->span.first;

	if (loop->start.end != loop->start.first + 1)
		return false;
	for (; i < loop->node->span.first; i++) {
		if (ao_token_is(tokens, i, "for") &&
		    ao_token_is(tokens, i + 2, ";") &&
		    ao_token_same(tokens, i + 3, loop->start.first))
			return true;
	}
	return false;
}

bool ao_unit_has_jump(const struct ao_unit *unit, struct ao_span span)
{
	static const char *const jumps[] = { "break", "continue", "goto",
					     "return" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(jumps); i++) {
		if (ao_span_has(&unit->tokens, span, jumps[i]))
			return true;
	}
	return false;
}

bool ao_unit_is_repeatable(const struct ao_unit *unit,
			   const struct ao_node *node)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *end = node;

	if (ao_span_has(tokens, node->span, "static") ||
	    ao_span_has(tokens, node->span, "asm") ||
	    ao_span_has(tokens, node->span, "__asm__") ||
	    ao_span_has(tokens, node->span, "__asm") ||
	    ao_unit_has_jump(unit, node->span))
		return false;
	while (end && !end->next)
		end = end->parent;
	end = end ? end->next : NULL;
	for (const struct ao_node *n = node; n && n != end;
	     n = ao_node_next(n)) {
		if (n->kind == AO_NODE_CONTROL &&
		    ao_token_is(tokens, n->span.first + 1, ":"))
			return false;
	}
	return true;
}

static bool is_pragma(const struct ao_tokens *tokens, struct ao_token token)
{
	const char *text = tokens->text + token.at + 1;
	size_t len = token.len - 1;

	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	return len >= 6 && !memcmp(text, "pragma", 6);
}

bool ao_unit_has_directive(const struct ao_unit *unit, struct ao_span span)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		struct ao_token token = ao_token(&unit->tokens, i);

		if (token.kind == AO_TOKEN_DIRECTIVE &&
		    !is_pragma(&unit->tokens, token))
			return true;
	}
	return false;
}

/* The number that "#define name 123" gives a name; 0 if there is none. */
static double macro_value(struct ao_unit *unit, uint32_t name)
{
	const struct ao_tokens *tokens = &unit->tokens;
	char *word = ao_unit_word(unit, name);

	for (uint32_t i = 0; i < tokens->code_count; i++) {
		struct ao_token token = ao_token(tokens, i);
		int64_t value;
		char *words[3];
		char *line, *rest;
		size_t count = 0;
		bool is_it;

		if (token.kind != AO_TOKEN_DIRECTIVE)
			continue;
		line = ao_xstrndup(tokens->text + token.at, token.len);
		for (char *w = strtok_r(line, "# \t\r", &rest); w && count < 3;
		     w = strtok_r(NULL, " \t\r", &rest))
			words[count++] = w;
		is_it = count == 3 && !strcmp(words[0], "define") &&
			!strcmp(words[1], word) &&
			ao_text_to_int(&value, words[2], 0, INT32_MAX);
		free(line);
		if (is_it)
			return (double)value;
	}
	return 0;
}

static double name_value(struct ao_unit *unit, uint32_t name)
{
	const struct ao_rewrite_context *context = unit->context;

	for (size_t i = 0; i < context->axis_count; i++) {
		if (ao_token_is(&unit->tokens, name, context->axis_names[i]))
			return (double)context->axis_values[i];
	}
	return macro_value(unit, name);
}

static double term_value(struct ao_unit *unit, const struct ao_term *term)
{
	const struct ao_tokens *tokens = &unit->tokens;
	double a, b;

	if (term->kind == AO_TERM_PAREN || term->kind == AO_TERM_CAST)
		return term_value(unit, term->arg);
	if (term->kind == AO_TERM_NAME)
		return name_value(unit, term->span.first);
	if (term->kind == AO_TERM_NUMBER)
		return strtod(ao_unit_word(unit, term->span.first), NULL);
	if (term->kind != AO_TERM_BINARY)
		return 0;
	a = term_value(unit, term->arg);
	b = term_value(unit, ao_term_second(term));
	if (a <= 0 || b <= 0)
		return 0;
	if (ao_term_has_op(term, tokens, "*"))
		return a * b;
	if (ao_term_has_op(term, tokens, "/"))
		return (double)(int64_t)(a / b);
	if (ao_term_has_op(term, tokens, "+"))
		return a + b;
	return ao_term_has_op(term, tokens, "-") && a > b ? a - b : 0;
}

double ao_unit_value(struct ao_unit *unit, struct ao_span span)
{
	const struct ao_term *term = ao_term_parse(&unit->pool, &unit->tokens,
						   span);

	return term ? term_value(unit, term) : 0;
}

char *ao_unit_text(struct ao_unit *unit, struct ao_span span)
{
	size_t at = ao_span_at(&unit->tokens, span);

	return ao_pool_strndup(&unit->pool, unit->tokens.text + at,
			       ao_span_at_end(&unit->tokens, span) - at);
}

char *ao_unit_operand(struct ao_unit *unit, struct ao_span span)
{
	char *text = ao_unit_text(unit, span), *whole, *copy;

	if (span.end - span.first == 1)
		return text;
	whole = ao_xstrf("(%s)", text);
	copy = ao_pool_strndup(&unit->pool, whole, strlen(whole));
	free(whole);
	return copy;
}

bool ao_unit_is_constant(const struct ao_unit *unit, const struct ao_node *node,
			 struct ao_span span)
{
	struct ao_decl decl;

	for (uint32_t i = span.first; i < span.end; i++) {
		if (ao_token_is_word(&unit->tokens, i) &&
		    ao_decl_find(&decl, &unit->tokens, node, i))
			return false;
	}
	return true;
}

bool ao_unit_is_fixed(const struct ao_unit *unit, const struct ao_node *node,
		      struct ao_span span, const struct ao_node *loop)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_decl decl;

	for (uint32_t i = span.first; i < span.end; i++) {
		if (!ao_token_is_word(tokens, i))
			continue;
		if (ao_decl_is_written(tokens, loop->span, i) ||
		    (ao_decl_find(&decl, tokens, node, i) && decl.node &&
		     ao_node_is_within(decl.node, loop)))
			return false;
	}
	return true;
}

char *ao_unit_word(struct ao_unit *unit, uint32_t i)
{
	return ao_pool_strndup(&unit->pool, ao_token_ptr(&unit->tokens, i),
			       ao_token(&unit->tokens, i).len);
}

char *ao_unit_indent_at(struct ao_unit *unit, size_t at)
{
	const char *text = unit->tokens.text;
	size_t start = at, end;

	while (start && text[start - 1] != '\n')
		start--;
	for (end = start; end < at && (text[end] == ' ' || text[end] == '\t');)
		end++;
	return ao_pool_strndup(&unit->pool, text + start, end - start);
}

static bool has_word(const char *text, size_t len, const char *word)
{
	struct ao_tokens tokens;
	struct ao_span all;
	bool found;

	/* A directive's # would hide its words. */
	while (len && (*text == '#' || *text == ' ')) {
		text++;
		len--;
	}
	ao_tokens_read(&tokens, text, len);
	all = (struct ao_span){ 0, tokens.code_count };
	found = ao_span_has(&tokens, all, word);
	ao_tokens_release(&tokens);
	return found;
}

static bool is_taken(const struct ao_unit *unit, struct ao_span span,
		     const char *name)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_rewrite_context *context = unit->context;

	for (size_t i = 0; i < context->axis_count; i++) {
		if (!strcmp(context->axis_names[i], name))
			return true;
	}
	for (uint32_t i = 0; i < tokens->code_count; i++) {
		struct ao_token token = ao_token(tokens, i);

		if (token.kind == AO_TOKEN_DIRECTIVE &&
		    has_word(tokens->text + token.at, token.len, name))
			return true;
	}
	return ao_span_has(tokens, span, name);
}

char *ao_unit_fresh_name(struct ao_unit *unit, struct ao_span span,
			 const char *wish)
{
	char *name = ao_pool_strndup(&unit->pool, wish, strlen(wish));

	for (unsigned i = 2; is_taken(unit, span, name); i++) {
		char *next = ao_xstrf("%s_%u", wish, i);

		name = ao_pool_strndup(&unit->pool, next, strlen(next));
		free(next);
	}
	return name;
}

bool ao_unit_starts_line(const struct ao_unit *unit, const struct ao_node *node)
{
	size_t at = ao_span_at(&unit->tokens, node->span);

	while (at && (unit->tokens.text[at - 1] == ' ' ||
		      unit->tokens.text[at - 1] == '\t'))
		at--;
	return !at || unit->tokens.text[at - 1] == '\n';
}
