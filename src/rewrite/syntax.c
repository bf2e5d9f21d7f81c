/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/syntax.h"

struct parser {
	struct ao_pool *pool;
	const struct ao_tokens *tokens;
	unsigned depth;
};

/* Where children are appended. */
struct list {
	struct ao_node *parent;
	struct ao_node **tail;
};

static struct list list_of(struct ao_node *parent)
{
	return (struct list){ parent, &parent->child };
}

static struct ao_node *add(struct parser *p, struct list *list,
			   enum ao_node_kind kind, uint32_t first)
{
	struct ao_node *node = ao_pool_alloc(p->pool, sizeof(*node));

	node->kind = kind;
	node->span = (struct ao_span){ first, first };
	node->parent = list->parent;
	*list->tail = node;
	list->tail = &node->next;
	return node;
}

/*
 * Behind the next ; that is in no bracket, or `end`.  A block behind ) ends it
 * too, if nothing was assigned: that is a macro which looks like a loop.
 */
static uint32_t skip_simple(const struct parser *p, uint32_t i, uint32_t end)
{
	uint32_t first = i;
	bool is_assignment = false;

	while (i < end && ao_token(p->tokens, i).kind != AO_TOKEN_DIRECTIVE) {
		bool is_brace = ao_token_is(p->tokens, i, "{");
		bool is_body = is_brace && i > first && !is_assignment &&
			       ao_token_is(p->tokens, i - 1, ")");

		if (ao_token_is(p->tokens, i, ";"))
			return i + 1;
		is_assignment |= ao_token_is(p->tokens, i, "=");
		i = ao_token(p->tokens, i).match > i
			    ? ao_token_skip(p->tokens, i, end)
			    : i + 1;
		if (is_body)
			return i;
	}
	return i;
}

static uint32_t parse_statement(struct parser *p, struct list *list, uint32_t i,
				uint32_t end);

static uint32_t parse_block(struct parser *p, struct list *list, uint32_t i,
			    uint32_t end)
{
	struct ao_node *node = add(p, list, AO_NODE_BLOCK, i);
	uint32_t behind = ao_token_skip(p->tokens, i, end);
	bool is_closed = ao_token(p->tokens, i).match == behind - 1;
	uint32_t last = is_closed ? behind - 1 : behind;
	struct list children = list_of(node);

	for (i++; i < last;)
		i = parse_statement(p, &children, i, last);
	node->span.end = behind;
	return behind;
}

/* "( ... )" at `i` as the node's head; returns the index behind it. */
static uint32_t parse_head(const struct parser *p, struct ao_node *node,
			   uint32_t i, uint32_t end)
{
	uint32_t match = ao_token(p->tokens, i).match;

	if (i >= end || !ao_token_is(p->tokens, i, "("))
		return i;
	if (match > i && match < end)
		node->head = (struct ao_span){ i + 1, match };
	return ao_token_skip(p->tokens, i, end);
}

static uint32_t parse_if(struct parser *p, struct ao_node *node, uint32_t i,
			 uint32_t end)
{
	struct list children = list_of(node);

	i = parse_head(p, node, i + 1, end);
	i = parse_statement(p, &children, i, end);
	if (i < end && ao_token_is(p->tokens, i, "else"))
		i = parse_statement(p, &children, i + 1, end);
	return i;
}

static uint32_t parse_do(struct parser *p, struct ao_node *node, uint32_t i,
			 uint32_t end)
{
	struct list children = list_of(node);

	i = parse_statement(p, &children, i + 1, end);
	if (i < end && ao_token_is(p->tokens, i, "while"))
		i = skip_simple(p, i, end);
	return i;
}

static uint32_t parse_headed(struct parser *p, struct ao_node *node, uint32_t i,
			     uint32_t end)
{
	struct list children = list_of(node);

	i = parse_head(p, node, i + 1, end);
	return parse_statement(p, &children, i, end);
}

