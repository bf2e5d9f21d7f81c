/* SPDX-License-Identifier: MIT */
/* move_sweep.h - other numbers for what earlier moves generated. */
#ifndef AO_REWRITE_MOVE_SWEEP_H
#define AO_REWRITE_MOVE_SWEEP_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_sweep;

#endif
