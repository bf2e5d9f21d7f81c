/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/tile_words.h"
#include "util/limits.h"

/* A string that is the unit's from now on. */
static char *pooled(struct ao_unit *unit, char *text)
{
	char *copy = ao_pool_strndup(&unit->pool, text, strlen(text));

	free(text);
	return copy;
}

static void name_counters(struct ao_tile_words *w)
{
	const struct ao_product *p = w->p;

	w->i = ao_unit_word(w->unit, p->i->var);
	w->j = ao_unit_word(w->unit, p->j->var);
	w->k = ao_unit_word(w->unit, p->k->var);
	w->i_type = ao_counter_type(w->unit, p->i);
	w->j_type = ao_counter_type(w->unit, p->j);
	w->k_type = ao_counter_type(w->unit, p->k);
	w->i_bound = ao_unit_operand(w->unit, p->i->bound);
	w->j_bound = ao_unit_operand(w->unit, p->j->bound);
	w->k_bound = ao_unit_operand(w->unit, p->k->bound);
}

/*
 * Constants stand at the top of the file, so each tile has its own prefix:
 * TILE_, TILE2_, and so on.
 */
static void name_constants(struct ao_tile_words *w)
{
	char *prefix = pooled(w->unit, ao_xstrdup("TILE"));

	w->rows = pooled(w->unit, ao_xstrf("%s_ROWS", prefix));
	for (unsigned n = 2;
	     ao_span_has(&w->unit->tokens, w->unit->file->span, w->rows); n++) {
		prefix = pooled(w->unit, ao_xstrf("TILE%u", n));
		w->rows = pooled(w->unit, ao_xstrf("%s_ROWS", prefix));
	}
	w->vecs = pooled(w->unit, ao_xstrf("%s_VECS", prefix));
	w->cols = pooled(w->unit, ao_xstrf("%s_COLS", prefix));
	w->depth = pooled(w->unit, ao_xstrf("%s_DEPTH", prefix));
	w->block = pooled(w->unit, ao_xstrf("%s_BLOCK", prefix));
	w->stripes = pooled(w->unit, ao_xstrf("%s_STRIPES", prefix));
}

static char *fresh(struct ao_tile_words *w, char *wish)
{
	char *name = ao_unit_fresh_name(w->unit, w->p->span, wish);

	free(wish);
	return name;
}

static void name_variables(struct ao_tile_words *w)
{
	w->row = fresh(w, ao_xstrdup("row"));
	w->col = fresh(w, ao_xstrdup("col"));
	w->r = fresh(w, ao_xstrdup("r"));
	w->v = fresh(w, ao_xstrdup("v"));
	w->lane = fresh(w, ao_xstrdup("lane"));
	w->to = fresh(w, ao_xstrdup("to"));
	w->sums = fresh(w, ao_xstrdup("sums"));
	w->panel = fresh(w, ao_xstrdup("panel"));
	w->panels = fresh(w, ao_xstrdup("panels"));
	w->left = fresh(w, ao_xstrdup("left"));
	w->lefts = fresh(w, ao_xstrdup("lefts"));
	w->part = fresh(w, ao_xstrdup("part"));
	w->factor = fresh(w, ao_xstrdup("factor"));
	w->narrow = fresh(w, ao_xstrdup("narrow"));
	w->row0 = fresh(w, ao_xstrdup("first_row"));
	w->row1 = fresh(w, ao_xstrdup("end_row"));
	w->col0 = fresh(w, ao_xstrdup("first_col"));
	w->col1 = fresh(w, ao_xstrdup("end_col"));
	w->i0 = fresh(w, ao_xstrf("%s0", w->i));
	w->j0 = fresh(w, ao_xstrf("%s0", w->j));
	w->k0 = fresh(w, ao_xstrf("%s0", w->k));
	w->k1 = fresh(w, ao_xstrf("%s1", w->k));
}

/* What counters and carried names are called where they are not themselves. */
static void name_replacements(struct ao_tile_words *w)
{
	const struct ao_product *p = w->p;

	w->said[0].name = p->i->var;
	w->said[0].text = pooled(w->unit, ao_xstrf("%s + %s", w->i0, w->r));
	w->said[1].name = p->j->var;
	w->said_count = 2;
	for (size_t n = 0; n < p->carried_count; n++) {
		uint32_t decl = p->carried[n].name;
		char *name = ao_unit_word(w->unit, decl);
		char *in_tile = ao_xstrf("%s_of[%s + %s - %s]", name, w->i0,
					 w->r, w->row0);
		char *in_row = ao_xstrf("%s_of[%s - %s]", name, w->i, w->row0);

		w->said[w->said_count++] = (struct ao_said){
			decl, pooled(w->unit, in_tile)
		};
		w->row_said[n] = (struct ao_said){ decl,
						   pooled(w->unit, in_row) };
	}
}

void ao_tile_words_init(struct ao_tile_words *out, struct ao_unit *unit,
			const struct ao_product *product, bool is_packed,
			bool has_part)
{
	*out = (struct ao_tile_words){ .unit = unit,
				       .p = product,
				       .is_packed = is_packed,
				       .has_part = has_part };
	name_counters(out);
	name_constants(out);
	name_variables(out);
	name_replacements(out);
}

