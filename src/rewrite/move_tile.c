/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/move_tile.h"
#include "rewrite/moves.h"
#include "rewrite/tile.h"

/* Tiles worth trying, best first, by what the registers can hold. */
struct grid {
	uint32_t vector_bytes; /* at least */
	struct ao_tile_size tiles[AO_TILE_SIZES];
};

/*
 * Sums, a vector of each column and one spread element must fit the registers:
 * 32 of 64 bytes, else 16.
 */
static const struct grid grids[] = {
	{ 64, { { 12, 2 }, { 8, 3 }, { 8, 2 }, { 6, 4 }, { 14, 2 } } },
	{ 0, { { 6, 2 }, { 4, 3 }, { 4, 2 }, { 5, 2 }, { 8, 1 } } },
};

const struct ao_tile_size *ao_tile_sizes(uint32_t vector_bytes)
{
	const struct grid *grid = grids;

	while (grid->vector_bytes > vector_bytes)
		grid++;
	return grid->tiles;
}

enum { DEPTH_MIN = 64, DEPTH_MAX = 1024, DEPTH_UNKNOWN = 512 };

enum { BLOCK_FLOATS = 1 << 16, LEAST_TILES = 8 };

/* A panel as deep as the product, if that is known and not too deep. */
static int choose_depth(double extent)
{
	int depth = DEPTH_MIN;

	if (extent <= 0)
		return DEPTH_UNKNOWN;
	while (depth < extent && depth < DEPTH_MAX)
		depth *= 2;
	return depth;
}

/*
 * Rows by the tile, so many that packing for each block costs little and their
 * results stay in the second cache.
 */
static int choose_block(int rows, double columns)
{
	int tiles = LEAST_TILES;

	while (tiles < 32 && (tiles + 1) * rows * columns <= BLOCK_FLOATS)
		tiles++;
	return rows * tiles;
}

/*
 * Panels of a large right factor are packed together, so that it is read along
 * its rows: in 256 KiB, deep ones that many rows use, or wide ones if there are
 * few rows to use them.
 */
enum {
	WIDE_FROM_FLOATS = 1 << 19,
	WIDE_BLOCK = 96,
	FEW_ROWS = 32,
};

static bool is_large(struct ao_unit *unit, const struct ao_product *p)
{
	return ao_unit_value(unit, p->j->bound) *
		       ao_unit_value(unit, p->k->bound) >
	       WIDE_FROM_FLOATS;
}

static void make_wide(struct ao_tile_shape *shape, double rows)
{
	bool is_low = rows > 0 && rows < FEW_ROWS;

	shape->depth = is_low ? 64 : 512;
	shape->stripes = is_low ? 64 : 8;
	shape->block = WIDE_BLOCK / shape->rows * shape->rows;
}

/*
 * A left factor whose elements for one sum lie far apart is packed as well:
 * else each step of k takes other cache lines, and many of them share a set.
 * With fewer rows than a block, a few lines have all that a step needs.
 */
enum {
	/* Of the right factor, a quarter of the first cache ... */
	LEFT_PANEL_FLOATS = 1 << 11,
	/* ... and of the left one, half of the second. */
	LEFT_BLOCK_FLOATS = 1 << 16,
};

static bool left_is_far(struct ao_unit *unit, const struct ao_product *p)
{
	double rows = ao_unit_value(unit, p->i->bound);

	return !(rows > 0 && rows < WIDE_BLOCK) &&
	       ao_factors_left_is_far(&p->factors, &p->env, p->k->var);
}

/* Both in panels, those of the right one for all columns if they are few. */
static void make_left_wide(struct ao_tile_shape *shape, struct ao_unit *unit,
			   double columns)
{
	int width = shape->vecs * ao_unit_lanes(unit);

	shape->depth = DEPTH_MIN;
	while (shape->depth * 2 * width <= LEFT_PANEL_FLOATS)
		shape->depth *= 2;
	shape->stripes = AO_MAX_STRIPES;
	while (columns > 0 && (shape->stripes - 1) * width >= columns)
		shape->stripes--;
	shape->block = WIDE_BLOCK / shape->rows * shape->rows;
}

