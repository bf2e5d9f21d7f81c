/* SPDX-License-Identifier: MIT */
/* counter.h - the counters of loops as variables: their types and lives. */
#ifndef AO_REWRITE_COUNTER_H
#define AO_REWRITE_COUNTER_H

#include "rewrite/unit.h"

/*
 * The type of a loop's counter without qualifiers; "int" if that is unknown.
 * Borrowed from the unit.
 */
char *ao_counter_type(struct ao_unit *unit, const struct ao_for *loop);

/*
 * Whether the counter may be moved by more than one, past the bound, and by
 * other loops: one narrower than int would wrap and never end.
 */
bool ao_counter_is_wide(const struct ao_unit *unit, const struct ao_for *loop);

/* The words of a type without const, static and register.  Borrowed too. */
char *ao_counter_bare_type(struct ao_unit *unit, struct ao_span type);

/*
 * Whether nobody asks what the counter is outside of loops that set it: then
 * another may count in its place.  Of one that is declared elsewhere we know
 * only if that is in the function.
 */
bool ao_counter_is_private(const struct ao_unit *unit,
			   const struct ao_for *loop);

#endif
