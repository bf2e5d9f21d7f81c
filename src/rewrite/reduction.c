/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/largest.h"
#include "rewrite/prelude.h"
#include "rewrite/reduction.h"

enum kind { NO_REDUCTION, SUM, LARGEST, SMALLEST };

/* What one loop reduces to.  All zero: nothing. */
struct reduction {
	struct ao_buf clauses; /* " reduction(+:a)" */
	enum kind kind;	       /* of the last one found */
	uint32_t name;
	const struct ao_term *value; /* of a maximum that is all of its loop */
	size_t count;
};

/* Whether the name is a number that lives on after the loop. */
static bool outlives(const struct ao_unit *unit, const struct ao_for *loop,
		     uint32_t name)
{
	struct ao_decl decl;

	return ao_decl_find(&decl, &unit->tokens, loop->node, name) &&
	       (decl.base == AO_TYPE_FLOAT || decl.base == AO_TYPE_DOUBLE) &&
	       !decl.pointers && !decl.dim_count &&
	       !ao_token_same(&unit->tokens, name, loop->var);
}

/* How many times a name stands in the loop's body. */
static size_t uses(const struct ao_unit *unit, const struct ao_for *loop,
		   uint32_t name)
{
	struct ao_span body = { loop->node->head.end, loop->node->span.end };

	return ao_span_count(&unit->tokens, body, name);
}

/* s += x, s = s + x, with no other use of s */
static bool is_sum(const struct ao_unit *unit, const struct ao_for *loop,
		   const struct ao_statement *s)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_term *value = s->value;
	uint32_t name = s->term->arg->span.first;

	if (s->condition)
		return false;
	if (ao_term_has_op(s->term, tokens, "+=") ||
	    ao_term_has_op(s->term, tokens, "-="))
		return uses(unit, loop, name) == 1;
	return ao_term_has_op(s->term, tokens, "=") &&
	       value->kind == AO_TERM_BINARY &&
	       ao_term_has_op(value, tokens, "+") &&
	       value->arg->kind == AO_TERM_NAME &&
	       ao_token_same(tokens, value->arg->span.first, name) &&
	       uses(unit, loop, name) == 2;
}

/* if (x > m) m = x;  also the other way round, and m = x > m ? x : m */
static enum kind choice_kind(const struct ao_unit *unit,
			     const struct ao_statement *s,
			     const struct ao_term *condition,
			     const struct ao_term *value)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_span name = s->term->arg->span;
	const struct ao_term *left = ao_term_bare(condition)->arg;
	const struct ao_term *right = ao_term_second(ao_term_bare(condition));
	bool value_is_left, is_greater;

	if (!left || !right)
		return NO_REDUCTION;
	value_is_left = ao_span_same(tokens, left->span, value->span) &&
			ao_span_same(tokens, right->span, name);
	if (!value_is_left &&
	    !(ao_span_same(tokens, right->span, value->span) &&
	      ao_span_same(tokens, left->span, name)))
		return NO_REDUCTION;
	is_greater = ao_term_has_op(ao_term_bare(condition), tokens, ">");
	if (!is_greater &&
	    !ao_term_has_op(ao_term_bare(condition), tokens, "<"))
		return NO_REDUCTION;
	return is_greater == value_is_left ? LARGEST : SMALLEST;
}

static enum kind extreme_kind(const struct ao_unit *unit,
			      const struct ao_statement *s)
{
	const struct ao_term *value = ao_term_bare(s->value);
	const struct ao_term *yes, *no;

	if (!ao_term_has_op(s->term, &unit->tokens, "="))
		return NO_REDUCTION;
	if (s->condition)
		return choice_kind(unit, s, s->condition, value);
	if (value->kind != AO_TERM_CHOICE)
		return NO_REDUCTION;
	yes = ao_term_second(value);
	no = yes->next;
	if (!ao_span_same(&unit->tokens, no->span, s->term->arg->span))
		return NO_REDUCTION;
	return choice_kind(unit, s, value->arg, ao_term_bare(yes));
}

/* x of "if (x > m) m = x" and "m = x > m ? x : m". */
static const struct ao_term *raised_to(const struct ao_statement *s)
{
	const struct ao_term *value = ao_term_bare(s->value);

	return s->condition ? value : ao_term_bare(ao_term_second(value));
}

