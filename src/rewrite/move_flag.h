/* SPDX-License-Identifier: MIT */
/* move_flag.h - ask the compiler for a flag, in the source's first comment. */
#ifndef AO_REWRITE_MOVE_FLAG_H
#define AO_REWRITE_MOVE_FLAG_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_flag;

#endif
