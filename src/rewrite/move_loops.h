/* SPDX-License-Identifier: MIT */
/* move_loops.h - moves that change the order and the shape of plain loops. */
#ifndef AO_REWRITE_MOVE_LOOPS_H
#define AO_REWRITE_MOVE_LOOPS_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_flatten;
extern const struct ao_move ao_move_interchange;
extern const struct ao_move ao_move_jam;
extern const struct ao_move ao_move_scalar;
extern const struct ao_move ao_move_unroll;

#endif
