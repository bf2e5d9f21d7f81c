/* SPDX-License-Identifier: MIT */
/* move_exp.h - call an exponential that compilers vectorise. */
#ifndef AO_REWRITE_MOVE_EXP_H
#define AO_REWRITE_MOVE_EXP_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_exp;

/* The same, and what the move "simd" does, at once. */
extern const struct ao_move ao_move_exp_simd;

#endif