/* The left one for blocks of rows that are small enough, with all of k. */
static bool make_left_block(struct ao_tile_shape *shape, struct ao_unit *unit,
			    const struct ao_product *p)
{
	double depth = ao_unit_value(unit, p->k->bound);
	double most = depth > 0 ? LEFT_BLOCK_FLOATS / depth : 0;

	if (shape->block > most)
		shape->block = (int)most / shape->rows * shape->rows;
	return shape->block >= LEAST_TILES * shape->rows &&
	       ao_unit_is_constant(unit, p->site->node, p->k->bound);
}

static char *features_of(struct ao_unit *unit, const struct ao_product *p)
{
	bool is_row = ao_factors_right_is_row(&p->factors, &p->env, p->j->var);
	double rows = ao_unit_value(unit, p->i->bound);

	return ao_xstrf("contraction%s%s%s%s", is_row ? "" : ",strided",
			p->target ? "" : ",use",
			p->has_before || p->has_after ? ",rows" : "",
			rows > 0 && rows < FEW_ROWS ? ",few_rows" : "");
}

/* How slow the nest is as it stands: natural loops stride through memory. */
static double prior_of(const struct ao_product *p)
{
	bool is_natural = p->sum != 0;

	return is_natural ? 3.0 : 1.1;
}

/* A step that has to be taken first. */
struct step {
	const char *name; /* NULL: none */
	size_t site;
};

static const char *title_of(const struct step *before)
{
	if (!before->name)
		return "tile the product in registers";
	return strcmp(before->name, "fuse") == 0
		       ? "fuse both nests and tile their product"
		       : "split the nest and tile its product";
}

static char *say_params(const struct step *before, size_t site,
			const struct ao_tile_shape *shape)
{
	struct ao_buf out = AO_BUF_INIT(256);

	if (before->name)
		ao_buf_addf(&out, "%s=%zu ", before->name, before->site);
	ao_buf_addf(&out, "site=%zu rows=%d vecs=%d depth=%d", site,
		    shape->rows, shape->vecs, shape->depth);
	if (shape->block)
		ao_buf_addf(&out, " block=%d", shape->block);
	if (shape->stripes)
		ao_buf_addf(&out, " stripes=%d", shape->stripes);
	if (shape->left)
		ao_buf_addstr(&out, " left=1");
	return ao_buf_take(&out);
}

static const char *why_panel(const struct ao_tile_shape *shape)
{
	if (!shape->depth)
		return "";
	return " A panel of the right factor is packed contiguously for each "
	       "stripe of columns: it stays in the first cache and is read in "
	       "order.";
}

static const char *why_block(const struct ao_tile_shape *shape)
{
	if (shape->stripes)
		return " Several are packed together, so that the factor is "
		       "read along its rows, and used for one block of rows "
		       "after the other.";
	if (shape->block)
		return " What the loop does before and after the product is "
		       "done for a block of rows at a time, while they are in "
		       "cache.";
	return "";
}

static void offer_tile(struct ao_offers *offers, struct ao_unit *unit,
		       const struct ao_product *p,
		       const struct ao_tile_shape *shape, double prior,
		       const struct step *before)
{
	size_t site = ao_unit_site(unit, p->site);
	char *features = features_of(unit, p);
	char *params, *title;

	params = say_params(before, site, shape);
	title = ao_xstrf("%s, %d x %d vectors%s%s%s", title_of(before),
			 shape->rows, shape->vecs,
			 shape->depth ? ", packed" : "",
			 shape->stripes ? " together" : "",
			 shape->left ? ", left too" : "");
	ao_offer(
		offers, params, features, prior, title,
		"Compute the product at line %" PRIu32
		" in tiles of %d rows by %d vectors whose sums stay in "
		"registers, so that each element loaded is used %d times "
		"instead of once.%s%s%s",
		ao_unit_line(unit, p->site->node), shape->rows, shape->vecs,
		shape->rows, why_panel(shape), why_block(shape),
		shape->left
			? " The left factor, whose elements for one sum lie "
			  "far apart, is packed for a block of rows at a time: "
			  "each tile reads it in order, for all columns."
			: "");
	free(params);
	free(features);
	free(title);
}

