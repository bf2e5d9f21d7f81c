/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/counter.h"
#include "rewrite/draft.h"
#include "rewrite/moves.h"
#include "rewrite/order.h"
#include "rewrite/place.h"
#include "rewrite/say.h"

enum { MAX_FACTOR = 8 };

/* Two loops, the inner one all that the outer one repeats. */
struct nest {
	const struct ao_for *outer;
	const struct ao_for *inner;
	struct ao_env env;
	struct ao_body body;
};

/* Whether the body loads what is the same for all steps of the outer loop. */
static bool has_reuse(const struct nest *nest)
{
	for (size_t n = 0; n < nest->body.count; n++) {
		const struct ao_term *root = nest->body.v[n].value;

		for (const struct ao_term *t = root; t;
		     t = ao_term_next(t, root)) {
			if (t->kind == AO_TERM_INDEX &&
			    ao_access_stride(&nest->env, t, nest->outer->var) ==
				    AO_STRIDE_NONE &&
			    ao_access_stride(&nest->env, t, nest->inner->var) !=
				    AO_STRIDE_NONE)
				return true;
		}
	}
	return false;
}

static bool read_nest(struct nest *out, struct ao_unit *unit,
		      const struct ao_for *outer)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *body = outer ? ao_node_body(outer->node) : NULL;

	*out = (struct nest){ .outer = outer, .env = { .tokens = tokens } };
	if (!body || body->next || !ao_for_counts_up(outer) ||
	    ao_unit_is_rest(unit, outer) || !ao_counter_is_wide(unit, outer) ||
	    ao_node_annotated(outer->node) != outer->node)
		return false;
	out->inner = ao_unit_loop(unit, body);
	if (!out->inner || !ao_for_is_lone(out->inner) ||
	    ao_decl_is_used(tokens, out->inner->node->head, outer->var) ||
	    !ao_body_read(&out->body, unit, out->inner))
		return false;
	for (size_t n = 0; n < out->body.count; n++) {
		if (out->body.v[n].is_declaration || out->body.v[n].condition)
			return false;
	}
	return has_reuse(out) &&
	       ao_body_is_fixed(&out->body, &out->env, outer->node->span,
				(uint32_t[]){ outer->var, out->inner->var },
				2) &&
	       ao_order_is_free_within(unit, &out->env, outer->node,
				       ao_for_body(out->inner));
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct nest nest;

		if (!read_nest(&nest, unit, &unit->loops[site]))
			continue;
		for (int factor = 4; factor >= 2; factor /= 2) {
			char *params = ao_xstrf("site=%zu factor=%d", site,
						factor);
			char *title = ao_xstrf("do %d steps of the outer loop "
					       "in one pass of the inner",
					       factor);

			ao_offer(offers, params, "reuse", 0.15, title,
				 "What the inner loop loads is the same for "
				 "each step of the outer: loaded once, it "
				 "serves several.");
			free(params);
			free(title);
		}
	}
}

/* The body for the step that `index` says. */
static void write_step(struct ao_draft *d, const struct nest *nest,
		       const char *index)
{
	const struct ao_said said = { nest->outer->var, index };

	for (size_t n = 0; n < nest->body.count; n++)
		ao_draft_line(d, "%s;",
			      ao_say(d->unit, &nest->env, nest->body.v[n].term,
				     &said, 1));
}

static void write_nest(struct ao_draft *d, const struct nest *nest,
		       const char *done, int factor)
{
	struct ao_unit *unit = d->unit;
	char *bound = ao_unit_text(unit, nest->outer->bound);

	ao_draft_line(d, "%s %s = %s;", ao_counter_type(unit, nest->outer),
		      done, ao_unit_text(unit, nest->outer->start));
	ao_draft_blank(d);
	ao_draft_open(d, "for (; %s + %d <= %s; %s += %d)", done, factor, bound,
		      done, factor);
	ao_draft_open(d, "for (%s) {",
		      ao_unit_text(unit, nest->inner->node->head));
	for (int step = 0; step < factor; step++) {
		char *index = step ? ao_xstrf("%s + %d", done, step)
				   : ao_xstrdup(done);

		write_step(d, nest, index);
		free(index);
	}
	ao_draft_close(d, "}");
	ao_draft_outdent(d);
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct ao_draft d;
	struct nest nest;
	char *done;
	bool has_place;
	int factor;

	if (!ao_params_int(params, "factor", &factor, 2, MAX_FACTOR) ||
	    !read_nest(&nest, unit, ao_move_loop(unit, params)))
		return false;
	done = ao_unit_fresh_name(
		unit, ao_node_function(nest.outer->node)->span, "jammed");
	ao_draft_init(&d, unit,
		      ao_span_at(&unit->tokens, nest.outer->node->span));
	write_nest(&d, &nest, done, factor);
	ao_place_start(edits, unit, nest.outer, done);
	has_place = ao_place_around(edits, unit, nest.outer, d.text.ptr, NULL);
	ao_draft_release(&d);
	return has_place;
}

const struct ao_move ao_move_jam = {
	.name = "jam",
	.propose = propose,
	.apply = apply,
};
