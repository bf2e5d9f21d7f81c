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
 * Behind the next ; that is in no bracket, or `end`.  With `body_out`, also at
 * a { behind ), if nothing was assigned: that is a macro which looks like a
 * loop, or a function where we did not expect one.
 */
static uint32_t skip_simple(const struct parser *p, uint32_t i, uint32_t end,
			    bool *body_out)
{
	uint32_t first = i;
	bool is_assignment = false;

	while (i < end && ao_token(p->tokens, i).kind != AO_TOKEN_DIRECTIVE) {
		if (ao_token_is(p->tokens, i, ";"))
			return i + 1;
		if (body_out && i > first && !is_assignment &&
		    ao_token_is(p->tokens, i, "{") &&
		    ao_token_is(p->tokens, i - 1, ")")) {
			*body_out = true;
			return i;
		}
		is_assignment |= ao_token_is(p->tokens, i, "=");
		i = ao_token(p->tokens, i).match > i
			    ? ao_token_skip(p->tokens, i, end)
			    : i + 1;
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
		i = skip_simple(p, i, end, NULL);
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

	if (behind_label == i && ao_token_is(p->tokens, i, "{"))
		return parse_block(p, list, i, end);
	if (behind_label == i && is_control(p, i))
		return parse_control(p, list, i, end);
	node = add(p, list, AO_NODE_SIMPLE, i);
	children = list_of(node);
	if (behind_label > i) {
		node->kind = AO_NODE_CONTROL;
		i = parse_statement(p, &children, behind_label, end);
	} else {
		bool has_body = false;

		i = skip_simple(p, i, end, &has_body);
		if (has_body) {
			node->kind = AO_NODE_CONTROL;
			i = parse_block(p, &children, i, end);
		}
	}
	node->span.end = i;
	return i;
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

/* What may be seen of a function before its {. */
struct signature {
	bool is_there; /* name and head are the node's */
	bool is_none;  /* it is something else */
};

/* The first "name (...)" of a declaration that is no attribute. */
static void read_signature(struct signature *s, const struct ao_tokens *tokens,
			   struct ao_node *node, uint32_t i)
{
	uint32_t match = ao_token(tokens, i + 1).match;

	s->is_none |= ao_token_is(tokens, i, "=") ||
		      ao_token_is(tokens, i, "typedef");
	if (s->is_there || !ao_token_is(tokens, i + 1, "(") || match <= i + 1 ||
	    !ao_token_is_word(tokens, i) ||
	    ao_token_is(tokens, i, "__attribute__"))
		return;
	s->is_there = true;
	node->name = i;
	node->head = (struct ao_span){ i + 2, match };
}

/* Whether a { here is a function's: the signature was read, or lies before. */
static bool begins_body(const struct signature *s,
			const struct ao_tokens *tokens, struct ao_node *node,
			uint32_t i)
{
	if (!ao_token_is(tokens, i, "{") || s->is_none)
		return false;
	if (s->is_there)
		return true;
	/*
	 * Behind an #if that chooses among signatures, or behind K&R's list of
	 * declarations.
	 */
	if (i > node->span.first)
		return false;
	node->name = i;
	node->head = (struct ao_span){ i, i };
	return true;
}

/* extern "C" {: what is in it is at file level, too. */
static bool is_linkage(const struct ao_tokens *tokens, uint32_t i)
{
	return ao_token_is(tokens, i, "extern") &&
	       ao_token(tokens, i + 1).kind == AO_TOKEN_STRING &&
	       ao_token_is(tokens, i + 2, "{");
}

/* One thing at file level; returns the index behind it. */
static uint32_t skip_external(struct parser *p, struct ao_node *node)
{
	const struct ao_tokens *tokens = p->tokens;
	uint32_t end = tokens->code_count, i = node->span.first;
	struct signature signature = { 0 };
	struct list children = list_of(node);

	if (ao_token(tokens, i).kind == AO_TOKEN_DIRECTIVE) {
		node->kind = AO_NODE_DIRECTIVE;
		return i + 1;
	}
	if (is_linkage(tokens, i))
		return i + 3;
	while (i < end && ao_token(tokens, i).kind != AO_TOKEN_DIRECTIVE) {
		if (begins_body(&signature, tokens, node, i)) {
			node->kind = AO_NODE_FUNCTION;
			return parse_block(p, &children, i, end);
		}
		read_signature(&signature, tokens, node, i);
		if (ao_token_is(tokens, i, ";") || ao_token_is(tokens, i, "}"))
			return i + 1;
		i = ao_token(tokens, i).match > i
			    ? ao_token_skip(tokens, i, end)
			    : i + 1;
	}
	return i;
}

static uint32_t parse_external(struct parser *p, struct list *list, uint32_t i)
{
	struct ao_node *node = add(p, list, AO_NODE_OTHER, i);

	node->span.end = skip_external(p, node);
	return node->span.end;
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

const struct ao_node *ao_node_at(const struct ao_node *node, uint32_t i)
{
	const struct ao_node *inner = node->child;

	while (inner) {
		if (i >= inner->span.first && i < inner->span.end) {
			node = inner;
			inner = inner->child;
		} else {
			inner = inner->next;
		}
	}
	return node;
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

const struct ao_node *ao_node_outermost(const struct ao_node *node)
{
	const struct ao_node *outermost = NULL;

	for (; node && node->kind != AO_NODE_FUNCTION; node = node->parent) {
		if (node->kind == AO_NODE_FOR)
			outermost = node;
	}
	return outermost;
}

const struct ao_node *ao_node_function(const struct ao_node *node)
{
	while (node && node->kind != AO_NODE_FUNCTION)
		node = node->parent;
	return node;
}

const struct ao_node *ao_node_annotated(const struct ao_node *loop)
{
	const struct ao_node *before = ao_node_previous(loop);

	return before && before->kind == AO_NODE_DIRECTIVE ? before : loop;
}
