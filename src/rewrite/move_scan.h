/* SPDX-License-Identifier: MIT */
/*
 * move_scan.h - compute a recurrence in vectors.
 *
 * Of
 *
 *     for (s) { float h = 0; for (t) { h = a * h + b; y[t] += c * h; } }
 *
 * the inner loop cannot be vectorised, as each step needs the one before, but
 * the states s have nothing to do with each other: with the steps outside, one
 * vector holds several of them.
 *
 * Or, where a loop around it goes through recurrences that have nothing to do
 * with each other, "channels", a vector holds several of these: then no sum
 * goes across a vector.
 */
#ifndef AO_REWRITE_MOVE_SCAN_H
#define AO_REWRITE_MOVE_SCAN_H

#include "rewrite/move.h"

extern const struct ao_move ao_move_scan;
extern const struct ao_move ao_move_scan_channels;

#endif
