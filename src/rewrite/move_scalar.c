/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/moves.h"
#include "rewrite/place.h"

/* An element that an innermost loop adds to again and again. */
struct site {
	const struct ao_for *loop;
	const struct ao_term *target;
	const struct ao_term *sum; /* target += ... */
	bool is_alone;		   /* nothing else keeps it from a clause */
};

/* Whether the loop names this array once only. */
static bool is_used_once(const struct ao_unit *unit, const struct ao_for *loop,
			 uint32_t array)
{
	struct ao_span body = { loop->node->head.end, loop->node->span.end };

	return ao_span_count(&unit->tokens, body, array) == 1;
}

/*
 * Whether an element may be none where the loop has no rounds: y[n - 1] of an
 * empty y.  What the head has to do with it is then known only in the loop.
 */
static bool may_be_missing(const struct ao_unit *unit,
			   const struct ao_for *loop,
			   const struct ao_term *element)
{
	const struct ao_tokens *tokens = &unit->tokens;
	bool has_offset = false, is_of_head = false;
	struct ao_decl decl;

	for (uint32_t i = element->span.first; i < element->span.end; i++) {
		has_offset |= ao_token(tokens, i).kind == AO_TOKEN_NUMBER ||
			      ao_token_is(tokens, i, "-");
		is_of_head |= ao_token_is_word(tokens, i) &&
			      ao_decl_is_used(tokens, loop->node->head, i) &&
			      ao_decl_find(&decl, tokens, loop->node, i);
	}
	return has_offset && is_of_head;
}

static bool read_site(struct site *out, struct ao_unit *unit,
		      const struct ao_for *loop)
{
	const struct ao_env env = { .tokens = &unit->tokens };
	struct ao_body body;
	struct ao_decl decl;
	uint32_t array;

	if (!loop || ao_node_annotated(loop->node) != loop->node ||
	    !ao_unit_starts_line(unit, loop->node) ||
	    !ao_body_read(&body, unit, loop) ||
	    ao_body_has_side_effect(&body, &unit->tokens))
		return false;
	for (size_t n = 0; n < body.count; n++) {
		const struct ao_statement *s = &body.v[n];

		if (s->is_declaration || s->condition ||
		    s->term->arg->kind != AO_TERM_INDEX ||
		    !ao_term_has_op(s->term, &unit->tokens, "+=") ||
		    !ao_access_is_fixed(&env, s->term->arg, loop->node->span,
					&loop->var, 1) ||
		    ao_access_stride(&env, s->term->arg, loop->var) !=
			    AO_STRIDE_NONE ||
		    !ao_access_root(&env, s->term->arg, &array) ||
		    may_be_missing(unit, loop, s->term->arg) ||
		    !is_used_once(unit, loop, array) ||
		    !ao_decl_find(&decl, &unit->tokens, loop->node, array) ||
		    decl.base != AO_TYPE_FLOAT)
			continue;
		*out = (struct site){ .loop = loop,
				      .target = s->term->arg,
				      .sum = s->term,
				      .is_alone = body.count == 1 &&
						  ao_for_suits_openmp(loop) };
		return true;
	}
	return false;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t i = 0; i < unit->loop_count; i++) {
		struct site site;
		char *params;

		if (!read_site(&site, unit, &unit->loops[i]))
			continue;
		params = ao_xstrf("site=%zu", i);
		ao_offer(offers, params, "reduction,memory", 0.6,
			 "add up in a register, not in memory",
			 "Each step of the loop loads and stores the same "
			 "element, and waits for the step before. In a "
			 "register, the sum may be one partial sum for each "
			 "vector lane.");
		free(params);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct site site;
	char *name, *target, *before, *behind;
	bool has_clause, has_place;

	if (!read_site(&site, unit, ao_move_loop(unit, params)))
		return false;
	name = ao_unit_fresh_name(unit, ao_node_function(site.loop->node)->span,
				  "total");
	target = ao_unit_text(unit, site.target->span);
	has_clause = site.is_alone &&
		     !ao_body_calls(tokens, site.loop->node->span,
				    "exp_inline");
	before = has_clause ? ao_xstrf("float %s = %s;%s%s"
				       "#pragma omp simd reduction(+ : %s)",
				       name, target, unit->newline,
				       unit->newline, name)
			    : ao_xstrf("float %s = %s;%s", name, target,
				       unit->newline);
	behind = ao_xstrf("%s = %s;", target, name);
	ao_edits_replace_span(edits, tokens, site.target->span, name);
	has_place = ao_place_around(edits, unit, site.loop, before, behind);
	free(before);
	free(behind);
	return has_place;
}

const struct ao_move ao_move_scalar = {
	.name = "scalar",
	.propose = propose,
	.apply = apply,
};