static uint32_t parse_control(struct parser *p, struct list *list, uint32_t i,
			      uint32_t end)
{
	bool is_for = ao_token_is(p->tokens, i, "for");
	struct ao_node *node = add(p, list,
				   is_for ? AO_NODE_FOR : AO_NODE_CONTROL, i);

	if (ao_token_is(p->tokens, i, "if"))
		i = parse_if(p, node, i, end);
	else if (ao_token_is(p->tokens, i, "do"))
		i = parse_do(p, node, i, end);
	else
		i = parse_headed(p, node, i, end);
	node->span.end = i;
	return i;
}

static bool is_control(const struct parser *p, uint32_t i)
{
	static const char *const keywords[] = { "for", "if", "while", "do",
						"switch" };

	for (size_t k = 0; k < AO_ARRAY_SIZE(keywords); k++) {
		if (ao_token_is(p->tokens, i, keywords[k]))
			return true;
	}
	return false;
}

/* "name:", "default:" or "case 1:"; returns the index behind it, or `i`. */
static uint32_t skip_label(const struct parser *p, uint32_t i, uint32_t end)
{
	if (ao_token_is(p->tokens, i, "case")) {
		while (i < end && !ao_token_is(p->tokens, i, ":") &&
		       !ao_token_is(p->tokens, i, ";"))
			i++;
		return i < end ? i + 1 : end;
	}
	if (i + 1 < end && ao_token_is_word(p->tokens, i) &&
	    ao_token_is(p->tokens, i + 1, ":"))
		return i + 2;
	return i;
}

static uint32_t parse_deep(struct parser *p, struct list *list, uint32_t i,
			   uint32_t end)
{
	uint32_t behind_label = skip_label(p, i, end);
	struct ao_node *node;
	struct list children;

	if (behind_label > i) {
		node = add(p, list, AO_NODE_CONTROL, i);
		children = list_of(node);
		node->span.end = parse_statement(p, &children, behind_label,
						 end);
		return node->span.end;
	}
	if (ao_token_is(p->tokens, i, "{"))
		return parse_block(p, list, i, end);
	if (is_control(p, i))
		return parse_control(p, list, i, end);
	node = add(p, list, AO_NODE_SIMPLE, i);
	node->span.end = skip_simple(p, i, end);
	return node->span.end;
}

/*
 * What may stand before a loop and belongs to it: a pragma, or a macro that
 * stands for one, "UNROLL for (...)".  Returns the index behind it, or `i`.
 */
static uint32_t skip_annotation(const struct parser *p, uint32_t i,
				uint32_t end)
{
	uint32_t behind = i + 1;

	if (ao_token(p->tokens, i).kind == AO_TOKEN_DIRECTIVE)
		return behind;
	if (!ao_token_is_word(p->tokens, i) || is_control(p, i) ||
	    ao_token_is(p->tokens, i, "else"))
		return i;
	if (behind < end && ao_token_is(p->tokens, behind, "("))
		behind = ao_token_skip(p->tokens, behind, end);
	return behind < end && is_control(p, behind) ? behind : i;
}

/* One statement from `i`; returns the index behind it, > i unless i >= end. */
static uint32_t parse_statement(struct parser *p, struct list *list, uint32_t i,
				uint32_t end)
{
	while (i < end) {
		uint32_t behind = skip_annotation(p, i, end);

		if (behind == i)
			break;
		add(p, list, AO_NODE_DIRECTIVE, i)->span.end = behind;
		i = behind;
	}
	if (i >= end)
		return end;
	if (p->depth == AO_MAX_SYNTAX_DEPTH) {
		add(p, list, AO_NODE_SIMPLE, i)->span.end = end;
		return end;
	}
	p->depth++;
	i = parse_deep(p, list, i, end);
	p->depth--;
	return i;
}

/*
 * Find the parameters of what begins at `i` and ends at a {: the first
 * "name (...)" that is no attribute.  Returns false if it is no function.
 */
