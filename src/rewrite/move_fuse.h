/* SPDX-License-Identifier: MIT */
/* move_fuse.h - do in one nest of loops what two do one after the other. */
#ifndef AO_REWRITE_MOVE_FUSE_H
#define AO_REWRITE_MOVE_FUSE_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_fuse;

/* The same, and then the move "tile" on the product that is in it. */
extern const struct ao_move ao_move_fuse_tile;

#endif
