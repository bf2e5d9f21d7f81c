/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/moves.h"
#include "rewrite/prelude.h"

/*
 * Add `restrict` to one parameter that is a pointer or array and has none.
 * Returns whether it was one.
 */
static bool restrict_parameter(struct ao_edits *edits,
			       const struct ao_tokens *tokens,
			       struct ao_span span)
{
	struct ao_decl decl;
	size_t at;

	if (!ao_decl_read(&decl, 1, tokens, span) ||
	    ao_span_has(tokens, span, "restrict") ||
	    ao_span_has(tokens, span, "__restrict") ||
	    ao_span_has(tokens, span, "__restrict__"))
		return false;
	if (decl.dim_count)
		at = (size_t)ao_token(tokens, decl.name + 1).at + 1;
	else if (decl.pointers == 1)
		at = ao_token(tokens, decl.name).at;
	else
		return false;
	/* "[]" takes no blank behind the word, "[M]" and a name do. */
	ao_edits_replace(edits, at, at,
			 ao_token_is(tokens, decl.name + 2, "]") &&
					 decl.dim_count
				 ? "restrict"
				 : "restrict ");
	return true;
}

static size_t restrict_function(struct ao_edits *edits,
				const struct ao_tokens *tokens,
				const struct ao_node *function)
{
	struct ao_span part = function->head;
	size_t count = 0;

	for (uint32_t i = part.first; i <= function->head.end;) {
		bool at_end = i == function->head.end;

		if (at_end || ao_token_is(tokens, i, ",")) {
			part.end = i;
			count += restrict_parameter(edits, tokens, part);
			part.first = ++i;
		} else {
			i = ao_token(tokens, i).match > i
				    ? ao_token_skip(tokens, i,
						    function->head.end)
				    : i + 1;
		}
	}
	return count;
}

static size_t restrict_all(struct ao_edits *edits, const struct ao_unit *unit)
{
	size_t count = 0;

	for (const struct ao_node *n = unit->file->child; n; n = n->next) {
		if (n->kind == AO_NODE_FUNCTION &&
		    !ao_prelude_defines(unit, n->name))
			count += restrict_function(edits, &unit->tokens, n);
	}
	return count;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	struct ao_edits edits = { 0 };

	if (unit->loop_count && restrict_all(&edits, unit))
		ao_offer(offers, "", "alias", 0.3,
			 "promise that the arrays do not overlap",
			 "Without restrict a compiler must expect that each "
			 "store changes what is loaded next, and tests for it "
			 "or does not vectorise. The arrays of a task never "
			 "overlap.");
	ao_edits_release(&edits);
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	(void)params;
	return restrict_all(edits, unit) > 0;
}

const struct ao_move ao_move_restrict = {
	.name = "restrict",
	.propose = propose,
	.apply = apply,
};
