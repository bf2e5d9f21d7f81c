/* SPDX-License-Identifier: MIT */
/* move_restrict.h - promise that parameters do not overlap. */
#ifndef AO_REWRITE_MOVE_RESTRICT_H
#define AO_REWRITE_MOVE_RESTRICT_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_restrict;

#endif
