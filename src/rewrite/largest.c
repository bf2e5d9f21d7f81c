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
 * The span of the first element, where the name is declared to be that and the
 * loop is what comes next of both; else an empty one.
 */
static struct ao_span find_first(struct row *row, uint32_t name)
{
	const struct ao_tokens *tokens = &row->unit->tokens;
	const struct ao_span none = { 0 };
	const char *start = ao_unit_text(row->unit, row->loop->start);
	struct ao_span between;
	struct ao_decl decl;

	if ((strcmp(start, "0") != 0 && strcmp(start, "1") != 0) ||
	    !ao_decl_find(&decl, tokens, row->loop->node, name) ||
	    decl.init.first >= decl.init.end ||
	    strcmp(ao_unit_text(row->unit, decl.init), say_at(row, "0")) != 0)
		return none;
	between = (struct ao_span){ decl.init.end,
				    row->loop->node->span.first };
	if (ao_span_count(tokens, between, name) ||
	    ao_decl_is_written(tokens, between, row->array))
		return none;
	return decl.init;
}

/* The arguments that say where the row is and how long. */
static char *say_row(struct row *row, bool has_first)
{
	char *start = ao_unit_text(row->unit, row->loop->start);
	char *bound = ao_unit_text(row->unit, row->loop->bound);

	if (has_first || strcmp(start, "0") == 0)
		return ao_xstrf("&%s, %s", say_at(row, "0"), bound);
	return ao_xstrf("&%s, %s - %s%s%s", say_at(row, start), bound,
			strchr(start, ' ') ? "(" : "", start,
			strchr(start, ' ') ? ")" : "");
}

/* Whether the row has an element in all cases: an extent is 1 or more. */
static bool has_elements(struct row *row)
{
	struct ao_span bound = row->loop->bound;

	return bound.end == bound.first + 1 &&
	       ao_unit_is_constant(row->unit, row->loop->node, bound) &&
	       ao_unit_value(row->unit, bound) >= 1;
}

/*
 * A search that goes on from the first element starts there instead, where rows
 * are aligned, from less than all.  Were the first element loaded for itself,
 * clang 14 would load each next one a step early, too, in a loop that
 * overwrites the row, and not vectorise that.
 */
bool ao_largest_replace(struct ao_edits *edits, struct ao_unit *unit,
			const struct ao_for *loop, uint32_t name,
			const struct ao_term *value)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_span first;
	struct row row;
	char *arguments, *text;

	if (!read_row(&row, unit, loop, value))
		return false;
	first = find_first(&row, name);
	if (first.end && has_elements(&row))
		ao_edits_replace_span(edits, tokens, first,
				      "-__builtin_inff()");
	arguments = say_row(&row, first.end);
	text = ao_xstrf("%s = vec_largest(%s, %s);", ao_unit_word(unit, name),
			arguments, ao_unit_word(unit, name));
	ao_edits_replace_span(edits, tokens, loop->node->span, text);
	free(text);
	free(arguments);
	return true;
}
