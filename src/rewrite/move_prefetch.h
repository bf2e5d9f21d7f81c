/* SPDX-License-Identifier: MIT */
/* move_prefetch.h - asking for what a loop over large arrays needs soon. */
#ifndef AO_REWRITE_MOVE_PREFETCH_H
#define AO_REWRITE_MOVE_PREFETCH_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_prefetch;

#endif
