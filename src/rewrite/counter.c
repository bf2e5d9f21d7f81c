/* SPDX-License-Identifier: MIT */
#include "util/base.h"

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

/* Empty if it is unknown. */
static struct ao_span type_of(const struct ao_unit *unit,
			      const struct ao_for *loop)
{
	struct ao_decl decl;

	if (loop->type.first == loop->type.end &&
	    ao_decl_find(&decl, &unit->tokens, loop->node, loop->var))
		return decl.type;
	return loop->type;
}

/* What a name stands for by a typedef of the source; empty if there is none. */
static struct ao_span find_typedef(const struct ao_tokens *tokens,
				   uint32_t name)
{
	for (uint32_t i = 0; i < tokens->code_count; i++) {
		uint32_t end = i + 1;

		if (!ao_token_is(tokens, i, "typedef"))
			continue;
		while (end < tokens->code_count &&
		       !ao_token_is(tokens, end, ";"))
			end++;
		if (end < tokens->code_count && end > i + 2 &&
		    ao_token_same(tokens, end - 1, name))
			return (struct ao_span){ i + 1, end - 1 };
	}
	return (struct ao_span){ 0 };
}

static bool is_narrow(const struct ao_tokens *tokens, struct ao_span type,
		      unsigned depth)
{
	static const char *const words[] = { "char",	"short",   "bool",
					     "_Bool",	"int8_t",  "uint8_t",
					     "int16_t", "uint16_t" };

	for (uint32_t i = type.first; i < type.end; i++) {
		struct ao_span meaning = find_typedef(tokens, i);

		for (size_t n = 0; n < AO_ARRAY_SIZE(words); n++) {
			if (ao_token_is(tokens, i, words[n]))
				return true;
		}
		if (depth && is_narrow(tokens, meaning, depth - 1))
			return true;
	}
	return false;
}

bool ao_counter_is_wide(const struct ao_unit *unit, const struct ao_for *loop)
{
	enum { MOST_TYPEDEFS = 4 };

	return !is_narrow(&unit->tokens, type_of(unit, loop), MOST_TYPEDEFS);
}

char *ao_counter_type(struct ao_unit *unit, const struct ao_for *loop)
{
	static const char int_type[] = "int";
	struct ao_span type = type_of(unit, loop);

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
