/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/draft.h"
#include "rewrite/moves.h"
#include "rewrite/place.h"

enum { MAX_MATRICES = 12 };

/*
 * for (i < M) for (j < N), where each element is a[i][j] of a matrix with N
 * columns, or a[i * N + j].
 */
struct flat {
	struct ao_unit *unit;
	const struct ao_for *rows;
	const struct ao_for *columns;
	struct ao_decl matrices[MAX_MATRICES]; /* those with two subscripts */
	char *names[MAX_MATRICES];	       /* what they become */
	size_t count;
};

/* a[i][j]; the code tokens that it takes, or 0. */
static uint32_t two_subscripts(const struct flat *f, uint32_t i)
{
	const struct ao_tokens *tokens = &f->unit->tokens;

	return ao_token_is(tokens, i + 1, "[") &&
			       ao_token_same(tokens, i + 2, f->rows->var) &&
			       ao_token_is(tokens, i + 3, "]") &&
			       ao_token_is(tokens, i + 4, "[") &&
			       ao_token_same(tokens, i + 5, f->columns->var) &&
			       ao_token_is(tokens, i + 6, "]")
		       ? 7
		       : 0;
}

/* a[i * N + j], likewise. */
static uint32_t one_subscript(const struct flat *f, uint32_t i)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_span bound = f->columns->bound;

	return bound.end - bound.first == 1 &&
			       ao_token_is(tokens, i + 1, "[") &&
			       ao_token_same(tokens, i + 2, f->rows->var) &&
			       ao_token_is(tokens, i + 3, "*") &&
			       ao_token_same(tokens, i + 4, bound.first) &&
			       ao_token_is(tokens, i + 5, "+") &&
			       ao_token_same(tokens, i + 6, f->columns->var) &&
			       ao_token_is(tokens, i + 7, "]")
		       ? 8
		       : 0;
}

static size_t find_matrix(const struct flat *f, uint32_t name)
{
	size_t n = 0;

	while (n < f->count &&
	       !ao_token_same(&f->unit->tokens, name, f->matrices[n].name))
		n++;
	return n;
}

/* Whether something in the function sets a variable but where it is declared.
 */
static bool is_set(const struct flat *f, const struct ao_decl *decl)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_span all = ao_node_function(f->rows->node)->span;

	for (uint32_t i = all.first; i < all.end; i++) {
		if (i != decl->name && ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, decl->name) &&
		    ao_decl_is_set_at(tokens, all, i))
			return true;
	}
	return false;
}

/*
 * Whether the names in a matrix's extent stand for what they do in the loop's
 * bound, which has the same text.
 */
static bool means_the_same(const struct flat *f, struct ao_span extent)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	const struct ao_node *there = ao_node_at(f->unit->file, extent.first);
	struct ao_decl here, then;

	for (uint32_t i = extent.first; i < extent.end; i++) {
		bool is_there;

		if (!ao_token_is_word(tokens, i))
			continue;
		is_there = ao_decl_find(&then, tokens, there, i);
		if (ao_decl_find(&here, tokens, f->columns->node, i) !=
		    is_there)
			return false;
		if (is_there && (here.name != then.name || is_set(f, &here) ||
				 ao_decl_is_global(tokens, &here)))
			return false;
	}
	return true;
}

/* Note a[i][j].  Its rows have to lie end to end, of as many as are counted. */
static bool note_matrix(struct flat *f, uint32_t name)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_decl decl;

	if (find_matrix(f, name) < f->count)
		return true;
	if (f->count == MAX_MATRICES ||
	    !ao_decl_find(&decl, tokens, f->columns->node->child, name) ||
	    decl.base == AO_TYPE_OTHER || decl.pointers ||
	    decl.dim_count != 2 ||
	    !ao_span_same(tokens, decl.dims[1], f->columns->bound) ||
	    !means_the_same(f, decl.dims[1]) ||
	    (decl.node && ao_node_is_within(decl.node, f->rows->node)))
		return false;
	f->matrices[f->count++] = decl;
	return true;
}

/* Whether the counters only say which element it is, and always the same. */
static bool read_elements(struct flat *f)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_span body = f->columns->node->child->span;
	bool has_any = false;

	for (uint32_t i = body.first; i < body.end; i++) {
		uint32_t len = 0;

		if (!ao_token_is_word(tokens, i))
			continue;
		if (ao_token_same(tokens, i, f->rows->var) ||
		    ao_token_same(tokens, i, f->columns->var))
			return false;
		if ((len = two_subscripts(f, i)) && !note_matrix(f, i))
			return false;
		if (!len)
			len = one_subscript(f, i);
		if (len && ao_token_is(tokens, i + len, "["))
			return false;
		has_any |= len > 0;
		i += len ? len - 1 : 0;
	}
	return has_any;
}

