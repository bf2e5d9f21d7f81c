/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/place.h"

/* Braces around all that `loop`, its parent, repeats. */
static void add_braces(struct ao_edits *edits, struct ao_unit *unit,
		       const struct ao_node *loop)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t head = ao_token(tokens, loop->head.end).at + 1;
	size_t end = ao_span_at_end(tokens, loop->span);
	char *blanks = ao_unit_indent_at(unit, ao_span_at(tokens, loop->span));
	char *text = ao_xstrf("%s%s}", unit->newline, blanks);

	ao_edits_replace(edits, head, head, " {");
	ao_edits_replace(edits, end, end, text);
	free(text);
}

bool ao_place_is_there(const struct ao_for *loop)
{
	const struct ao_node *parent = loop->node->parent;

	return parent->kind == AO_NODE_BLOCK || parent->kind == AO_NODE_FOR;
}

bool ao_place_around(struct ao_edits *edits, struct ao_unit *unit,
		     const struct ao_for *loop, const char *before,
		     const char *behind)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *parent = loop->node->parent;
	const struct ao_node *first = ao_node_annotated(loop->node);
	size_t at = ao_span_at(tokens, first->span);
	size_t end = ao_span_at_end(tokens, loop->node->span);
	char *blanks = ao_unit_indent_at(unit,
					 ao_span_at(tokens, loop->node->span));

	if (!ao_place_is_there(loop))
		return false;
	if (before) {
		char *text = ao_xstrf("%s%s%s", before, unit->newline, blanks);

		ao_edits_replace(edits, at, at, text);
		free(text);
	}
	if (behind) {
		char *text = ao_xstrf("%s%s%s", unit->newline, blanks, behind);

		ao_edits_replace(edits, end, end, text);
		free(text);
	}
	if (parent->kind == AO_NODE_FOR)
		add_braces(edits, unit, parent);
	return true;
}

void ao_place_start(struct ao_edits *edits, const struct ao_unit *unit,
		    const struct ao_for *loop, const char *start)
{
	ao_edits_replace_span(edits, &unit->tokens, loop->start, start);
}