/* The column of vector v, and of a lane. */
static char *at_vector(struct ao_tile_words *w)
{
	return pooled(w->unit, ao_xstrf("%s + %s * VEC_LANES", w->j0, w->v));
}

static char *at_lane(struct ao_tile_words *w)
{
	return pooled(w->unit, ao_xstrf("%s + %s", w->j0, w->lane));
}

/* A term within a tile, for columns that `j` says. */
static char *say(struct ao_tile_words *w, const struct ao_term *term,
		 const char *j)
{
	w->said[1].text = j;
	return ao_say(w->unit, &w->p->env, term, w->said, w->said_count);
}

/* A term in loops over the nest's own counters. */
static char *say_row(struct ao_tile_words *w, const struct ao_term *term)
{
	return ao_say(w->unit, &w->p->env, term, w->row_said,
		      w->p->carried_count);
}

/* Whether a factor needs parentheses. */
static bool is_loose(const struct ao_tile_words *w, const struct ao_term *term)
{
	return term->kind == AO_TERM_CHOICE ||
	       (term->kind == AO_TERM_BINARY &&
		!ao_term_has_op(term, &w->unit->tokens, "*"));
}

/* Whether a list has to be told that it is one of floats. */
static bool starts_integral(const struct ao_tile_words *w,
			    const struct ao_factor_list *list)
{
	return list->count > 1 && !list->divides[0] &&
	       !ao_term_is_float(w->unit, &w->p->env, w->p->k->node,
				 list->v[0]);
}

/* The product of a list. */
static char *say_factors(struct ao_tile_words *w,
			 const struct ao_factor_list *list, const char *j)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	if (starts_integral(w, list))
		ao_buf_addstr(&out, "(float)");
	for (size_t n = 0; n < list->count; n++) {
		bool divides = list->divides[n];
		bool parens = divides || is_loose(w, list->v[n]) ||
			      (!n && starts_integral(w, list) &&
			       list->v[n]->kind == AO_TERM_BINARY);

		if (divides)
			ao_buf_addstr(&out, n ? " / " : "1.0f / ");
		else if (n)
			ao_buf_addstr(&out, " * ");
		ao_buf_addf(&out, parens ? "(%s)" : "%s",
			    say(w, list->v[n], j));
	}
	return pooled(w->unit, ao_buf_take(&out));
}

char *ao_tile_left(struct ao_tile_words *w)
{
	return say_factors(w, &w->p->factors.left, at_vector(w));
}

char *ao_tile_packed_left(struct ao_tile_words *w, const char *k)
{
	return pooled(w->unit, ao_xstrf("%s[%s][%s]", w->left, k, w->r));
}

char *ao_tile_right_lane(struct ao_tile_words *w)
{
	return say_factors(w, &w->p->factors.right, at_lane(w));
}

char *ao_tile_next_stripe(struct ao_tile_words *w)
{
	const struct ao_term *right = w->p->factors.right.v[0];

	return pooled(w->unit,
		      ao_xstrf("&%s + %s", say(w, right, w->j0), w->cols));
}

char *ao_tile_right_vector(struct ao_tile_words *w)
{
	char *text;

	if (w->is_packed)
		text = ao_xstrf("%s[%s - %s][%s]", w->panel, w->k, w->k0, w->v);
	else
		text = ao_xstrf(
			"*(const vec_float *)&%s",
			say_factors(w, &w->p->factors.right, at_vector(w)));
	return pooled(w->unit, text);
}

char *ao_tile_factor(struct ao_tile_words *w)
{
	if (w->has_part || !w->p->factors.scale.count)
		return NULL;
	return say_factors(w, &w->p->factors.scale, at_vector(w));
}

char *ao_tile_destination(struct ao_tile_words *w)
{
	char *text;

	if (w->has_part)
		text = ao_xstrf("&%s[%s + %s - %s][%s]", w->part, w->i0, w->r,
				w->row0, w->v);
	else
		text = ao_xstrf("(vec_float *)&%s",
				say(w, w->p->target, at_vector(w)));
	return pooled(w->unit, text);
}

char *ao_tile_init(struct ao_tile_words *w)
{
	const struct ao_product *p = w->p;
	char *text;

	if (w->has_part || !p->init)
		return NULL;
	text = say(w, p->init, at_vector(w));
	if (ao_term_depends(&p->env, p->init, p->j->var))
		text = ao_xstrf("*(const vec_float *)&%s", text);
	else
		text = ao_xstrf("((vec_float){ 0 } + %s)", text);
	return pooled(w->unit, text);
}

char *ao_tile_target(struct ao_tile_words *w)
{
	return say_row(w, w->p->target);
}

char *ao_tile_finished(struct ao_tile_words *w)
{
	const struct ao_product *p = w->p;
	const struct ao_factor_list *scale = &p->factors.scale;
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	if (p->init)
		ao_buf_addf(&out, "%s + ", say_row(w, p->init));
	ao_buf_addf(&out, "((float *)%s[%s - %s])[%s - %s]", w->part, w->i,
		    w->row0, w->j, w->j0);
	for (size_t n = 0; n < scale->count; n++)
		ao_buf_addf(&out, " %c (%s)", scale->divides[n] ? '/' : '*',
			    say_row(w, scale->v[n]));
	return pooled(w->unit, ao_buf_take(&out));
}