static enum kind statement_kind(const struct ao_unit *unit,
				const struct ao_for *loop,
				const struct ao_statement *s)
{
	uint32_t name;

	if (s->is_declaration || s->term->arg->kind != AO_TERM_NAME)
		return NO_REDUCTION;
	name = s->term->arg->span.first;
	if (!outlives(unit, loop, name))
		return NO_REDUCTION;
	if (is_sum(unit, loop, s))
		return SUM;
	return extreme_kind(unit, s);
}

/*
 * Whether a statement leaves alone what other steps of the loop see, of what
 * has a name: the pragma promises that the steps are independent.
 */
static bool is_own(const struct ao_unit *unit, const struct ao_for *loop,
		   const struct ao_statement *s)
{
	const struct ao_term *target;
	struct ao_decl decl;

	if (s->is_declaration)
		return true;
	target = ao_term_bare(s->term->arg);
	if (target->kind == AO_TERM_INDEX)
		return true;
	return target->kind == AO_TERM_NAME &&
	       ao_decl_find(&decl, &unit->tokens, s->node,
			    target->span.first) &&
	       ao_node_is_within(decl.node, loop->node);
}

/* Read the reductions of a loop.  False if it has none that we can state. */
static bool read_loop(struct reduction *out, struct ao_unit *unit,
		      const struct ao_for *loop, const char *but)
{
	struct ao_body body;

	*out = (struct reduction){ .clauses = AO_BUF_INIT(1024) };
	if (ao_body_calls(&unit->tokens, loop->node->span, but) ||
	    ao_node_annotated(loop->node) != loop->node ||
	    !ao_unit_starts_line(unit, loop->node) ||
	    !ao_for_suits_openmp(loop) || !ao_body_read(&body, unit, loop) ||
	    ao_body_has_side_effect(&body, &unit->tokens))
		return false;
	for (size_t i = 0; i < body.count; i++) {
		enum kind kind = statement_kind(unit, loop, &body.v[i]);

		if (kind == NO_REDUCTION &&
		    (body.v[i].condition || !is_own(unit, loop, &body.v[i])))
			return false;
		if (kind == NO_REDUCTION)
			continue;
		/* Two macros cannot stand before one loop. */
		if (out->count && (kind != SUM || out->kind != SUM))
			return false;
		if (kind == LARGEST && body.count == 1)
			out->value = raised_to(&body.v[i]);
		out->kind = kind;
		out->name = body.v[i].term->arg->span.first;
		out->count++;
		ao_buf_addf(&out->clauses, " reduction(+ : %s)",
			    ao_unit_word(unit, out->name));
	}
	return out->count > 0;
}

/* A pragma stands at the margin, a macro where the loop does. */
static void annotate(struct ao_edits *edits, struct ao_unit *unit,
		     const struct ao_for *loop, const struct reduction *r)
{
	size_t at = ao_span_at(&unit->tokens, loop->node->span);
	char *blanks = ao_unit_indent_at(unit, at);
	char *text;

	if (r->kind == SUM) {
		at -= strlen(blanks);
		text = ao_xstrf("#pragma omp simd%s%s", r->clauses.ptr,
				unit->newline);
	} else {
		text = ao_xstrf(
			"%s(%s)%s%s",
			r->kind == LARGEST ? "VEC_LARGEST" : "VEC_SMALLEST",
			ao_unit_word(unit, r->name), unit->newline, blanks);
	}
	ao_edits_replace(edits, at, at, text);
	free(text);
}

size_t ao_reduction_annotate(struct ao_edits *edits, struct ao_unit *unit,
			     const char *but)
{
	bool needs_macro = false, needs_function = false;
	size_t count = 0;

	for (size_t i = 0; i < unit->loop_count; i++) {
		const struct ao_for *loop = &unit->loops[i];
		struct reduction r;

		if (read_loop(&r, unit, loop, but)) {
			bool is_call = r.value &&
				       ao_largest_replace(edits, unit, loop,
							  r.name, r.value);

			if (!is_call)
				annotate(edits, unit, loop, &r);
			needs_function |= is_call;
			needs_macro |= !is_call && r.kind != SUM;
			count++;
		}
		ao_buf_release(&r.clauses);
	}
	if ((needs_macro && !ao_prelude_need(edits, unit, AO_HELPER_LARGEST)) ||
	    (needs_function && !ao_prelude_need(edits, unit, AO_HELPER_MOST)))
		return 0;
	return count;
}

size_t ao_reduction_count(struct ao_unit *unit, const char *but)
{
	struct ao_edits edits = { 0 };
	size_t count = ao_reduction_annotate(&edits, unit, but);

	ao_edits_release(&edits);
	return count;
}
