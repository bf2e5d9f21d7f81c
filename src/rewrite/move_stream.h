/* SPDX-License-Identifier: MIT */
/* move_stream.h - stores that pass the caches by. */
#ifndef AO_REWRITE_MOVE_STREAM_H
#define AO_REWRITE_MOVE_STREAM_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_stream;

#endif