static bool read_signature(const struct ao_tokens *tokens, struct ao_node *node,
			   uint32_t i, uint32_t brace)
{
	for (; i + 1 < brace; i++) {
		if (ao_token_is(tokens, i, "=") ||
		    ao_token_is(tokens, i, "typedef"))
			return false;
		if (!ao_token_is(tokens, i + 1, "("))
			continue;
		if (ao_token_is_word(tokens, i) &&
		    !ao_token_is(tokens, i, "__attribute__")) {
			uint32_t match = ao_token(tokens, i + 1).match;

			node->name = i;
			node->head = (struct ao_span){ i + 2, match };
			return match > i + 1 && match < brace;
		}
		i = ao_token_skip(tokens, i + 1, brace) - 1;
	}
	return false;
}

/* One thing at file level. */
static uint32_t parse_external(struct parser *p, struct list *list, uint32_t i)
{
	const struct ao_tokens *tokens = p->tokens;
	uint32_t end = tokens->code_count;
	struct ao_node *node = add(p, list, AO_NODE_OTHER, i);
	struct list children = list_of(node);

	if (ao_token(tokens, i).kind == AO_TOKEN_DIRECTIVE) {
		node->kind = AO_NODE_DIRECTIVE;
		node->span.end = i + 1;
		return i + 1;
	}
	while (i < end && ao_token(tokens, i).kind != AO_TOKEN_DIRECTIVE) {
		bool is_last = ao_token_is(tokens, i, ";");

		if (ao_token_is(tokens, i, "{") &&
		    read_signature(tokens, node, node->span.first, i)) {
			node->kind = AO_NODE_FUNCTION;
			i = parse_block(p, &children, i, end);
			break;
		}
		i = ao_token(tokens, i).match > i
			    ? ao_token_skip(tokens, i, end)
			    : i + 1;
		if (is_last)
			break;
	}
	node->span.end = i;
	return i;
}

struct ao_node *ao_syntax_parse(struct ao_pool *pool,
				const struct ao_tokens *tokens)
{
	struct parser p = { .pool = pool, .tokens = tokens };
	struct ao_node *file = ao_pool_alloc(pool, sizeof(*file));
	struct list children = list_of(file);
	uint32_t i = 0;

	file->kind = AO_NODE_FILE;
	file->span = (struct ao_span){ 0, tokens->code_count };
	while (i < tokens->code_count)
		i = parse_external(&p, &children, i);
	return file;
}

/* Append the bytes between two offsets. */
static void print_gap(struct ao_buf *out, const struct ao_tokens *tokens,
		      size_t from, size_t to)
{
	ao_buf_add(out, tokens->text + from, to - from);
}

static void print_node(struct ao_buf *out, const struct ao_tokens *tokens,
		       const struct ao_node *node)
{
	size_t at = ao_span_at(tokens, node->span);

	for (const struct ao_node *c = node->child; c; c = c->next) {
		print_gap(out, tokens, at, ao_span_at(tokens, c->span));
		print_node(out, tokens, c);
		at = ao_span_at_end(tokens, c->span);
	}
	print_gap(out, tokens, at, ao_span_at_end(tokens, node->span));
}

void ao_syntax_print(struct ao_buf *out, const struct ao_tokens *tokens,
		     const struct ao_node *file)
{
	print_gap(out, tokens, 0, ao_span_at(tokens, file->span));
	print_node(out, tokens, file);
	print_gap(out, tokens, ao_span_at_end(tokens, file->span), tokens->len);
}

const struct ao_node *ao_node_next(const struct ao_node *node)
{
	if (node->child)
		return node->child;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

const struct ao_node *ao_node_body(const struct ao_node *node)
{
	const struct ao_node *body = node->child;

	return body && body->kind == AO_NODE_BLOCK ? body->child : body;
}

const struct ao_node *ao_node_previous(const struct ao_node *node)
{
	const struct ao_node *previous = NULL;

	if (!node->parent)
		return NULL;
	for (const struct ao_node *c = node->parent->child; c != node;
	     c = c->next)
		previous = c;
	return previous;
}

bool ao_node_is_within(const struct ao_node *inner, const struct ao_node *outer)
{
	while (inner && inner != outer)
		inner = inner->parent;
	return inner != NULL;
}
