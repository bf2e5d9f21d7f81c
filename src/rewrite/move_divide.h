/* SPDX-License-Identifier: MIT */
/* move_divide.h - divide once before a loop, multiply in it. */
#ifndef AO_REWRITE_MOVE_DIVIDE_H
#define AO_REWRITE_MOVE_DIVIDE_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_divide;

#endif
