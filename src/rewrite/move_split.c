/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/move_split.h"
#include "rewrite/move_tile.h"
#include "rewrite/prelude.h"
#include "rewrite/twice.h"

/* An array of all rows is not made larger than this. */
#define MAX_BYTES (16.0 * 1024 * 1024)

/*
 * A loop over rows whose body is split behind `last`.  Both parts use `row`, an
 * array that the body declares; all rows of it will be kept.
 */
struct split {
	const struct ao_for *loop;
	const struct ao_node *last; /* statement of the first part */
	struct ao_decl row;
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
	double bytes = sizeof(float) * ao_unit_value(unit, loop->bound);

	for (size_t i = 0; i < decl->dim_count; i++)
		bytes *= ao_unit_value(unit, decl->dims[i]);
	return !decl->pointers && decl->base == AO_TYPE_FLOAT &&
	       decl->init.end <= decl->init.first && bytes > 0 &&
	       bytes <= MAX_BYTES;
}

/*
 * Whether a name is used alike in one pass over both parts and in one pass for
 * each: what the body declares must not be needed in both, and of what it does
 * not declare, one row has to keep to itself.
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
	return (decl.dim_count || decl.pointers) &&
	       ao_decl_is_indexed_by(tokens, split->first_part, name,
				     split->loop->var) &&
	       ao_decl_is_indexed_by(tokens, split->second_part, name,
				     split->loop->var);
}

static bool all_may_part(const struct ao_unit *unit, const struct split *split)
{
	for (uint32_t i = split->first_part.first; i < split->first_part.end;
	     i++)
		if (ao_token_is_word(&unit->tokens, i) &&
		    !may_part(unit, split, i))
			return false;
	return true;
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

static bool find_split(struct split *out, struct ao_unit *unit,
		       const struct ao_for *loop)
{
	const struct ao_node *block = loop ? loop->node->child : NULL;
	const struct ao_node *s;

	if (!block || block->kind != AO_NODE_BLOCK ||
	    !ao_for_is_plain(loop, &unit->tokens) ||
	    ao_body_annotated(loop->node) != loop->node ||
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
	return find_row(out, unit) && all_may_part(unit, out);
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

/* "static float name[rows][elements];" */
static void declare_rows(struct ao_edits *edits, struct ao_unit *unit,
			 const struct split *split, const char *name)
{
	struct ao_buf out = AO_BUF_INIT(4096);

	ao_buf_addf(&out, "/* What there is of each row, kept for all. */\n");
	ao_buf_addf(&out, "static float %s[%s]", name,
		    ao_unit_text(unit, split->loop->bound));
	for (size_t i = 0; i < split->row.dim_count; i++)
		ao_buf_addf(&out, "[%s]",
			    ao_unit_text(unit, split->row.dims[i]));
	ao_buf_addstr(&out, ";\n");
	ao_prelude_add(edits, unit, out.ptr);
	ao_buf_release(&out);
}

static void write_split(struct ao_edits *edits, struct ao_unit *unit,
			const struct split *split)
{
	const struct ao_span file = { 0, unit->tokens.code_count };
	char *wish = ao_xstrf("%s_of", ao_unit_word(unit, split->row.name));
	char *name = ao_unit_fresh_name(unit, file, wish);

	declare_rows(edits, unit, split, name);
	drop_declaration(edits, unit, split);
	rename_row(edits, unit, split, name);
	part(edits, unit, split);
	free(wish);
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	size_t tries = 0;

	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_edits edits = { 0 };
		struct ao_product product = { 0 };
		struct ao_twice parted;
		struct split split;

		if (!find_split(&split, unit, &unit->loops[site]) ||
		    tries++ >= AO_MAX_TWICE)
			continue;
		write_split(&edits, unit, &split);
		if (ao_twice_read(&parted, unit, &edits) &&
		    ao_product_find(&product, &parted.unit,
				    &parted.unit.loops[site]))
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
	    !find_split(&split, unit, &unit->loops[site]))
		return false;
	write_split(&parted, unit, &split);
	return ao_twice_tile(edits, unit, &parted, params);
}

const struct ao_move ao_move_split_tile = {
	.name = "split_tile",
	.propose = propose,
	.apply = apply,
};
