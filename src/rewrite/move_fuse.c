/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/draft.h"
#include "rewrite/move_tile.h"
#include "rewrite/moves.h"
#include "rewrite/order.h"
#include "rewrite/shared.h"
#include "rewrite/twice.h"

enum { MAX_LEVELS = 8 };

/*
 * Two loops, one behind the other, that become one; each may consist of
 * another such loop, and the innermost pair is where their bodies are joined.
 */
struct seam {
	const struct ao_for *first;
	const struct ao_for *second;
	uint32_t counters[MAX_LEVELS]; /* [levels] outermost first */
	size_t levels;
	const struct ao_for *inner_first;
	const struct ao_for *inner_second;
};

static bool has_braces(const struct ao_for *loop)
{
	return loop->node->child && loop->node->child->kind == AO_NODE_BLOCK;
}

static bool pairs(const struct ao_unit *unit, const struct ao_for *a,
		  const struct ao_for *b)
{
	return ao_for_is_lone(a) && ao_for_is_lone(b) &&
	       ao_for_same_range(a, b, &unit->tokens) &&
	       ao_token_same(&unit->tokens, a->var, b->var) &&
	       has_braces(a) == has_braces(b);
}

/* The one loop that another consists of, or NULL. */
static const struct ao_for *only_loop(const struct ao_unit *unit,
				      const struct ao_for *loop)
{
	const struct ao_node *body = ao_node_body(loop->node);

	return body && !body->next ? ao_unit_loop(unit, body) : NULL;
}

static bool find_seam(struct seam *out, const struct ao_unit *unit,
		      const struct ao_for *first)
{
	const struct ao_for *a = first, *b;

	b = first->node->next ? ao_unit_loop(unit, first->node->next) : NULL;
	*out = (struct seam){ .first = first, .second = b };
	if (b && (ao_unit_has_jump(unit, first->node->span) ||
		  ao_unit_has_jump(unit, b->node->span)))
		return false;
	while (a && b && out->levels < MAX_LEVELS && pairs(unit, a, b)) {
		out->inner_first = a;
		out->inner_second = b;
		out->counters[out->levels++] = a->var;
		a = only_loop(unit, a);
		b = only_loop(unit, b);
	}
	return out->levels && has_braces(out->inner_first) &&
	       !ao_unit_is_fallback(unit, first->node) &&
	       !ao_unit_is_ours(unit, first->node->span) &&
	       !ao_unit_is_ours(unit, out->second->node->span);
}

/* Whether the second body may follow the first at once. */
static bool hands_nothing_on(struct ao_unit *unit, const struct seam *seam)
{
	const struct ao_span bodies[] = { ao_for_body(seam->inner_first),
					  ao_for_body(seam->inner_second) };
	const struct ao_parts parts = { .node = seam->first->node,
					.v = bodies,
					.count = 2,
					.counters = seam->counters,
					.counter_count = seam->levels };

	return !ao_body_calls_unknown(&unit->tokens, bodies[0]) &&
	       !ao_body_calls_unknown(&unit->tokens, bodies[1]) &&
	       ao_order_is_free(unit, NULL, seam->first->node->parent, bodies,
				2) &&
	       ao_shared_is_by_round(unit, &parts);
}

/* Whether both bodies declare the same name. */
static bool names_clash(const struct ao_unit *unit, const struct seam *seam)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *a = ao_node_body(seam->inner_first->node);

	for (; a; a = a->next) {
		struct ao_decl decls[16];
		size_t count = ao_decl_read(decls, AO_ARRAY_SIZE(decls), tokens,
					    a->span);

		for (size_t n = 0; n < count; n++) {
			const struct ao_node *b = ao_node_body(
				seam->inner_second->node);
			struct ao_decl other;

			for (; b && b->next; b = b->next)
				;
			if (b &&
			    ao_decl_find(&other, tokens, b, decls[n].name) &&
			    other.node &&
			    ao_node_is_within(other.node,
					      seam->inner_second->node))
				return true;
		}
	}
	return false;
}

static bool can_fuse(struct seam *out, struct ao_unit *unit,
		     const struct ao_for *first)
{
	return first && find_seam(out, unit, first) &&
	       hands_nothing_on(unit, out) && !names_clash(unit, out);
}

