/* SPDX-License-Identifier: MIT */
/* moves.h - all that the catalogue has: each is defined in its move_*.c. */
#ifndef AO_REWRITE_MOVES_H
#define AO_REWRITE_MOVES_H

#include "rewrite/move.h"

/* Products: compute them in tiles of sums that stay in registers ... */
extern const struct ao_move ao_move_tile;
/* ... after two nests were made one, or one nest two. */
extern const struct ao_move ao_move_fuse_tile;
extern const struct ao_move ao_move_split_tile;

/*
 * Recurrences. Of
 *
 *     for (s) { float h = 0; for (t) { h = a * h + b; y[t] += c * h; } }
 *
 * the inner loop cannot be vectorised, as each step needs the one before, but
 * the states s have nothing to do with each other: with the steps outside, one
 * vector holds several of them.
 */
extern const struct ao_move ao_move_scan;
/*
 * Where a loop around it goes through recurrences that have nothing to do with
 * each other, "channels", a vector holds several of these: then no sum goes
 * across a vector.
 */
extern const struct ao_move ao_move_scan_channels;

/* Plain loops: their order and their shape. */
extern const struct ao_move ao_move_interchange;
extern const struct ao_move ao_move_fuse;
extern const struct ao_move ao_move_flatten;
extern const struct ao_move ao_move_jam;
extern const struct ao_move ao_move_unroll;

/* What is computed: an exponential that compilers vectorise, ... */
extern const struct ao_move ao_move_exp;
/* ... sums in several lanes at once, or both; sums not in memory; ... */
extern const struct ao_move ao_move_simd;
extern const struct ao_move ao_move_exp_simd;
extern const struct ao_move ao_move_scalar;
/* ... and one division before a loop. */
extern const struct ao_move ao_move_divide;

/* Memory: what is needed soon, and results that pass the caches by. */
extern const struct ao_move ao_move_prefetch;
extern const struct ao_move ao_move_stream;

/* The compiler: parameters that do not overlap, and flags. */
extern const struct ao_move ao_move_restrict;
extern const struct ao_move ao_move_flag;

/* Other numbers for what earlier moves generated. */
extern const struct ao_move ao_move_sweep;

#endif
