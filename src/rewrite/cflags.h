/* SPDX-License-Identifier: MIT */
/*
 * cflags.h - the comment by which a source asks for flags of its compiler.
 *
 *     // cflags: -funroll-loops
 *
 * It stands before the first code.
 */
#ifndef AO_REWRITE_CFLAGS_H
#define AO_REWRITE_CFLAGS_H

#include "rewrite/edits.h"
#include "rewrite/unit.h"

/* Whether the source asks for this flag. */
bool ao_cflags_have(const struct ao_unit *unit, const char *flag);

/* Ask for a flag, unless the source does. */
void ao_cflags_add(struct ao_edits *edits, const struct ao_unit *unit,
		   const char *flag);

#endif
