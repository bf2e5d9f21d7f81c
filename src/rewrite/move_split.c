/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/draft.h"
#include "rewrite/move_tile.h"
#include "rewrite/moves.h"
#include "rewrite/prelude.h"
#include "rewrite/shared.h"
#include "rewrite/twice.h"

/*
 * A loop over rows whose body is split behind `last`.  Both parts use `row`, an
 * array that the body declares; all rows of it will be kept.
 */
struct split {
	const struct ao_for *loop;
	const struct ao_node *last; /* statement of the first part */
	struct ao_decl row;
	bool is_bounded; /* its extents are known at run time only */
	struct ao_span first_part;
	struct ao_span second_part;
};

/* Whether a statement is a loop with another one in it. */
static bool is_nest(const struct ao_unit *unit, const struct ao_node *node)
{
	const struct ao_for *loop = ao_unit_loop(unit, node);

	if (!loop)
		return false;
	for (size_t i = 0; i < unit->loop_count; i++)
		if (unit->loops[i].node != node &&
		    ao_node_is_within(unit->loops[i].node, node))
			return true;
	return false;
}

/* The type of the row's elements has to be known to write it elsewhere. */
static bool is_row(struct ao_unit *unit, const struct ao_for *loop,
		   const struct ao_decl *decl)
{
	double floats = ao_unit_value(unit, loop->bound);

	for (size_t i = 0; i < decl->dim_count; i++)
		floats *= ao_unit_value(unit, decl->dims[i]);
	return !decl->pointers && decl->base == AO_TYPE_FLOAT &&
	       decl->init.end <= decl->init.first && floats > 0 &&
	       floats <= AO_KEPT_FLOATS;
}

/*
 * Whether a name is used alike in one pass over both parts and in one pass for
 * each: what the body declares must not be needed in both, and a variable not
 * be written to.
 */
static bool may_part(const struct ao_unit *unit, const struct split *split,
		     uint32_t name)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_decl decl;

	if (!ao_decl_is_used(tokens, split->first_part, name) ||
	    !ao_decl_is_used(tokens, split->second_part, name) ||
	    ao_token_same(tokens, name, split->row.name) ||
	    ao_token_same(tokens, name, split->loop->var))
		return true;
	if (!ao_decl_find(&decl, tokens, split->last->next, name))
		return true; /* a macro, a function, a member */
	if (decl.node && ao_node_is_within(decl.node, split->loop->node))
		return false;
	if (!ao_decl_is_written(tokens, split->first_part, name) &&
	    !ao_decl_is_written(tokens, split->second_part, name))
		return true;
	return decl.dim_count || decl.pointers;
}

static bool all_may_part(struct ao_unit *unit, const struct split *split)
{
	const struct ao_span spans[] = { split->first_part,
					 split->second_part };
	const struct ao_parts parts = { .node = split->loop->node,
					.v = spans,
					.count = 2,
					.counters = &split->loop->var,
					.counter_count = 1 };

	for (uint32_t i = split->first_part.first; i < split->first_part.end;
	     i++)
		if (ao_token_is_word(&unit->tokens, i) &&
		    !may_part(unit, split, i))
			return false;
	return !ao_body_calls_unknown(&unit->tokens, spans[0]) &&
	       !ao_body_calls_unknown(&unit->tokens, spans[1]) &&
	       ao_shared_is_by_round(unit, &parts);
}

/* The array of the body that both parts use: exactly one. */
static bool find_row(struct split *split, struct ao_unit *unit)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t found = 0;

	for (const struct ao_node *s = split->last->parent->child;
	     s != split->last; s = s->next) {
		struct ao_decl decls[2];

		if (s->kind != AO_NODE_SIMPLE ||
		    ao_decl_read(decls, 2, tokens, s->span) != 1 ||
		    !decls[0].dim_count ||
		    !ao_decl_is_used(tokens, split->second_part, decls[0].name))
			continue;
		split->row = decls[0];
		split->row.node = s;
		found++;
	}
	return found == 1 && is_row(unit, split->loop, &split->row);
}

