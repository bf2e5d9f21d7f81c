/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/local.h"
#include "rewrite/prelude.h"
#include "rewrite/tile.h"
#include "rewrite/tiler.h"

/* Copy the right factor's part of row k of a panel to where it is read from. */
static void write_panel_row(struct ao_tiler *t, const char *panel)
{
	const struct ao_tile_words *w = &t->w;

	ao_draft_line(&t->d, "float *%s = (float *)%s[%s - %s];", w->to, panel,
		      w->k, w->k0);
	ao_draft_blank(&t->d);
	ao_tiler_open_for(t, "int", w->lane, "0", w->cols, "");
	ao_draft_line(&t->d, "%s[%s] = %s;", w->to, w->lane,
		      ao_tile_right_lane(&t->w));
	ao_draft_outdent(&t->d);
}

static void write_panel(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	ao_tiler_open_for(t, w->k_type, w->k, w->k0, w->k1, " {");
	write_panel_row(t, w->panel);
	if (t->has_fetches)
		ao_draft_line(&t->d, "VEC_FETCH(%s);",
			      ao_tile_next_stripe(&t->w));
	ao_draft_close(&t->d, "}");
}

/* All tiles of a stripe of columns, for the rows of this block. */
static void write_stripe(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	const char *first = t->is_blocked ? w->row0 : "0";
	const char *end = t->is_blocked ? w->row1 : w->i_bound;

	if (t->has_narrow_stripe) {
		ao_draft_line(
			&t->d,
			"/* In a narrow stripe only the last vector is new. */");
		ao_draft_line(&t->d,
			      "const int %s = %s - %s >= %s - VEC_LANES;",
			      w->narrow, w->col, w->j0, w->cols);
		ao_draft_blank(&t->d);
	}
	ao_tiler_open_steps(t, w->i_type, w->row, first, end, w->rows);
	ao_tiler_write_start(t, w->i_type, w->i0, w->row, end, w->rows);
	ao_tiler_write_tile(t);
	ao_draft_close(&t->d, "}");
}

/* Parts of a range from 0 to `bound`, each from `first` to `end`. */
static void open_parts(struct ao_tiler *t, const char *type, const char *first,
		       const char *end, const char *bound)
{
	ao_draft_open(&t->d, "for (%s %s = 0, %s; %s < %s; %s = %s) {", type,
		      first, end, first, bound, first, end);
}

static void open_panels(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	open_parts(t, w->k_type, w->k0, w->k1, w->k_bound);
	ao_draft_line(&t->d, "%s = %s - %s < %s ? %s : %s + %s;", w->k1,
		      w->k_bound, w->k0, w->depth, w->k_bound, w->k0, w->depth);
}

static void open_blocks(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	open_parts(t, w->i_type, w->row0, w->row1, w->i_bound);
	ao_draft_line(&t->d, "/* The last block has the rest of the rows. */");
	ao_draft_line(&t->d, "%s = %s - %s < 2 * %s ? %s : %s + %s;", w->row1,
		      w->i_bound, w->row0, w->block, w->i_bound, w->row0,
		      w->block);
}

/* One panel after the other, each with its tiles. */
static void write_panels(struct ao_tiler *t)
{
	open_panels(t);
	write_panel(t);
	write_stripe(t);
	ao_draft_close(&t->d, "}");
}

/* The stripes that are packed together, each from its column on. */
static void open_stripes(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	ao_tiler_open_steps(t, w->j_type, w->col, w->col0, w->col1, w->cols);
	ao_tiler_write_start(t, w->j_type, w->j0, w->col, w->j_bound, w->cols);
}

/* Row after row of the right factor, so that it is read in order. */
static void write_wide_panels(struct ao_tiler *t, const char *panel)
{
	const struct ao_tile_words *w = &t->w;

	ao_tiler_open_for(t, w->k_type, w->k, w->k0, w->k1, "");
	open_stripes(t);
	write_panel_row(t, panel);
	ao_draft_line(&t->d, "/* What another stripe has is added once. */");
	ao_draft_open(&t->d, "for (%s %s = 0; %s && %s < %s - %s; %s++)",
		      w->j_type, w->lane, w->k0, w->lane, w->col, w->j0,
		      w->lane);
	ao_draft_line(&t->d, "%s[%s] = 0.0f;", w->to, w->lane);
	ao_draft_outdent(&t->d);
	ao_draft_close(&t->d, "}");
	ao_draft_outdent(&t->d);
}