/* Where the blanks before byte `at` begin. */
static size_t before_blanks(const char *text, size_t at)
{
	while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return at;
}

/*
 * Take out all from the } of the first innermost loop to the { of the second;
 * the braces that are left pair up.  Comments in between stay.
 */
static void join(struct ao_edits *edits, struct ao_unit *unit,
		 const struct seam *seam)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *a = seam->inner_first->node->child;
	const struct ao_node *b = seam->inner_second->node->child;
	size_t at = ao_span_at_end(tokens, a->span) - 1;
	size_t end = ao_span_at(tokens, b->span) + 1;
	struct ao_draft draft;

	ao_draft_init(&draft, unit, at);
	ao_draft_indent(&draft);
	ao_draft_blank(&draft);
	ao_draft_comments(&draft, at, end);
	ao_edits_replace(edits, before_blanks(tokens->text, at), end,
			 draft.text.ptr);
	ao_draft_release(&draft);
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct seam seam;
		char *params;

		if (!can_fuse(&seam, unit, &unit->loops[site]))
			continue;
		params = ao_xstrf("site=%zu", site);
		ao_offer(offers, params, "adjacent", 0.05,
			 "do two nests over the same range in one",
			 "The nests at lines %" PRIu32 " and %" PRIu32
			 " run over the same range. In one nest, what the "
			 "first makes is still in cache when the second reads "
			 "it.",
			 ao_unit_line(unit, seam.first->node),
			 ao_unit_line(unit, seam.second->node));
		free(params);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct seam seam;

	if (!can_fuse(&seam, unit, ao_move_loop(unit, params)))
		return false;
	join(edits, unit, &seam);
	return true;
}

const struct ao_move ao_move_fuse = {
	.name = "fuse",
	.propose = propose,
	.apply = apply,
};

/* The product in the nest that `site` has become. */
static bool find_product(struct ao_product *out, struct ao_unit *fused,
			 size_t site, size_t levels)
{
	size_t inner = site + levels - 1;

	return inner < fused->loop_count &&
	       ao_product_find(out, fused, &fused->loops[inner]) &&
	       (out->has_before || out->has_after);
}

/* Whether a loop has two more in it, one within the other. */
static bool has_nest(const struct ao_for *loop)
{
	uint32_t end = loop->node->span.end, inner_end = 0;
	const struct ao_node *n = ao_node_next(loop->node);

	for (; n && n->span.first < end; n = ao_node_next(n)) {
		if (n->kind != AO_NODE_FOR)
			continue;
		if (n->span.first < inner_end)
			return true;
		inner_end = n->span.end;
	}
	return false;
}

static void propose_tile(struct ao_offers *offers, struct ao_unit *unit)
{
	size_t tries = 0;

	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_edits joined = { 0 };
		struct ao_twice fused = { 0 };
		struct ao_product product = { 0 };
		struct seam seam;

		if (!can_fuse(&seam, unit, &unit->loops[site]) ||
		    (!has_nest(seam.inner_first) &&
		     !has_nest(seam.inner_second)) ||
		    tries++ >= AO_MAX_TWICE)
			continue;
		join(&joined, unit, &seam);
		if (ao_twice_read(&fused, unit, &joined) &&
		    find_product(&product, &fused.unit, site, seam.levels))
			ao_move_tile_offer_after(offers, &fused.unit, &product,
						 "fuse", site);
		ao_twice_release(&fused);
	}
}

static bool apply_tile(struct ao_edits *edits, struct ao_unit *unit,
		       const char *params)
{
	struct ao_edits joined = { 0 };
	struct seam seam;
	int first;

	if (!ao_params_int(params, "fuse", &first, 0,
			   (int)unit->loop_count - 1) ||
	    !can_fuse(&seam, unit, &unit->loops[first]))
		return false;
	join(&joined, unit, &seam);
	return ao_twice_tile(edits, unit, &joined, params);
}

const struct ao_move ao_move_fuse_tile = {
	.name = "fuse_tile",
	.propose = propose_tile,
	.apply = apply_tile,
};
