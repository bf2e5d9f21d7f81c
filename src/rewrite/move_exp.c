/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/moves.h"
#include "rewrite/prelude.h"
#include "rewrite/reduction.h"

/* The next call of expf() from code token `i` on, or code_count. */
static uint32_t next_call(const struct ao_tokens *tokens, uint32_t i)
{
	for (; i + 1 < tokens->code_count; i++) {
		bool is_member = i && (ao_token_is(tokens, i - 1, ".") ||
				       ao_token_is(tokens, i - 1, "->"));

		if (ao_token_is(tokens, i, "expf") && !is_member &&
		    ao_token_is(tokens, i + 1, "("))
			return i;
	}
	return tokens->code_count;
}

static bool is_in_a_loop(const struct ao_unit *unit, uint32_t i)
{
	for (size_t k = 0; k < unit->loop_count; k++) {
		struct ao_span span = unit->loops[k].node->span;

		if (i >= span.first && i < span.end)
			return true;
	}
	return false;
}

/* Where our code does not fall back on a loop: that is not where time goes. */
static bool has_call_in_a_loop(const struct ao_unit *unit)
{
	const struct ao_tokens *tokens = &unit->tokens;
	uint32_t i = next_call(tokens, 0);

	while (i < tokens->code_count &&
	       (!is_in_a_loop(unit, i) ||
		ao_unit_is_fallback(unit, ao_node_at(unit->file, i))))
		i = next_call(tokens, i + 1);
	return i < tokens->code_count;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	if (!has_call_in_a_loop(unit))
		return;
	ao_offer(offers, "", "exp,libm", 1.2,
		 "compute expf() inline, by a polynomial",
		 "A call of the library's expf() is one element at a time and "
		 "keeps its loop from being vectorised. A polynomial without "
		 "branch or call is as exact as the task needs, and vectors of "
		 "it are computed at once.");
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_tokens *tokens = &unit->tokens;
	uint32_t i = next_call(tokens, 0);

	(void)params;
	if (i == tokens->code_count ||
	    !ao_prelude_need(edits, unit, AO_HELPER_EXP))
		return false;
	for (; i < tokens->code_count; i = next_call(tokens, i + 1)) {
		struct ao_token call = ao_token(tokens, i);

		ao_edits_replace(edits, call.at, call.at + call.len,
				 "exp_inline");
	}
	return true;
}

const struct ao_move ao_move_exp = {
	.name = "exp",
	.propose = propose,
	.apply = apply,
};

/* Sums of exponentials need both at once: either alone leaves them scalar. */
static void propose_both(struct ao_offers *offers, struct ao_unit *unit)
{
	if (!has_call_in_a_loop(unit) || !ao_reduction_count(unit, "expf"))
		return;
	ao_offer(offers, "", "exp,libm,reduction", 1.4,
		 "vectorise exponentials and the sums over them",
		 "A loop that adds up exponentials stays scalar for two "
		 "reasons: the call of expf(), and the order of its additions. "
		 "A polynomial without branch or call answers the one, partial "
		 "sums and maxima per vector lane the other.");
}

static bool apply_both(struct ao_edits *edits, struct ao_unit *unit,
		       const char *params)
{
	return ao_reduction_annotate(edits, unit, "expf") > 0 &&
	       apply(edits, unit, params);
}

const struct ao_move ao_move_exp_simd = {
	.name = "exp_simd",
	.propose = propose_both,
	.apply = apply_both,
};
