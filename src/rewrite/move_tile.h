/* SPDX-License-Identifier: MIT */
/* move_tile.h - tiles of a product, for moves that take another step first. */
#ifndef AO_REWRITE_MOVE_TILE_H
#define AO_REWRITE_MOVE_TILE_H

#include "rewrite/move.h"
#include "rewrite/product.h"

struct ao_tile_size {
	int rows;
	int vecs; /* vectors in a row */
};

enum { AO_TILE_SIZES = 5 };

/* The sizes worth trying [AO_TILE_SIZES], best first. */
const struct ao_tile_size *ao_tile_sizes(uint32_t vector_bytes);

/*
 * Offer the tiles worth trying for a product that there is once another step,
 * "fuse" or "split", was taken at a site; the parameters say so.
 */
void ao_move_tile_offer_after(struct ao_offers *offers, struct ao_unit *unit,
			      const struct ao_product *product,
			      const char *step, size_t site);

/* Tile the product at `site`, which may be NULL, as `params` say. */
bool ao_move_tile_apply(struct ao_edits *edits, struct ao_unit *unit,
			const struct ao_for *site, const char *params);

#endif