/* How many rows there are, and of what size, is known before the loop. */
static bool read_extents(struct split *split, const struct ao_unit *unit)
{
	const struct ao_node *loop = split->loop->node;
	const struct ao_node *node = split->row.node;
	struct ao_span rows = split->loop->bound;
	struct ao_span elements = split->row.dims[0];

	split->is_bounded = !ao_unit_is_constant(unit, node, rows);
	for (size_t i = 0; i < split->row.dim_count; i++)
		split->is_bounded |= !ao_unit_is_constant(unit, node,
							  split->row.dims[i]);
	return !split->is_bounded ||
	       (split->row.dim_count == 1 &&
		ao_unit_is_fixed(unit, node, rows, loop) &&
		ao_unit_is_fixed(unit, node, elements, loop));
}

static bool find_split(struct split *out, struct ao_unit *unit,
		       const struct ao_for *loop)
{
	const struct ao_node *block = loop ? loop->node->child : NULL;
	const struct ao_node *s;

	if (!block || block->kind != AO_NODE_BLOCK ||
	    !ao_for_is_plain(loop, &unit->tokens) ||
	    ao_node_annotated(loop->node) != loop->node ||
	    ao_unit_is_ours(unit, loop->node->span) ||
	    ao_unit_has_jump(unit, loop->node->span) ||
	    ao_unit_has_directive(unit, loop->node->span))
		return false;
	for (s = block->child; s && !is_nest(unit, s); s = s->next)
		;
	if (!s || !s->next)
		return false;
	*out = (struct split){
		.loop = loop,
		.last = s,
		.first_part = { block->span.first + 1, s->span.end },
		.second_part = { s->next->span.first, block->span.end - 1 },
	};
	return find_row(out, unit) && read_extents(out, unit) &&
	       all_may_part(unit, out);
}

/* The row's name becomes the rows' with the counter behind it. */
static void rename_row(struct ao_edits *edits, struct ao_unit *unit,
		       const struct split *split, const char *rows)
{
	const struct ao_tokens *tokens = &unit->tokens;
	char *text = ao_xstrf("%s[%s]", rows,
			      ao_unit_word(unit, split->loop->var));

	for (uint32_t i = split->row.node->span.end; i < split->second_part.end;
	     i++) {
		struct ao_token token = ao_token(tokens, i);

		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, split->row.name))
			ao_edits_replace(edits, token.at, token.at + token.len,
					 text);
	}
	free(text);
}

/* Its declaration is taken out, up to whatever stands behind it. */
static void drop_declaration(struct ao_edits *edits, const struct ao_unit *unit,
			     const struct split *split)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_span span = split->row.node->span;
	size_t end = ao_span_at_end(tokens, span);

	end += strspn(tokens->text + end, " \t\r\n");
	ao_edits_replace(edits, ao_span_at(tokens, span), end, "");
}

/* A brace that ends the first loop, and the head of the second. */
static void part(struct ao_edits *edits, struct ao_unit *unit,
		 const struct split *split)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t at = ao_span_at_end(tokens, split->last->span);
	char *blanks = ao_unit_indent_at(
		unit, ao_span_at(tokens, split->loop->node->span));
	size_t next = at + strspn(tokens->text + at, " \t\r\n");
	char *text = ao_xstrf("%s%s}%s%sfor (%s) {%s%s", unit->newline, blanks,
			      unit->newline, blanks,
			      ao_unit_text(unit, split->loop->node->head),
			      unit->newline, ao_unit_indent_at(unit, next));

	ao_edits_replace(edits, at, next, text);
	free(text);
}

/* "static float name[rows][elements];", or the most there is. */
static void declare_rows(struct ao_edits *edits, struct ao_unit *unit,
			 const struct split *split, const char *name)
{
	struct ao_buf out = AO_BUF_INIT(4096);

	ao_buf_addf(&out, "/* What there is of each row, kept for all. */\n");
	ao_buf_addf(&out, "static float %s[%s]", name,
		    split->is_bounded ? "KEPT_FLOATS"
				      : ao_unit_text(unit, split->loop->bound));
	for (size_t i = 0; i < split->row.dim_count && !split->is_bounded; i++)
		ao_buf_addf(&out, "[%s]",
			    ao_unit_text(unit, split->row.dims[i]));
	ao_buf_addstr(&out, ";\n");
	ao_prelude_add(edits, unit, out.ptr);
	ao_buf_release(&out);
}

/* One of the loops; `row` declares where its row is. */
static void open_part(struct ao_draft *d, struct ao_unit *unit,
		      const struct split *split, const char *row)
{
	ao_draft_open(d, "for (%s) {",
		      ao_unit_text(unit, split->loop->node->head));
	ao_draft_line(d, "%s", row);
	ao_draft_blank(d);
}

