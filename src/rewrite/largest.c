/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/largest.h"
#include "rewrite/say.h"

/* The values of one loop. */
struct row {
	struct ao_unit *unit;
	const struct ao_for *loop;
	struct ao_env env; /* empty */
	const struct ao_term *value;
	uint32_t array;
};

static char *say_at(struct row *row, const char *at)
{
	const struct ao_said said = { row->loop->var, at };

	return ao_say(row->unit, &row->env, row->value, &said, 1);
}

/* Neighbouring floats, as many as `bound` less `start` says. */
static bool read_row(struct row *out, struct ao_unit *unit,
		     const struct ao_for *loop, const struct ao_term *value)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_decl decl;

	*out = (struct row){ .unit = unit,
			     .loop = loop,
			     .env = { .tokens = tokens },
			     .value = value };
	/* Unsigned counters do not go below 0 where the loop does not run. */
	return value->kind == AO_TERM_INDEX && ao_for_counts_up(loop) &&
	       ao_counter_is_private(unit, loop) &&
	       strcmp(ao_counter_type(unit, loop), "int") == 0 &&
	       ao_access_is_fixed(&out->env, value, loop->node->span,
				  &loop->var, 1) &&
	       ao_access_stride(&out->env, value, loop->var) == AO_STRIDE_ONE &&
	       ao_access_root(&out->env, value, &out->array) &&
	       ao_decl_find(&decl, tokens, loop->node, out->array) &&
	       decl.base == AO_TYPE_FLOAT;
}

/*
 * Whether the search goes on from the first element, which is as good as
 * starting there: then it begins where rows are aligned.
 */
static bool starts_from_first(struct row *row, uint32_t name)
{
	const struct ao_tokens *tokens = &row->unit->tokens;
	struct ao_span between;
	struct ao_decl decl;

	if (strcmp(ao_unit_text(row->unit, row->loop->start), "1") != 0 ||
	    !ao_decl_find(&decl, tokens, row->loop->node, name) ||
	    decl.init.first >= decl.init.end ||
	    strcmp(ao_unit_text(row->unit, decl.init), say_at(row, "0")) != 0)
		return false;
	between = (struct ao_span){ decl.init.end,
				    row->loop->node->span.first };
	return !ao_decl_is_written(tokens, between, name) &&
	       !ao_decl_is_written(tokens, between, row->array);
}

/* The arguments that say where the row is and how long. */
static char *say_row(struct row *row, uint32_t name)
{
	char *start = ao_unit_text(row->unit, row->loop->start);
	char *bound = ao_unit_text(row->unit, row->loop->bound);

	if (starts_from_first(row, name) || strcmp(start, "0") == 0)
		return ao_xstrf("&%s, %s", say_at(row, "0"), bound);
	return ao_xstrf("&%s, %s - %s%s%s", say_at(row, start), bound,
			strchr(start, ' ') ? "(" : "", start,
			strchr(start, ' ') ? ")" : "");
}

bool ao_largest_replace(struct ao_edits *edits, struct ao_unit *unit,
			const struct ao_for *loop, uint32_t name,
			const struct ao_term *value)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct row row;
	char *arguments, *text;

	if (!read_row(&row, unit, loop, value))
		return false;
	arguments = say_row(&row, name);
	text = ao_xstrf("%s = vec_largest(%s, %s);", ao_unit_word(unit, name),
			arguments, ao_unit_word(unit, name));
	ao_edits_replace_span(edits, tokens, loop->node->span, text);
	free(text);
	free(arguments);
	return true;
}