/* Stripes that stay in the second cache, for all rows. */
static void write_wide_stripes(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	char *panel = ao_xstrf("%s[(%s - %s) / %s]", w->panels, w->col, w->col0,
			       w->cols);

	open_panels(t);
	open_parts(t, w->j_type, w->col0, w->col1, w->j_bound);
	ao_draft_line(&t->d, "%s = %s - %s < %s * %s ?", w->col1, w->j_bound,
		      w->col0, w->stripes, w->cols);
	ao_draft_line(&t->d, "%s%s : %s + %s * %s;", t->unit->indent,
		      w->j_bound, w->col0, w->stripes, w->cols);
	write_wide_panels(t, panel);
	open_blocks(t);
	if (t->has_lefts)
		ao_tiler_write_lefts(t);
	open_stripes(t);
	ao_draft_line(&t->d, "vec_float (*%s)[%s] = %s;", w->panel, w->vecs,
		      panel);
	ao_draft_blank(&t->d);
	write_stripe(t);
	for (int n = 0; n < 4; n++)
		ao_draft_close(&t->d, "}");
	free(panel);
}

/* Declare again what code that is copied as it is needs to know of its row. */
static void write_row_names(struct ao_tiler *t, struct ao_span user)
{
	const struct ao_product *p = t->p;
	const struct ao_tokens *tokens = &t->unit->tokens;

	for (size_t n = 0; n < p->recalled_count; n++) {
		struct ao_span span = p->recalled[n]->span;
		struct ao_decl decl;

		if (ao_local_read(&decl, t->unit, p->recalled[n]) &&
		    ao_decl_is_used(tokens, user, decl.name))
			ao_draft_copy(&t->d, ao_span_at(tokens, span),
				      ao_span_at_end(tokens, span));
	}
	for (size_t n = 0; n < p->carried_count; n++) {
		const struct ao_decl *decl = &p->carried[n];
		char *name = ao_unit_word(t->unit, decl->name);

		if (ao_decl_is_used(tokens, user, decl->name))
			ao_draft_line(&t->d, "%s %s = %s_of[%s - %s];",
				      ao_counter_bare_type(t->unit, decl->type),
				      name, name, t->w.i, t->w.row0);
	}
}

/* The same for what is known of a column. */
static void write_column_names(struct ao_tiler *t)
{
	const struct ao_product *p = t->p;
	const struct ao_tokens *tokens = &t->unit->tokens;
	bool is_used = false;

	for (size_t n = 0; n < p->env.count; n++) {
		uint32_t name = p->env.bindings[n].name;

		is_used |= name >= p->column.first && name < p->column.end &&
			   ao_decl_is_used(tokens, p->use, name);
	}
	if (is_used)
		ao_draft_copy(&t->d, ao_span_at(tokens, p->column),
			      ao_span_at_end(tokens, p->column));
}

static void write_target_use(struct ao_tiler *t)
{
	ao_draft_line(&t->d, "%s %s", ao_tile_target(&t->w),
		      t->p->adds ? "+=" : "=");
	ao_draft_line(&t->d, "%s%s;", t->unit->indent, ao_tile_finished(&t->w));
}

static void write_natural_use(struct ao_tiler *t)
{
	const struct ao_tokens *tokens = &t->unit->tokens;

	write_column_names(t);
	ao_draft_line(&t->d, "float %s = %s;", ao_unit_word(t->unit, t->p->sum),
		      ao_tile_finished(&t->w));
	ao_draft_blank(&t->d);
	ao_draft_copy(&t->d, ao_span_at(tokens, t->p->use),
		      ao_span_at_end(tokens, t->p->use));
}

/* Use the finished sums of a stripe, but not those that were used before. */
static void write_use(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	char *end = ao_xstrf("%s + %s", w->j0, w->cols);

	ao_tiler_open_for(t, w->i_type, w->i, w->row0, w->row1, " {");
	if (!t->p->target)
		write_row_names(t, t->p->use);
	ao_tiler_open_for(t, w->j_type, w->j, w->col, end, " {");
	if (t->p->target)
		write_target_use(t);
	else
		write_natural_use(t);
	ao_draft_close(&t->d, "}");
	ao_draft_close(&t->d, "}");
	free(end);
}

static void write_stripes(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	ao_tiler_open_steps(t, w->j_type, w->col, "0", w->j_bound, w->cols);
	ao_draft_line(&t->d, "/* The last tile ends where the matrix does. */");
	ao_tiler_write_start(t, w->j_type, w->j0, w->col, w->j_bound, w->cols);
	ao_draft_blank(&t->d);
	if (w->is_packed)
		write_panels(t);
	else
		write_stripe(t);
	if (w->has_part)
		write_use(t);
	ao_draft_close(&t->d, "}");
}

static void write_before(struct ao_tiler *t)
{
	const struct ao_product *p = t->p;
	const struct ao_tile_words *w = &t->w;

	ao_tiler_open_for(t, w->i_type, w->i, w->row0, w->row1, " {");
	ao_draft_copy(&t->d, p->before.at, p->before.end);
	for (size_t n = 0; n < p->carried_count; n++) {
		char *name = ao_unit_word(t->unit, p->carried[n].name);

		ao_draft_line(&t->d, "%s_of[%s - %s] = %s;", name, w->i,
			      w->row0, name);
	}
	ao_draft_close(&t->d, "}");
}

