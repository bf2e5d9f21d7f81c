/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/counter.h"
#include "rewrite/moves.h"
#include "rewrite/order.h"

/* Two loops, the inner one all that the outer one repeats. */
struct pair {
	const struct ao_for *outer;
	const struct ao_for *inner;
	struct ao_body body;
};

/* How many accesses of the body stride in this counter, less those in order. */
static int count_strides(struct ao_unit *unit, const struct ao_body *body,
			 uint32_t var)
{
	const struct ao_env env = { .tokens = &unit->tokens };
	int count = 0;

	for (size_t n = 0; n < body->count; n++) {
		const struct ao_statement *s = &body->v[n];
		const struct ao_term *root = s->is_declaration ? s->value
							       : s->term;

		for (const struct ao_term *t = root; t;
		     t = ao_term_next(t, root)) {
			enum ao_stride stride;

			/* a[i] within a[i][j] is no access. */
			if (t->kind != AO_TERM_INDEX ||
			    (t->parent && t->parent->kind == AO_TERM_INDEX &&
			     t->parent->arg == t))
				continue;
			stride = ao_access_stride(&env, t, var);
			count += stride == AO_STRIDE_MANY;
			count -= stride == AO_STRIDE_ONE;
		}
	}
	return count;
}

/* Whether one loop's head means the same in the other's place. */
static bool can_swap(const struct ao_unit *unit, const struct ao_for *outer,
		     const struct ao_for *inner)
{
	const struct ao_tokens *tokens = &unit->tokens;

	return ao_for_is_lone(outer) && ao_for_is_lone(inner) &&
	       ao_counter_is_private(unit, outer) &&
	       ao_counter_is_private(unit, inner) &&
	       !ao_span_same(tokens, outer->node->head, inner->node->head) &&
	       !ao_decl_is_used(tokens, inner->node->head, outer->var) &&
	       !ao_decl_is_used(tokens, outer->node->head, inner->var);
}

static bool read_pair(struct pair *out, struct ao_unit *unit,
		      const struct ao_for *outer)
{
	const struct ao_node *body = outer ? ao_node_body(outer->node) : NULL;
	const struct ao_env env = { .tokens = &unit->tokens };

	if (!body || body->next)
		return false;
	out->outer = outer;
	out->inner = ao_unit_loop(unit, body);
	return out->inner && can_swap(unit, outer, out->inner) &&
	       !ao_unit_has_jump(unit, outer->node->span) &&
	       ao_body_read(&out->body, unit, out->inner) &&
	       ao_body_is_fixed(&out->body, &env, outer->node->span,
				(uint32_t[]){ outer->var, out->inner->var },
				2) &&
	       ao_order_is_free_within(unit, &env, outer->node,
				       ao_for_body(out->inner));
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct pair pair;
		char *params;

		if (!read_pair(&pair, unit, &unit->loops[site]) ||
		    count_strides(unit, &pair.body, pair.inner->var) <=
			    count_strides(unit, &pair.body, pair.outer->var))
			continue;
		params = ao_xstrf("site=%zu", site);
		ao_offer(offers, params, "strided", 2.0,
			 "let the inner loop run along memory",
			 "The inner of the loops at line %" PRIu32
			 " strides through memory, a cache line for each "
			 "element. In the other order neighbours are used one "
			 "after the other, and the loop can be vectorised.",
			 ao_unit_line(unit, pair.outer->node));
		free(params);
	}
}

static void replace_head(struct ao_edits *edits, struct ao_unit *unit,
			 const struct ao_for *loop, const struct ao_for *by)
{
	const struct ao_tokens *tokens = &unit->tokens;

	ao_edits_replace_span(edits, tokens, loop->node->head,
			      ao_unit_text(unit, by->node->head));
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct pair pair;

	if (!read_pair(&pair, unit, ao_move_loop(unit, params)))
		return false;
	replace_head(edits, unit, pair.outer, pair.inner);
	replace_head(edits, unit, pair.inner, pair.outer);
	return true;
}

const struct ao_move ao_move_interchange = {
	.name = "interchange",
	.propose = propose,
	.apply = apply,
};
