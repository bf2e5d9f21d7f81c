/* SPDX-License-Identifier: MIT */
/*
 * tiler.h - a tiled nest being written, and the text of one tile in it.
 *
 * Private to tile.c and tiler.c.
 */
#ifndef AO_REWRITE_TILER_H
#define AO_REWRITE_TILER_H

#include "rewrite/draft.h"
#include "rewrite/tile_words.h"

struct ao_tile_shape;

struct ao_tiler {
	struct ao_unit *unit;
	const struct ao_product *p;
	const struct ao_tile_shape *shape;
	struct ao_tile_words w;
	struct ao_draft d;
	bool is_blocked; /* by rows, with what is before and after */
	bool has_lefts; /* the left factor is packed for a block of rows: ... */
	bool is_left_in_panels; /* ... as deep as a panel, or else for all k */
	bool has_fetches;	/* of the next stripe, while one is packed */
	/* The last stripe has so few columns that one vector is enough. */
	bool has_narrow_stripe;
};

/* "for (type var = from; var < end; var++)" and `tail` */
void ao_tiler_open_for(struct ao_tiler *t, const char *type, const char *var,
		       const char *from, const char *end, const char *tail);

/* A loop from one multiple of `step` to the next. */
void ao_tiler_open_steps(struct ao_tiler *t, const char *type, const char *var,
			 const char *from, const char *end, const char *step);

/* Where a tile begins: the last one so that it ends at `end`. */
void ao_tiler_write_start(struct ao_tiler *t, const char *type,
			  const char *name, const char *wanted, const char *end,
			  const char *size);

/* Where the left factor of a block of rows is packed, and packing it. */
void ao_tiler_write_lefts_buffer(struct ao_tiler *t);
void ao_tiler_write_lefts(struct ao_tiler *t);

/* Compute a tile's sums in registers, and store or add them. */
void ao_tiler_write_tile(struct ao_tiler *t);

#endif
