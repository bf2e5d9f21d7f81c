/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/sum.h"

struct ao_term *ao_sum_term(struct ao_unit *unit,
			    const struct ao_node *statement)
{
	struct ao_span span = statement->span;

	if (statement->kind != AO_NODE_SIMPLE || span.end == span.first ||
	    !ao_token_is(&unit->tokens, span.end - 1, ";"))
		return NULL;
	span.end--;
	return ao_term_parse(&unit->pool, &unit->tokens, span);
}

bool ao_sum_read(const struct ao_tokens *tokens, const struct ao_term *term,
		 const struct ao_term **target_out,
		 const struct ao_term **value_out)
{
	const struct ao_term *right, *a, *b;

	if (!term || term->kind != AO_TERM_ASSIGN)
		return false;
	right = ao_term_bare(ao_term_second(term));
	*target_out = term->arg;
	*value_out = right;
	if (ao_term_has_op(term, tokens, "+="))
		return true;
	if (!ao_term_has_op(term, tokens, "=") ||
	    right->kind != AO_TERM_BINARY ||
	    !ao_term_has_op(right, tokens, "+"))
		return false;
	a = right->arg;
	b = ao_term_second(right);
	*value_out = ao_span_same(tokens, a->span, term->arg->span) ? b : a;
	return ao_span_same(tokens, a->span, term->arg->span) ||
	       ao_span_same(tokens, b->span, term->arg->span);
}

bool ao_sum_is_zero(const struct ao_tokens *tokens, const struct ao_term *term)
{
	static const char *const zeroes[] = { "0",   "0.0f", "0.f",   "0.0F",
					      "0.0", "0.",   "0.0e0f" };

	term = ao_term_bare(term);
	for (size_t i = 0; i < AO_ARRAY_SIZE(zeroes); i++) {
		if (term->kind == AO_TERM_NUMBER &&
		    ao_token_is(tokens, term->span.first, zeroes[i]))
			return true;
	}
	return false;
}
