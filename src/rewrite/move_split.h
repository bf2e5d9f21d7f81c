/* SPDX-License-Identifier: MIT */
/* move_split.h - do in two nests of loops what one does row after row. */
#ifndef AO_REWRITE_MOVE_SPLIT_H
#define AO_REWRITE_MOVE_SPLIT_H

#include "rewrite/move.h"

/*
 * Split a loop over rows behind a product in it, keeping what each row has in
 * an array of its own, and then the move "tile" on that product.
 */
extern const struct ao_move ao_move_split_tile;

#endif
