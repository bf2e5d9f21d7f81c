/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/tiler.h"

void ao_tiler_open_for(struct ao_tiler *t, const char *type, const char *var,
		       const char *from, const char *end, const char *tail)
{
	ao_draft_open(&t->d, "for (%s %s = %s; %s < %s; %s++)%s", type, var,
		      from, var, end, var, tail);
}

void ao_tiler_open_steps(struct ao_tiler *t, const char *type, const char *var,
			 const char *from, const char *end, const char *step)
{
	ao_draft_open(&t->d, "for (%s %s = %s; %s < %s; %s += %s) {", type, var,
		      from, var, end, var, step);
}

void ao_tiler_write_start(struct ao_tiler *t, const char *type,
			  const char *name, const char *wanted, const char *end,
			  const char *size)
{
	ao_draft_line(&t->d, "const %s %s =", type, name);
	ao_draft_line(&t->d, "%s%s < %s - %s ? %s : %s - %s;", t->unit->indent,
		      wanted, end, size, wanted, end, size);
}

/* The loops over the rows and vectors of a tile, unrolled. */
static void open_rows(struct ao_tiler *t, const char *tail)
{
	ao_draft_line(&t->d, "VEC_UNROLL");
	ao_tiler_open_for(t, "int", t->w.r, "0", t->w.rows, tail);
}

static void open_vecs(struct ao_tiler *t, const char *tail)
{
	ao_draft_line(&t->d, "VEC_UNROLL");
	ao_tiler_open_for(t, "int", t->w.v, "0", t->w.vecs, tail);
}

/* Where row k of a tile's left factor is packed: within a panel, or all of it.
 */
static char *packed_k(const struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	return t->is_left_in_panels ? ao_xstrf("%s - %s", w->k, w->k0)
				    : ao_xstrdup(w->k);
}

/* A block may have all but twice its rows: the last one has the rest. */
void ao_tiler_write_lefts_buffer(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	ao_draft_line(&t->d, "float %s[2 * %s / %s + 1][%s][%s]", w->lefts,
		      w->block, w->rows,
		      t->is_left_in_panels ? w->depth : w->k_bound, w->rows);
	ao_draft_line(&t->d, "%s__attribute__((aligned(64)));",
		      t->unit->indent);
}

/*
 * By rows of k, in the order in which a factor that needs it lies in memory.
 * A tile that is moved back has its own copy of what the one before it has, so
 * that all are read alike.
 */
void ao_tiler_write_lefts(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	const char *from = t->is_left_in_panels ? w->k0 : "0";
	const char *end = t->is_left_in_panels ? w->k1 : w->k_bound;
	char *k = packed_k(t);

	ao_tiler_open_for(t, w->k_type, w->k, from, end, "");
	ao_tiler_open_steps(t, w->i_type, w->row, w->row0, w->row1, w->rows);
	ao_tiler_write_start(t, w->i_type, w->i0, w->row, w->row1, w->rows);
	ao_draft_line(&t->d, "float *%s = %s[(%s - %s) / %s][%s];", w->to,
		      w->lefts, w->row, w->row0, w->rows, k);
	ao_draft_blank(&t->d);
	open_rows(t, "");
	ao_draft_line(&t->d, "%s[%s] = %s;", w->to, w->r, ao_tile_left(&t->w));
	ao_draft_outdent(&t->d);
	ao_draft_close(&t->d, "}");
	ao_draft_outdent(&t->d);
	free(k);
}

/* sums[r][v] += ... for one r and v. */
static void write_sum(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	char *k = packed_k(t);

	ao_draft_line(&t->d, "%s[%s][%s] += %s *", w->sums, w->r, w->v,
		      t->has_lefts ? ao_tile_packed_left(&t->w, k)
				   : ao_tile_left(&t->w));
	free(k);
	ao_draft_line(&t->d, "%s%s;", t->unit->indent,
		      ao_tile_right_vector(&t->w));
}

static void open_depth(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	if (w->is_packed)
		ao_tiler_open_for(t, w->k_type, w->k, w->k0, w->k1, "");
	else
		ao_tiler_open_for(t, w->k_type, w->k, "0", w->k_bound, "");
	open_rows(t, "");
}

/* The sums of the last vector alone; what follows are those of all. */
static void write_narrow_sums(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	ao_draft_open(&t->d, "if (%s) {", w->narrow);
	ao_draft_line(&t->d, "const int %s = %s - 1;", w->v, w->vecs);
	ao_draft_blank(&t->d);
	open_depth(t);
	write_sum(t);
	for (int n = 0; n < 3; n++)
		ao_draft_outdent(&t->d);
	ao_draft_open(&t->d, "} else {");
}

static void write_sums(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	if (t->has_lefts)
		ao_draft_line(&t->d, "float (*%s)[%s] = %s[(%s - %s) / %s];",
			      w->left, w->rows, w->lefts, w->row, w->row0,
			      w->rows);
	ao_draft_line(&t->d, "vec_float %s[%s][%s] = { { { 0 } } };", w->sums,
		      w->rows, w->vecs);
	ao_draft_blank(&t->d);
	if (t->has_narrow_stripe)
		write_narrow_sums(t);
	open_depth(t);
	open_vecs(t, "");
	write_sum(t);
	for (int n = 0; n < 3; n++)
		ao_draft_outdent(&t->d);
	if (t->has_narrow_stripe)
		ao_draft_close(&t->d, "}");
}

/* Store or add the sums of vector v. */
static void write_vector(struct ao_tiler *t, const char *factor)
{
	const struct ao_tile_words *w = &t->w;
	char *init = ao_tile_init(&t->w);
	char *sum = ao_xstrf("%s[%s][%s]%s%s", w->sums, w->r, w->v,
			     factor ? " * " : "", factor ? w->factor : "");

	ao_draft_line(&t->d, "vec_float *%s =", w->to);
	ao_draft_line(&t->d, "%s%s;", t->unit->indent,
		      ao_tile_destination(&t->w));
	ao_draft_blank(&t->d);
	if (w->is_packed) {
		ao_draft_open(&t->d, "if (%s)", w->k0);
		ao_draft_line(&t->d, "*%s += %s;", w->to, sum);
		ao_draft_outdent(&t->d);
		ao_draft_open(&t->d, "else");
	}
	ao_draft_line(&t->d, "*%s = %s%s%s;", w->to, init ? init : "",
		      init ? " + " : "", sum);
	if (w->is_packed)
		ao_draft_outdent(&t->d);
	free(sum);
}

static void write_store(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;
	char *factor = ao_tile_factor(&t->w);

	open_rows(t, " {");
	if (factor) {
		ao_draft_line(&t->d, "const float %s = %s;", w->factor, factor);
		ao_draft_blank(&t->d);
	}
	if (w->is_packed) {
		ao_draft_line(&t->d, "/* Done by the tile before? */");
		ao_draft_open(&t->d, "if (%s && %s + %s < %s)", w->k0, w->i0,
			      w->r, w->row);
		ao_draft_line(&t->d, "continue;");
		ao_draft_outdent(&t->d);
	}
	open_vecs(t, " {");
	if (t->has_narrow_stripe) {
		ao_draft_open(&t->d, "if (%s && %s < %s - 1)", w->narrow, w->v,
			      w->vecs);
		ao_draft_line(&t->d, "continue;");
		ao_draft_outdent(&t->d);
	}
	write_vector(t, factor);
	ao_draft_close(&t->d, "}");
	ao_draft_close(&t->d, "}");
}

void ao_tiler_write_tile(struct ao_tiler *t)
{
	write_sums(t);
	write_store(t);
}
