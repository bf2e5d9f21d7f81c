/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/draft.h"
#include "rewrite/move_fuse.h"
#include "rewrite/move_tile.h"
#include "util/limits.h"

enum { MAX_ARRAYS = 32 };

/*
 * Two loops, one behind the other, that become one; each may consist of
 * another such loop, and the innermost pair is where their bodies are joined.
 */
struct seam {
	const struct ao_for *first;
	const struct ao_for *second;
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
	return ao_for_same_range(a, b, &unit->tokens) &&
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
	while (a && b && pairs(unit, a, b)) {
		out->inner_first = a;
		out->inner_second = b;
		out->levels++;
		a = only_loop(unit, a);
		b = only_loop(unit, b);
	}
	return out->levels && has_braces(out->inner_first) &&
	       !ao_unit_is_fallback(unit, first->node) &&
	       !ao_unit_is_ours(unit, first->node->span) &&
	       !ao_unit_is_ours(unit, out->second->node->span);
}

/*
 * Whether an array's elements are all chosen by the counter itself, so that
 * one pass of the loop has nothing to do with another.
 */
static bool is_private_at(const struct ao_tokens *tokens, struct ao_span span,
			  uint32_t array, uint32_t var)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		bool has_var = false;
		uint32_t at = i + 1;

		if (!ao_token_is_word(tokens, i) ||
		    !ao_token_same(tokens, i, array))
			continue;
		while (ao_token_is(tokens, at, "[")) {
			uint32_t behind = ao_token_skip(tokens, at, span.end);

			has_var |= behind == at + 3 &&
				   ao_token_same(tokens, at + 1, var);
			at = behind;
		}
		if (!has_var)
			return false;
	}
	return true;
}

/* Whether the second body may follow the first at once, by its arrays. */
static bool is_independent(const struct ao_unit *unit, const struct seam *seam)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_span a = seam->inner_first->node->span;
	struct ao_span b = seam->inner_second->node->span;

	for (uint32_t i = a.first; i < b.end; i++) {
		struct ao_decl decl;

		if (!ao_token_is_word(tokens, i) ||
		    !ao_token_is(tokens, i + 1, "[") ||
		    !ao_decl_is_used(tokens, a, i) ||
		    !ao_decl_is_used(tokens, b, i))
			continue;
		if (!ao_decl_is_written(tokens, a, i) &&
		    !ao_decl_is_written(tokens, b, i))
			continue;
		/* What each declares for itself only has the same name. */
		if (ao_decl_find(&decl, tokens, seam->first->node, i) &&
		    (!is_private_at(tokens, a, i, seam->inner_first->var) ||
		     !is_private_at(tokens, b, i, seam->inner_first->var)))
			return false;
	}
	return true;
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

static bool can_fuse(struct seam *out, const struct ao_unit *unit,
		     const struct ao_for *first)
{
	return first && find_seam(out, unit, first) &&
	       is_independent(unit, out) && !names_clash(unit, out);
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
		char *params, *text;

		if (!can_fuse(&seam, unit, &unit->loops[site]))
			continue;
		params = ao_xstrf("site=%zu", site);
		text = ao_xstrf(
			"The nests at lines %" PRIu32 " and %" PRIu32
			" run over the same range. In one nest, what the first "
			"makes is still in cache when the second reads it.",
			ao_tokens_line(&unit->tokens,
				       ao_span_at(&unit->tokens,
						  seam.first->node->span)),
			ao_tokens_line(&unit->tokens,
				       ao_span_at(&unit->tokens,
						  seam.second->node->span)));
		ao_offer(offers, params, "adjacent", 0.05,
			 "do two nests over the same range in one", text);
		free(params);
		free(text);
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

/* The unit with a seam joined; `text` is what it borrows, to be released. */
static bool read_fused(struct ao_unit *out, struct ao_buf *text,
		       struct ao_unit *unit, const struct seam *seam)
{
	struct ao_edits edits = { 0 };
	bool is_read;

	*text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	join(&edits, unit, seam);
	is_read = ao_edits_apply(text, &edits, unit->tokens.text,
				 unit->tokens.len) &&
		  ao_unit_read(out, text->ptr, text->len, unit->context);
	ao_edits_release(&edits);
	return is_read;
}

/* The product in the nest that `site` has become. */
static bool find_product(struct ao_product *out, struct ao_unit *fused,
			 size_t site, size_t levels)
{
	size_t inner = site + levels - 1;

	return inner < fused->loop_count &&
	       ao_product_find(out, fused, &fused->loops[inner]) &&
	       (out->has_before || out->has_after);
}

static void propose_tile(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_unit fused = { 0 };
		struct ao_buf text = AO_BUF_INIT(0);
		struct ao_product product = { 0 };
		struct seam seam;

		if (can_fuse(&seam, unit, &unit->loops[site]) &&
		    read_fused(&fused, &text, unit, &seam) &&
		    find_product(&product, &fused, site, seam.levels))
			ao_move_tile_offer_fused(offers, &fused, &product,
						 site);
		ao_unit_release(&fused);
		ao_buf_release(&text);
	}
}

/* The whole text is replaced: the second step has no place in the first. */
static bool apply_tile(struct ao_edits *edits, struct ao_unit *unit,
		       const char *params)
{
	struct ao_edits inner = { 0 };
	struct ao_unit fused = { 0 };
	struct ao_buf text = AO_BUF_INIT(0);
	struct ao_buf result = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct seam seam;
	int first;
	bool applies;

	applies = ao_params_int(params, "fuse", &first, 0,
				(int)unit->loop_count - 1) &&
		  can_fuse(&seam, unit, &unit->loops[first]) &&
		  read_fused(&fused, &text, unit, &seam) &&
		  ao_move_tile_apply(&inner, &fused,
				     ao_move_loop(&fused, params), params) &&
		  ao_edits_apply(&result, &inner, text.ptr, text.len);
	if (applies)
		ao_edits_replace(edits, 0, unit->tokens.len, result.ptr);
	ao_edits_release(&inner);
	ao_unit_release(&fused);
	ao_buf_release(&text);
	ao_buf_release(&result);
	return applies;
}

const struct ao_move ao_move_fuse_tile = {
	.name = "fuse_tile",
	.propose = propose_tile,
	.apply = apply_tile,
};
