/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/draft.h"
#include "rewrite/moves.h"
#include "rewrite/place.h"

enum { MAX_DIVISORS = 4 };

/* The divisors of one loop that stay the same in it. */
struct divisors {
	struct ao_unit *unit;
	const struct ao_for *loop;
	uint32_t names[MAX_DIVISORS]; /* [count] code indices of a use */
	char *inverse[MAX_DIVISORS];  /* [count] what 1 / it is called */
	size_t count;
	size_t uses;
	struct ao_edits *edits; /* NULL: only count */
};

/* A float that the loop does not change. */
static bool is_constant_float(const struct divisors *d,
			      const struct ao_term *term)
{
	const struct ao_tokens *tokens = &d->unit->tokens;
	struct ao_span body = { d->loop->node->head.end,
				d->loop->node->span.end };
	uint32_t name = term->span.first;
	struct ao_decl decl;

	return term->kind == AO_TERM_NAME &&
	       ao_decl_find(&decl, tokens, d->loop->node, name) &&
	       decl.base == AO_TYPE_FLOAT && !decl.pointers &&
	       !decl.dim_count && !ao_decl_is_written(tokens, body, name);
}

/* What 1 / name is called; NULL: there are too many. */
static const char *inverse_of(struct divisors *d, uint32_t name)
{
	struct ao_span span = ao_node_function(d->loop->node)->span;
	char *wish;

	for (size_t n = 0; n < d->count; n++) {
		if (ao_token_same(&d->unit->tokens, d->names[n], name))
			return d->inverse[n];
	}
	if (d->count == MAX_DIVISORS)
		return NULL;
	wish = ao_xstrf("%s_inverse", ao_unit_word(d->unit, name));
	d->names[d->count] = name;
	d->inverse[d->count] = ao_unit_fresh_name(d->unit, span, wish);
	free(wish);
	return d->inverse[d->count++];
}

static void replace_token(struct divisors *d, uint32_t i, const char *text)
{
	struct ao_token token = ao_token(&d->unit->tokens, i);

	if (d->edits)
		ao_edits_replace(d->edits, token.at,
				 (size_t)token.at + token.len, text);
}

static void replace(struct divisors *d, uint32_t op, const char *new_op,
		    const struct ao_term *divisor)
{
	const char *inverse;

	if (!is_constant_float(d, divisor))
		return;
	inverse = inverse_of(d, divisor->span.first);
	if (!inverse)
		return;
	replace_token(d, op, new_op);
	replace_token(d, divisor->span.first, inverse);
	d->uses++;
}

static void read_statement(struct divisors *d, const struct ao_statement *s)
{
	const struct ao_tokens *tokens = &d->unit->tokens;
	const struct ao_term *value = s->value;

	if (!s->is_declaration && ao_term_has_op(s->term, tokens, "/="))
		replace(d, s->term->op, "*=", value);
	for (const struct ao_term *t = value; t; t = ao_term_next(t, value)) {
		if (t->kind == AO_TERM_BINARY && ao_term_has_op(t, tokens, "/"))
			replace(d, t->op, "*", ao_term_second(t));
	}
}

/* Declare the inverses before the loop.  False: there is no place. */
static bool declare(struct divisors *d)
{
	struct ao_draft draft;
	bool has_place;

	ao_draft_init(&draft, d->unit,
		      ao_span_at(&d->unit->tokens, d->loop->node->span));
	for (size_t n = 0; n < d->count; n++)
		ao_draft_line(&draft, "const float %s = 1.0f / %s;",
			      d->inverse[n],
			      ao_unit_word(d->unit, d->names[n]));
	ao_draft_blank(&draft);
	has_place = ao_place_around(d->edits, d->unit, d->loop, draft.text.ptr,
				    NULL);
	ao_draft_release(&draft);
	return has_place;
}

/* Replace the divisions of all loops, or count them.  Returns how many. */
static size_t replace_all(struct ao_edits *edits, struct ao_unit *unit)
{
	size_t uses = 0;

	for (size_t i = 0; i < unit->loop_count; i++) {
		struct divisors d = { .unit = unit,
				      .loop = &unit->loops[i],
				      .edits = edits };
		struct ao_body body;

		if (!ao_unit_starts_line(unit, d.loop->node) ||
		    !ao_place_is_there(d.loop) ||
		    !ao_node_function(d.loop->node) ||
		    !ao_body_read(&body, unit, d.loop))
			continue;
		for (size_t n = 0; n < body.count; n++)
			read_statement(&d, &body.v[n]);
		if (d.uses && edits && !declare(&d))
			return 0;
		uses += d.uses;
	}
	return uses;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	if (!replace_all(NULL, unit))
		return;
	ao_offer(offers, "", "division", 0.1,
		 "divide once before the loop, multiply in it",
		 "A division takes several times as long as a multiplication. "
		 "Where the divisor stays the same, its inverse is computed "
		 "once.");
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	(void)params;
	return replace_all(edits, unit) > 0;
}

const struct ao_move ao_move_divide = {
	.name = "divide",
	.propose = propose,
	.apply = apply,
};
