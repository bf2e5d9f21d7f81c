/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/local.h"
#include "rewrite/order.h"

static bool has(struct ao_span span, uint32_t i)
{
	return i >= span.first && i < span.end;
}

/* Whether token `i` is about a counter that others may have as their own. */
static bool is_private_counter(const struct ao_unit *unit, uint32_t i)
{
	for (size_t n = 0; n < unit->loop_count; n++) {
		const struct ao_for *loop = &unit->loops[n];

		if (has(loop->node->span, i) &&
		    ao_token_same(&unit->tokens, loop->var, i))
			return ao_counter_is_private(unit, loop);
	}
	return false;
}

/* Whether a statement declares the name at `i`, just there. */
static bool declares(const struct ao_tokens *tokens,
		     const struct ao_node *statement, uint32_t i)
{
	struct ao_decl decls[16];
	size_t count = ao_decl_read(decls, AO_ARRAY_SIZE(decls), tokens,
				    statement->span);

	for (size_t n = 0; n < count; n++) {
		if (decls[n].name == i)
			return true;
	}
	return false;
}

/* Whether what token `i` of a part sets is the part's own. */
static bool is_own(const struct ao_unit *unit, const struct ao_env *env,
		   const struct ao_node *node, struct ao_span part, uint32_t i)
{
	struct ao_decl decl;

	for (size_t n = 0; env && n < env->count; n++) {
		if (env->bindings[n].name == i)
			return true;
	}

	node = ao_node_at(node, i);
	return (ao_decl_find(&decl, &unit->tokens, node, i) &&
		has(part, decl.name)) ||
	       declares(&unit->tokens, node, i) || is_private_counter(unit, i);
}

static bool is_used_elsewhere(const struct ao_unit *unit,
			      const struct ao_span *parts, size_t count,
			      size_t own, uint32_t i)
{
	for (size_t n = 0; n < count; n++) {
		if (n != own && ao_decl_is_used(&unit->tokens, parts[n], i))
			return true;
	}
	return false;
}

/* Whether a name is that of a float or double. */
static bool is_number(const struct ao_unit *unit, const struct ao_node *node,
		      uint32_t i)
{
	struct ao_decl decl;

	return ao_decl_find(&decl, &unit->tokens, ao_node_at(node, i), i) &&
	       (decl.base == AO_TYPE_FLOAT || decl.base == AO_TYPE_DOUBLE) &&
	       !decl.pointers && !decl.dim_count;
}

/* Whether all that a part does with a name is "name += value;". */
static bool is_sum(const struct ao_unit *unit, const struct ao_node *node,
		   struct ao_span part, uint32_t name)
{
	const struct ao_tokens *tokens = &unit->tokens;

	for (uint32_t i = part.first; i < part.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, name) &&
		    (ao_node_at(node, i)->span.first != i ||
		     !(ao_token_is(tokens, i + 1, "+=") ||
		       ao_token_is(tokens, i + 1, "-="))))
			return false;
	}
	return true;
}

/* Whether a number that the part sets goes from no round to the next. */
static bool is_fresh(const struct ao_unit *unit, const struct ao_node *node,
		     struct ao_span part, uint32_t i)
{
	return is_number(unit, node, i) &&
	       (is_sum(unit, node, part, i) ||
		ao_local_is_set_first(&unit->tokens, node, part, i));
}

bool ao_order_is_free_within(const struct ao_unit *unit,
			     const struct ao_env *env,
			     const struct ao_node *node, struct ao_span part)
{
	if (part.end - part.first > AO_MAX_PART_TOKENS)
		return false;
	for (uint32_t i = part.first; i < part.end; i++) {
		if (ao_token_is_word(&unit->tokens, i) &&
		    ao_decl_is_set_at(&unit->tokens, part, i) &&
		    !is_own(unit, env, node, part, i) &&
		    !is_fresh(unit, node, part, i))
			return false;
	}
	return true;
}

bool ao_order_is_free(const struct ao_unit *unit, const struct ao_env *env,
		      const struct ao_node *node, const struct ao_span *parts,
		      size_t count)
{
	for (size_t n = 0; n < count; n++) {
		if (parts[n].end - parts[n].first > AO_MAX_PART_TOKENS)
			return false;
	}
	for (size_t n = 0; n < count; n++) {
		for (uint32_t i = parts[n].first; i < parts[n].end; i++) {
			if (ao_token_is_word(&unit->tokens, i) &&
			    ao_decl_is_set_at(&unit->tokens, parts[n], i) &&
			    is_used_elsewhere(unit, parts, count, n, i) &&
			    !is_own(unit, env, node, parts[n], i))
				return false;
		}
	}
	return true;
}