static void write_after(struct ao_tiler *t)
{
	const struct ao_product *p = t->p;

	ao_tiler_open_for(t, t->w.i_type, t->w.i, t->w.row0, t->w.row1, " {");
	write_row_names(t, p->after_code);
	ao_draft_copy(&t->d, p->after.at, p->after.end);
	ao_draft_close(&t->d, "}");
}

static void write_blocks(struct ao_tiler *t)
{
	open_blocks(t);
	if (t->p->has_before)
		write_before(t);
	if (t->has_lefts)
		ao_tiler_write_lefts(t);
	write_stripes(t);
	if (t->p->has_after)
		write_after(t);
	ao_draft_close(&t->d, "}");
}

/* Declarations at the head of the tiled way. */
static void write_buffers(struct ao_tiler *t)
{
	const struct ao_product *p = t->p;
	const struct ao_tile_words *w = &t->w;

	if (t->shape->stripes)
		ao_draft_line(
			&t->d,
			"vec_float %s[%s][%s][%s] __attribute__((aligned(64)));",
			w->panels, w->stripes, w->depth, w->vecs);
	else if (w->is_packed)
		ao_draft_line(
			&t->d,
			"vec_float %s[%s][%s] __attribute__((aligned(64)));",
			w->panel, w->depth, w->vecs);
	if (t->has_lefts)
		ao_tiler_write_lefts_buffer(t);
	if (w->has_part)
		ao_draft_line(&t->d, "vec_float %s[2 * %s][%s];", w->part,
			      w->block, w->vecs);
	for (size_t n = 0; n < p->carried_count; n++)
		ao_draft_line(&t->d, "%s %s_of[2 * %s];",
			      ao_counter_bare_type(t->unit, p->carried[n].type),
			      ao_unit_word(t->unit, p->carried[n].name),
			      w->block);
	if (w->is_packed || t->has_lefts || w->has_part || p->carried_count)
		ao_draft_blank(&t->d);
}

static void write_nest(struct ao_tiler *t)
{
	const struct ao_product *p = t->p;
	const struct ao_tile_words *w = &t->w;
	char *too_small = ao_xstrf("%s < %s || %s < %s || %s < 1", w->i_bound,
				   w->rows, w->j_bound, w->cols, w->k_bound);

	ao_draft_fall_back(&t->d, too_small, "Too small for a tile.", p->span);
	free(too_small);
	ao_draft_line(&t->d, "/*");
	ao_draft_line(&t->d, " * In tiles of %s x %s sums", w->rows, w->cols);
	ao_draft_line(&t->d, " * that stay in registers.%s",
		      w->is_packed ? "  What a stripe of tiles needs of" : "");
	if (w->is_packed)
		ao_draft_line(&t->d, " * the right factor is packed for it%s.",
			      t->shape->stripes ? ", several at a time" : "");
	if (t->has_lefts)
		ao_draft_line(
			&t->d,
			" * The left factor is packed by blocks of rows.");
	ao_draft_line(&t->d, " */");
	write_buffers(t);
	if (t->shape->stripes)
		write_wide_stripes(t);
	else if (t->is_blocked)
		write_blocks(t);
	else
		write_stripes(t);
	ao_draft_close(&t->d, "}");
}

/* The constants, by which a sweep finds what it may vary. */
static char *say_constants(const struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	struct ao_buf out = AO_BUF_INIT(1024);

	ao_buf_addstr(&out, "/* A tile of a product: rows, vectors in a row");
	if (w->is_packed)
		ao_buf_addstr(&out, ", depth packed");
	if (t->is_blocked)
		ao_buf_addstr(&out, ", rows a block");
	if (t->shape->stripes)
		ao_buf_addstr(&out, ",\n * stripes packed together");
	ao_buf_addf(&out, ". */\nenum {\n\t%s = %d,\n\t%s = %d,\n", w->rows,
		    t->shape->rows, w->vecs, t->shape->vecs);
	if (w->is_packed)
		ao_buf_addf(&out, "\t%s = %d,\n", w->depth, t->shape->depth);
	if (t->is_blocked)
		ao_buf_addf(&out, "\t%s = %d,\n", w->block, t->shape->block);
	if (t->shape->stripes)
		ao_buf_addf(&out, "\t%s = %d,\n", w->stripes,
			    t->shape->stripes);
	ao_buf_addf(&out, "\t%s = %s * VEC_LANES,\n};\n", w->cols, w->vecs);
	return ao_buf_take(&out);
}

