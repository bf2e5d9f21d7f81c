/* SPDX-License-Identifier: MIT */
/* move_simd.h - let the compiler sum in several lanes at once. */
#ifndef AO_REWRITE_MOVE_SIMD_H
#define AO_REWRITE_MOVE_SIMD_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_simd;

#endif