static void offer_left(struct ao_offers *offers, struct ao_unit *unit,
		       const struct ao_product *p, struct ao_tile_shape shape,
		       double prior, const struct step *before)
{
	shape.left = true;
	if (!shape.block)
		make_left_wide(&shape, unit, ao_unit_value(unit, p->j->bound));
	else if (!make_left_block(&shape, unit, p))
		return;
	offer_tile(offers, unit, p, &shape, prior, before);
}

static void offer_tiles(struct ao_offers *offers, struct ao_unit *unit,
			const struct ao_product *p, const struct step *before)
{
	const struct ao_tile_size *sizes = ao_tile_sizes(
		unit->context->vector_bytes);
	int depth = choose_depth(ao_unit_value(unit, p->k->bound));
	bool is_row = ao_factors_right_is_row(&p->factors, &p->env, p->j->var);
	bool is_far = left_is_far(unit, p);
	/* Fused is as fast at best where all is in cache, and more to read. */
	double prior = prior_of(p) - (before->name ? 0.02 : 0.0);

	for (size_t n = 0; n < AO_TILE_SIZES; n++) {
		struct ao_tile_shape shape = {
			.rows = sizes[n].rows,
			.vecs = sizes[n].vecs,
			.depth = depth,
		};

		if (ao_tile_needs_block(unit, p))
			shape.block = choose_block(
				shape.rows, ao_unit_value(unit, p->j->bound));
		if (is_far && n < 2)
			offer_left(offers, unit, p, shape,
				   prior + 0.2 - 0.05 * (double)n, before);
		offer_tile(offers, unit, p, &shape, prior - 0.05 * (double)n,
			   before);
		if (!shape.block && is_large(unit, p) && n < 2) {
			struct ao_tile_shape wide = shape;

			make_wide(&wide, ao_unit_value(unit, p->i->bound));
			offer_tile(offers, unit, p, &wide,
				   prior + 0.1 - 0.05 * (double)n, before);
		}
		shape.depth = 0;
		if (is_row && n < 2)
			offer_tile(offers, unit, p, &shape,
				   prior - 0.3 - 0.05 * (double)n, before);
	}
}

void ao_move_tile_offer_after(struct ao_offers *offers, struct ao_unit *unit,
			      const struct ao_product *product,
			      const char *step, size_t site)
{
	const struct step before = { step, site };

	offer_tiles(offers, unit, product, &before);
}

bool ao_move_tile_apply(struct ao_edits *edits, struct ao_unit *unit,
			const struct ao_for *site, const char *params)
{
	struct ao_tile_shape shape = { 0 };
	struct ao_product product = { 0 };
	int left = 0;

	if (!site ||
	    !ao_params_int(params, "rows", &shape.rows, 1, AO_MAX_TILE_ROWS) ||
	    !ao_params_int(params, "vecs", &shape.vecs, 1, AO_MAX_TILE_VECS) ||
	    !ao_params_int(params, "depth", &shape.depth, 0, 1 << 16) ||
	    !ao_product_find(&product, unit, site))
		return false;
	/* Most need none. */
	(void)ao_params_int(params, "block", &shape.block, 1, 4096);
	(void)ao_params_int(params, "stripes", &shape.stripes, 1,
			    AO_MAX_STRIPES);
	(void)ao_params_int(params, "left", &left, 0, 1);
	shape.left = left;
	return ao_tile_write(edits, unit, &product, &shape);
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	const struct step none = { 0 };
	struct ao_product product;

	for (size_t site = 0; site < unit->loop_count; site++) {
		if (ao_product_find(&product, unit, &unit->loops[site]))
			offer_tiles(offers, unit, &product, &none);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	return ao_move_tile_apply(edits, unit, ao_move_loop(unit, params),
				  params);
}

const struct ao_move ao_move_tile = {
	.name = "tile",
	.propose = propose,
	.apply = apply,
};
