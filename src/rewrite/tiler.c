/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/tiler.h"

void ao_tiler_open_for(struct ao_tiler *t, const char *type, const char *var,
		       const char *from, const char *end, const char *tail)
{
	ao_draft_open(&t->d, "for (%s %s = %s; %s < %s; %s++)%s", type, var,
		      from, var, end, var, tail);
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

/* sums[r][v] += ... for one r and v. */
static void write_sum(struct ao_tiler *t)
{
	const struct ao_tile_words *w = &t->w;

	ao_draft_line(&t->d, "%s[%s][%s] += %s *", w->sums, w->r, w->v,
		      ao_tile_left(&t->w));
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