/* Whether a comment stands between two bytes of the source. */
static bool has_comment(const struct ao_tokens *tokens, size_t at, size_t end)
{
	for (uint32_t i = 0; i < tokens->count; i++)
		if (tokens->v[i].kind == AO_TOKEN_COMMENT &&
		    tokens->v[i].at >= at && tokens->v[i].at < end)
			return true;
	return false;
}

static bool is_plain(const struct ao_unit *unit, const struct ao_for *loop)
{
	return loop && loop->node->child &&
	       ao_for_is_plain(loop, &unit->tokens) &&
	       ao_counter_is_wide(unit, loop) &&
	       ao_counter_is_private(unit, loop) &&
	       ao_node_annotated(loop->node) == loop->node;
}

static bool find_flat(struct flat *out, struct ao_unit *unit,
		      const struct ao_for *rows)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *inner, *body;

	if (!is_plain(unit, rows) || !ao_node_function(rows->node))
		return false;
	inner = ao_node_body(rows->node);
	*out = (struct flat){ .unit = unit,
			      .rows = rows,
			      .columns = inner && !inner->next
						 ? ao_unit_loop(unit, inner)
						 : NULL };
	if (!is_plain(unit, out->columns) ||
	    ao_unit_is_ours(unit, rows->node->span) ||
	    ao_unit_is_fallback(unit, rows->node) ||
	    ao_unit_has_jump(unit, rows->node->span) ||
	    ao_unit_has_directive(unit, rows->node->span) ||
	    !ao_unit_is_fixed(unit, inner, out->columns->bound, rows->node))
		return false;
	body = inner->child;
	return !has_comment(tokens, ao_span_at(tokens, rows->node->span),
			    ao_span_at(tokens, body->span)) &&
	       !has_comment(tokens, ao_span_at_end(tokens, inner->span),
			    ao_span_at_end(tokens, rows->node->span)) &&
	       read_elements(out);
}

/* Whether a row ends with less than a vector; so it may if that is unknown. */
static bool has_remainder(const struct flat *f)
{
	double columns = ao_unit_value(f->unit, f->columns->bound);

	return columns < 1 || (int64_t)columns % ao_unit_lanes(f->unit) != 0;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct flat flat;
		char *params;

		if (!find_flat(&flat, unit, &unit->loops[site]) ||
		    !has_remainder(&flat))
			continue;
		params = ao_xstrf("site=%zu", site);
		ao_offer(offers, params, "elementwise,remainder", 0.25,
			 "go through all elements in one loop",
			 "Each row that the nest at line %" PRIu32
			 " goes through ends with elements that fill no "
			 "vector and are done one by one. The rows lie end to "
			 "end: one loop over all elements has such a remainder "
			 "once.",
			 ao_unit_line(unit, flat.rows->node));
		free(params);
	}
}

static void name_matrices(struct flat *f)
{
	struct ao_span all = ao_node_function(f->rows->node)->span;

	for (size_t n = 0; n < f->count; n++) {
		char *wish = ao_xstrf(
			"%s_all", ao_unit_word(f->unit, f->matrices[n].name));

		f->names[n] = ao_unit_fresh_name(f->unit, all, wish);
		free(wish);
	}
}

/* "const float *x_all = (const float *)x;" for each matrix. */
static bool declare_pointers(struct ao_edits *edits, struct flat *f)
{
	struct ao_span nest = f->rows->node->span;
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_draft d;
	bool is_placed;

	if (!f->count)
		return true;
	ao_draft_init(&d, f->unit, ao_span_at(tokens, nest));
	for (size_t n = 0; n < f->count; n++) {
		const struct ao_decl *m = &f->matrices[n];
		bool is_written = ao_decl_is_written(tokens, nest, m->name);
		char *type = ao_counter_bare_type(f->unit, m->type);

		ao_draft_line(&d, "%s%s *%s = (%s%s *)%s;",
			      is_written ? "" : "const ", type, f->names[n],
			      is_written ? "" : "const ", type,
			      ao_unit_word(f->unit, m->name));
	}
	ao_draft_blank(&d);
	is_placed = ao_place_around(edits, f->unit, f->rows, d.text.ptr, NULL);
	ao_draft_release(&d);
	return is_placed;
}

