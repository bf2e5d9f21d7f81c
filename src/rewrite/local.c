/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/local.h"

enum { MAX_USES = 64 };

/* Whether a statement is "name = value;". */
static bool is_setting(const struct ao_tokens *tokens,
		       const struct ao_node *statement)
{
	struct ao_span span = statement->span;

	return statement->kind == AO_NODE_SIMPLE &&
	       span.end - span.first >= 4 &&
	       ao_token_is_word(tokens, span.first) &&
	       ao_token_is(tokens, span.first + 1, "=") &&
	       ao_token_is(tokens, span.end - 1, ";");
}

/* Whether a statement of `part` that gives `name` a value is before `node`,
 * always. */
static bool is_set_before(const struct ao_tokens *tokens, struct ao_span part,
			  const struct ao_node *node, uint32_t name)
{
	for (; node->kind != AO_NODE_FUNCTION; node = node->parent) {
		const struct ao_node *s = node->parent->child;

		if (node->parent->kind != AO_NODE_BLOCK)
			continue;
		for (; s != node; s = s->next) {
			if (s->span.first >= part.first &&
			    is_setting(tokens, s) &&
			    ao_token_same(tokens, s->span.first, name))
				return true;
		}
	}
	return false;
}

/* Whether the use of a name at `i` is such a statement, or behind one. */
static bool is_safe_use(const struct ao_tokens *tokens,
			const struct ao_node *around, struct ao_span part,
			uint32_t i)
{
	const struct ao_node *node = ao_node_at(around, i);

	if (ao_token_is(tokens, i - 1, "&"))
		return false;
	return (is_setting(tokens, node) && node->span.first == i) ||
	       is_set_before(tokens, part, node, i);
}

/* Whether `node` is done each time that the part is, but for empty loops. */
static bool is_always_done(const struct ao_node *node, struct ao_span part)
{
	for (; node && node->span.first >= part.first &&
	       node->span.end <= part.end;
	     node = node->parent) {
		if (node->kind == AO_NODE_CONTROL)
			return false;
	}
	return true;
}

bool ao_local_is_set_first(const struct ao_tokens *tokens,
			   const struct ao_node *around, struct ao_span part,
			   uint32_t name)
{
	bool is_set = false;

	for (uint32_t i = part.first; i < part.end; i++) {
		if (!ao_token_is_word(tokens, i) ||
		    !ao_token_same(tokens, i, name))
			continue;
		if (!is_safe_use(tokens, around, part, i))
			return false;
		is_set |= is_always_done(ao_node_at(around, i), part);
	}
	return is_set;
}

static bool is_local(const struct ao_tokens *tokens,
		     const struct ao_node *function, const struct ao_decl *decl)
{
	size_t uses = 0;

	if (!ao_node_is_within(decl->node, function) ||
	    ao_span_has(tokens, decl->type, "static") ||
	    ao_span_has(tokens, decl->type, "extern") ||
	    ao_span_has(tokens, function->span, "goto") ||
	    ao_span_has(tokens, function->span, "switch"))
		return false;
	for (uint32_t i = function->span.first; i < function->span.end; i++) {
		if (i == decl->name || !ao_token_is_word(tokens, i) ||
		    !ao_token_same(tokens, i, decl->name))
			continue;
		if (++uses > MAX_USES ||
		    !is_safe_use(tokens, function, function->span, i))
			return false;
	}
	return true;
}

bool ao_local_read(struct ao_decl *out, const struct ao_unit *unit,
		   const struct ao_node *statement)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *function = ao_node_function(statement);
	struct ao_span span = statement->span;
	struct ao_decl decl;

	if (statement->kind != AO_NODE_SIMPLE || !function)
		return false;
	if (ao_decl_read(out, 1, tokens, span) == 1)
		return true;
	if (!is_setting(tokens, statement) ||
	    !ao_decl_find(&decl, tokens, statement, span.first) ||
	    decl.dim_count || !is_local(tokens, function, &decl))
		return false;
	decl.name = span.first;
	decl.init = (struct ao_span){ span.first + 2, span.end - 1 };
	decl.node = statement;
	*out = decl;
	return true;
}