/* Whether what sums start from is a vector that can be loaded or spread. */
static bool init_is_vector(const struct ao_unit *unit,
			   const struct ao_product *p)
{
	if (!p->init)
		return true;
	if (!ao_term_is_float(unit, &p->env, p->k->node, p->init))
		return false;
	return !ao_term_depends(&p->env, p->init, p->j->var) ||
	       (p->init->kind == AO_TERM_INDEX &&
		ao_access_stride(&p->env, p->init, p->j->var) == AO_STRIDE_ONE);
}

static bool needs_part(const struct ao_unit *unit, const struct ao_product *p)
{
	return !p->target || p->adds || !init_is_vector(unit, p);
}

bool ao_tile_needs_block(const struct ao_unit *unit,
			 const struct ao_product *product)
{
	return needs_part(unit, product) || product->has_before ||
	       product->has_after;
}

/* Let the function's vectors stay whole; after all else before it is written.
 */
static void mark_function(struct ao_edits *edits, struct ao_unit *unit,
			  const struct ao_node *function)
{
	size_t at = ao_span_at(&unit->tokens, function->span);
	char *mark = ao_xstrf("VEC_WIDE%s", unit->newline);

	if (!ao_span_has(&unit->tokens, function->span, "VEC_WIDE"))
		ao_edits_replace(edits, at, at, mark);
	free(mark);
}

/* Of more stripes, less than a part of one is under 3 % of the time. */
enum { MOST_STRIPES = 16 };

/*
 * Whether the tiles at the right edge are mostly done by those before.  A
 * second loop for them is more to read: it is only written where it pays.
 */
static bool ends_narrow(struct ao_unit *unit, const struct ao_product *product,
			const struct ao_tile_shape *shape)
{
	int64_t columns = (int64_t)ao_unit_value(unit, product->j->bound);
	int64_t lanes = ao_unit_lanes(unit);
	int64_t width = lanes * shape->vecs;

	return shape->vecs > 1 && columns < MOST_STRIPES * width &&
	       columns % width > 0 && columns % width <= lanes;
}

/* A block of the left factor is on the stack: at most 1 MiB, twice at the end.
 */
enum { MOST_LEFT_FLOATS = 1 << 18 };

/* Whether there is a bound for what is packed of the left factor. */
static bool fits_left(struct ao_unit *unit, const struct ao_product *product,
		      const struct ao_tile_shape *shape)
{
	double depth = ao_unit_value(unit, product->k->bound);

	if (!shape->block || shape->stripes)
		return shape->block > 0;
	return ao_unit_is_constant(unit, product->site->node,
				   product->k->bound) &&
	       depth > 0 && shape->block * depth <= MOST_LEFT_FLOATS;
}

static bool fits(struct ao_unit *unit, const struct ao_product *product,
		 const struct ao_tile_shape *shape)
{
	bool needs_block = ao_tile_needs_block(unit, product);

	if (shape->rows < 1 || shape->rows > AO_MAX_TILE_ROWS ||
	    shape->vecs < 1 || shape->vecs > AO_MAX_TILE_VECS)
		return false;
	if (shape->stripes && (!shape->depth || !shape->block || needs_block))
		return false;
	if (shape->block ? shape->block < shape->rows : needs_block)
		return false;
	if (shape->left && !fits_left(unit, product, shape))
		return false;
	return shape->depth ||
	       ao_factors_right_is_row(&product->factors, &product->env,
				       product->j->var);
}

bool ao_tile_write(struct ao_edits *edits, struct ao_unit *unit,
		   const struct ao_product *product,
		   const struct ao_tile_shape *shape)
{
	const struct ao_tokens *tokens = &unit->tokens;
	const struct ao_node *function = ao_node_function(product->site->node);
	struct ao_tiler t = { .unit = unit, .p = product, .shape = shape };
	bool has_fetches = shape->depth && !shape->stripes &&
			   ao_factors_right_is_row(&product->factors,
						   &product->env,
						   product->j->var);
	char *constants;

	if (!function || !fits(unit, product, shape) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_VECTOR) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_WIDE) ||
	    (has_fetches && !ao_prelude_need(edits, unit, AO_HELPER_FETCH)))
		return false;
	t.is_blocked = shape->block > 0;
	t.has_lefts = shape->left;
	t.is_left_in_panels = shape->stripes > 0;
	t.has_fetches = has_fetches;
	t.has_narrow_stripe = ends_narrow(unit, product, shape);
	ao_tile_words_init(&t.w, unit, product, shape->depth > 0,
			   needs_part(unit, product));
	ao_draft_init(&t.d, unit, ao_span_at(tokens, product->span));
	write_nest(&t);
	ao_edits_replace_span(edits, tokens, product->span, t.d.text.ptr);
	ao_draft_release(&t.d);
	constants = say_constants(&t);
	ao_prelude_add(edits, unit, constants);
	free(constants);
	mark_function(edits, unit, function);
	return true;
}