/* The elements by the one counter. */
static void rename_elements(struct ao_edits *edits, const struct flat *f,
			    const char *counter)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_span body = f->columns->node->child->span;

	for (uint32_t i = body.first; i < body.end; i++) {
		uint32_t two = two_subscripts(f, i);
		uint32_t len = two ? two : one_subscript(f, i);
		struct ao_span element = { i, i + len };
		char *text;

		if (!len)
			continue;
		text = ao_xstrf("%s[%s]",
				two ? f->names[find_matrix(f, i)]
				    : ao_unit_word(f->unit, i),
				counter);
		ao_edits_replace_span(edits, tokens, element, text);
		free(text);
		i += len - 1;
	}
}

/* Whether an extent is never less than 0, as far as we know. */
static bool is_extent(const struct flat *f, struct ao_span bound)
{
	static const char *const words[] = { "size_t", "unsigned", "uint32_t",
					     "uint64_t" };
	const struct ao_tokens *tokens = &f->unit->tokens;
	struct ao_decl decl;

	if (ao_unit_is_constant(f->unit, f->rows->node, bound))
		return true;
	if (bound.end - bound.first != 1 ||
	    !ao_decl_find(&decl, tokens, f->rows->node, bound.first))
		return false;
	for (size_t n = 0; n < AO_ARRAY_SIZE(words); n++) {
		if (ao_span_has(tokens, decl.type, words[n]))
			return true;
	}
	return false;
}

/* How many elements there are: none, if two extents are less than 0. */
static char *say_count(const struct flat *f, const char *type)
{
	char *rows = ao_unit_operand(f->unit, f->rows->bound);
	char *columns = ao_unit_operand(f->unit, f->columns->bound);

	return is_extent(f, f->rows->bound) || is_extent(f, f->columns->bound)
		       ? ao_xstrf("(%s)%s * %s", type, rows, columns)
		       : ao_xstrf("(%s > 0 ? (%s)%s * %s : 0)", columns, type,
				  rows, columns);
}

/* One head for two, and the body a level less deep. */
static void join_heads(struct ao_edits *edits, const struct flat *f,
		       const char *counter)
{
	const struct ao_tokens *tokens = &f->unit->tokens;
	const char *newline, *indent = f->unit->indent;
	const struct ao_node *body = f->columns->node->child;
	size_t start = ao_span_at(tokens, f->rows->node->span);
	size_t at = ao_span_at(tokens, body->span);
	size_t end = ao_span_at_end(tokens, f->columns->node->span);
	char *type = ao_counter_type(f->unit, f->columns);
	char *between = body->kind == AO_NODE_BLOCK
				? ao_xstrdup(" ")
				: ao_xstrf("%s%s%s", f->unit->newline,
					   ao_unit_indent_at(f->unit, start),
					   indent);
	char *head, *count;

	/* All elements may be more than an int can count. */
	if (strstr(type, "int") || strstr(type, "short"))
		type = ao_pool_strndup(&f->unit->pool, "long", 4);
	count = say_count(f, type);
	head = ao_xstrf("for (%s %s = 0; %s < %s; %s++)%s", type, counter,
			counter, count, counter, between);
	free(count);
	ao_edits_replace(edits, start, at, head);
	while ((newline = memchr(tokens->text + at, '\n', end - at))) {
		at = (size_t)(newline - tokens->text) + 1;
		if (end - at > strlen(indent) &&
		    !memcmp(tokens->text + at, indent, strlen(indent)))
			ao_edits_replace(edits, at, at + strlen(indent), "");
	}
	ao_edits_replace(edits, end,
			 ao_span_at_end(tokens, f->rows->node->span), "");
	free(between);
	free(head);
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_for *loop = ao_move_loop(unit, params);
	struct flat flat;
	char *counter;

	if (!loop || !find_flat(&flat, unit, loop))
		return false;
	counter = ao_unit_fresh_name(unit, ao_node_function(loop->node)->span,
				     "at");
	name_matrices(&flat);
	if (!declare_pointers(edits, &flat))
		return false;
	join_heads(edits, &flat, counter);
	rename_elements(edits, &flat, counter);
	return true;
}

const struct ao_move ao_move_flatten = {
	.name = "flatten",
	.propose = propose,
	.apply = apply,
};
