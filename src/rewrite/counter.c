/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/counter.h"

char *ao_counter_bare_type(struct ao_unit *unit, struct ao_span type)
{
	struct ao_buf out = AO_BUF_INIT(256);
	char *text;

	for (uint32_t i = type.first; i < type.end; i++) {
		if (ao_token_is(&unit->tokens, i, "const") ||
		    ao_token_is(&unit->tokens, i, "static") ||
		    ao_token_is(&unit->tokens, i, "register"))
			continue;
		ao_buf_addf(&out, "%s%s", out.len ? " " : "",
			    ao_unit_word(unit, i));
	}
	text = ao_pool_strndup(&unit->pool, out.len ? out.ptr : "", out.len);
	ao_buf_release(&out);
	return text;
}

char *ao_counter_type(struct ao_unit *unit, const struct ao_for *loop)
{
	static const char int_type[] = "int";
	struct ao_span type = loop->type;
	struct ao_decl decl;

	if (type.first == type.end &&
	    ao_decl_find(&decl, &unit->tokens, loop->node, loop->var))
		type = decl.type;
	if (type.first == type.end)
		return ao_pool_strndup(&unit->pool, int_type,
				       sizeof(int_type) - 1);
	return ao_counter_bare_type(unit, type);
}

/* Whether token `i` is in a loop that gives this name a value of its own. */
static bool is_counting(const struct ao_unit *unit, uint32_t name, uint32_t i)
{
	for (size_t n = 0; n < unit->loop_count; n++) {
		const struct ao_for *loop = &unit->loops[n];

		if (ao_for_is_lone(loop) && i >= loop->node->span.first &&
		    i < loop->node->span.end &&
		    (i < loop->start.first || i >= loop->start.end) &&
		    ao_token_same(&unit->tokens, loop->var, name))
			return true;
	}
	return false;
}

bool ao_counter_is_private(const struct ao_unit *unit,
			   const struct ao_for *loop)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *function = ao_node_function(loop->node);
	struct ao_decl decl;

	if (loop->type.first < loop->type.end)
		return true;
	if (!function || !ao_decl_find(&decl, tokens, loop->node, loop->var) ||
	    !ao_node_is_within(decl.node, function) ||
	    ao_span_has(tokens, decl.type, "static") ||
	    ao_span_has(tokens, decl.type, "extern"))
		return false;
	for (uint32_t i = function->span.first; i < function->span.end; i++) {
		if (i != decl.name && ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, loop->var) &&
		    !is_counting(unit, loop->var, i))
			return false;
	}
	return true;
}
