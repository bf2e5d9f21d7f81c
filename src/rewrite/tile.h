/* SPDX-License-Identifier: MIT */
/* tile.h - a product computed in tiles of sums that stay in registers. */
#ifndef AO_REWRITE_TILE_H
#define AO_REWRITE_TILE_H

#include "rewrite/edits.h"
#include "rewrite/product.h"

struct ao_tile_shape {
	int rows;    /* of a tile */
	int vecs;    /* vectors in a row of a tile */
	int depth;   /* of the panel that the right factor is packed into; 0: it
			is not packed */
	int block;   /* rows for which all columns are done, with what is before
			and after the product; 0: all rows at once */
	int stripes; /* of columns whose panels are packed together, for all
			rows; 0: one after the other.  Then a block is of rows
			for which these stripes are done. */
	bool left;   /* The left factor is packed as well, for a block of rows:
			as deep as the panels of stripes that are packed
			together, else for all of k. */
};

enum { AO_MAX_TILE_ROWS = 16, AO_MAX_TILE_VECS = 8, AO_MAX_STRIPES = 64 };

/*
 * Replace the product.  Any extents give the right sums: tiles at the edges
 * are moved back to end with the matrix, and what is smaller than a tile takes
 * the loops as they were.  Returns false if the shape does not fit the
 * product.
 */
bool ao_tile_write(struct ao_edits *edits, struct ao_unit *unit,
		   const struct ao_product *product,
		   const struct ao_tile_shape *shape);

/* Whether the product has to be done by blocks of rows. */
bool ao_tile_needs_block(const struct ao_unit *unit,
			 const struct ao_product *product);

#endif
