/* SPDX-License-Identifier: MIT */
/*
 * tile_words.h - the names and expressions that the text of a tile is made of.
 *
 * All strings are borrowed from the unit.
 */
#ifndef AO_REWRITE_TILE_WORDS_H
#define AO_REWRITE_TILE_WORDS_H

#include "rewrite/product.h"
#include "rewrite/say.h"

struct ao_tile_words {
	struct ao_unit *unit;
	const struct ao_product *p;
	bool is_packed; /* the right factor is read from a panel */
	bool has_part;	/* sums go to `part` before they are used */

	/* Constants, at file level. */
	char *rows, *vecs, *cols, *depth, *block, *stripes;
	/* Variables, which mean nothing else in the nest. */
	char *row, *col, *r, *v, *lane, *to;
	char *sums, *panel, *panels, *left, *lefts, *part, *factor, *narrow;
	char *col0, *col1; /* of stripes packed together */
	char *row0, *row1; /* of a block */
	char *i0, *j0;	   /* of a tile */
	char *k0, *k1;	   /* of a panel */

	/* The nest's own counters, their types and bounds. */
	char *i, *j, *k;
	char *i_type, *j_type, *k_type;
	char *i_bound, *j_bound, *k_bound;

	struct ao_said said[2 + AO_MAX_CARRIED]; /* within a tile */
	size_t said_count;
	struct ao_said row_said[AO_MAX_CARRIED]; /* in a loop over rows */
};

void ao_tile_words_init(struct ao_tile_words *out, struct ao_unit *unit,
			const struct ao_product *product, bool is_packed,
			bool has_part);

/* The left factor of row r, the right one of vector v or of a lane. */
char *ao_tile_left(struct ao_tile_words *w);
char *ao_tile_packed_left(struct ao_tile_words *w, const char *k);
char *ao_tile_right_vector(struct ao_tile_words *w);
char *ao_tile_right_lane(struct ao_tile_words *w);

/* Where the next stripe begins in the row of the right factor. */
char *ao_tile_next_stripe(struct ao_tile_words *w);

/* The factor common to the sums of row r; NULL: none. */
char *ao_tile_factor(struct ao_tile_words *w);

/* The address of the vector that the sums of vector v go to. */
char *ao_tile_destination(struct ao_tile_words *w);

/* What these sums start from, as a vector; NULL: zero. */
char *ao_tile_init(struct ao_tile_words *w);

/* In loops over the nest's own i and j: the target, and a finished sum. */
char *ao_tile_target(struct ao_tile_words *w);
char *ao_tile_finished(struct ao_tile_words *w);

#endif