static void write_parts(struct ao_draft *d, struct ao_unit *unit,
			const struct split *split, const char *row)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t at = ao_token(tokens, split->loop->node->child->span.first).at;
	struct ao_span declaration = split->row.node->span;

	open_part(d, unit, split, row);
	ao_draft_copy(d, at + 1, ao_span_at(tokens, declaration));
	ao_draft_copy(d, ao_span_at_end(tokens, declaration),
		      ao_span_at_end(tokens, split->first_part));
	ao_draft_close(d, "}");
	open_part(d, unit, split, row);
	at = ao_token(tokens, split->second_part.end).at;
	ao_draft_copy(d, ao_span_at_end(tokens, split->first_part), at);
	ao_draft_close(d, "}");
}

/* Both loops, if there is room, else the one that there was. */
static void write_bounded(struct ao_edits *edits, struct ao_unit *unit,
			  const struct split *split, const char *name)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_span span = split->loop->node->span;
	char *rows = ao_unit_operand(unit, split->loop->bound);
	char *elements = ao_unit_operand(unit, split->row.dims[0]);
	char *row = ao_xstrf("float *%s = %s + %s * %s;",
			     ao_unit_word(unit, split->row.name), name,
			     ao_unit_word(unit, split->loop->var), elements);
	char *no_room = ao_xstrf("%s < 1 || %s > KEPT_FLOATS / %s", elements,
				 rows, elements);
	struct ao_draft d;

	ao_draft_init(&d, unit, ao_span_at(tokens, span));
	ao_draft_fall_back(&d, no_room, "Too much to keep.", span);
	write_parts(&d, unit, split, row);
	ao_draft_close(&d, "}");
	ao_edits_replace_span(edits, tokens, span, d.text.ptr);
	ao_draft_release(&d);
	free(no_room);
	free(row);
}

static bool write_split(struct ao_edits *edits, struct ao_unit *unit,
			const struct split *split)
{
	char *wish = ao_xstrf("%s_of", ao_unit_word(unit, split->row.name));
	char *name = ao_unit_fresh_name(unit, unit->file->span, wish);

	free(wish);
	if (split->is_bounded && !ao_prelude_need(edits, unit, AO_HELPER_KEPT))
		return false;
	declare_rows(edits, unit, split, name);
	if (split->is_bounded) {
		write_bounded(edits, unit, split, name);
		return true;
	}
	drop_declaration(edits, unit, split);
	rename_row(edits, unit, split, name);
	part(edits, unit, split);
	return true;
}

/* Where the first loop is then: behind all loops of the one that is left. */
static const struct ao_for *parted_loop(const struct ao_unit *unit,
					const struct split *split,
					const struct ao_unit *parted)
{
	size_t site = ao_unit_site(unit, split->loop);

	for (size_t i = 0; i < unit->loop_count && split->is_bounded; i++)
		site += ao_node_is_within(unit->loops[i].node,
					  split->loop->node);
	return site < parted->loop_count ? &parted->loops[site] : NULL;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	size_t tries = 0;

	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_edits edits = { 0 };
		struct ao_product product = { 0 };
		struct ao_twice parted = { 0 };
		const struct ao_for *first;
		struct split split;

		if (!find_split(&split, unit, &unit->loops[site]) ||
		    tries++ >= AO_MAX_TWICE)
			continue;
		if (!write_split(&edits, unit, &split)) {
			ao_edits_release(&edits);
			continue;
		}
		first = ao_twice_read(&parted, unit, &edits)
				? parted_loop(unit, &split, &parted.unit)
				: NULL;
		if (first && ao_product_find(&product, &parted.unit, first))
			ao_move_tile_offer_after(offers, &parted.unit, &product,
						 "split", site);
		ao_twice_release(&parted);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct ao_edits parted = { 0 };
	struct split split;
	int site;

	if (!ao_params_int(params, "split", &site, 0,
			   (int)unit->loop_count - 1) ||
	    !find_split(&split, unit, &unit->loops[site]) ||
	    !write_split(&parted, unit, &split)) {
		ao_edits_release(&parted);
		return false;
	}
	return ao_twice_tile(edits, unit, &parted, params);
}

const struct ao_move ao_move_split_tile = {
	.name = "split_tile",
	.propose = propose,
	.apply = apply,
};
