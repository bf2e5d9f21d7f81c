/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/moves.h"

enum { MAX_FACTOR = 16 };

static bool can_unroll(struct ao_unit *unit, const struct ao_for *loop)
{
	struct ao_body body;

	return loop && !ao_unit_is_rest(unit, loop) &&
	       ao_node_annotated(loop->node) == loop->node &&
	       ao_unit_starts_line(unit, loop->node) &&
	       ao_body_read(&body, unit, loop);
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		char *params;

		if (!can_unroll(unit, &unit->loops[site]))
			continue;
		params = ao_xstrf("site=%zu factor=4", site);
		ao_offer(offers, params, "innermost", 0.02,
			 "unroll the inner loop by 4",
			 "Four steps of the loop at line %" PRIu32
			 " at a time: fewer branches, and more that can run "
			 "side by side.",
			 ao_unit_line(unit, unit->loops[site].node));
		free(params);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_for *loop = ao_move_loop(unit, params);
	size_t at;
	char *text;
	int factor;

	if (!ao_params_int(params, "factor", &factor, 2, MAX_FACTOR) ||
	    !can_unroll(unit, loop))
		return false;
	at = ao_span_at(&unit->tokens, loop->node->span);
	at -= strlen(ao_unit_indent_at(unit, at));
	text = ao_xstrf("#pragma GCC unroll %d%s", factor, unit->newline);
	ao_edits_replace(edits, at, at, text);
	free(text);
	return true;
}

const struct ao_move ao_move_unroll = {
	.name = "unroll",
	.propose = propose,
	.apply = apply,
};
