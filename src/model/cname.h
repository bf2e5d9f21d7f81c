/* SPDX-License-Identifier: MIT */
/*
 * cname.h - names of a task that become names in C source.
 *
 * Axes and scalars become macros, tensors parameters: a name that C or our
 * own build has taken would give compiler errors in a stranger's kernel.
 */
#ifndef AO_MODEL_CNAME_H
#define AO_MODEL_CNAME_H

#include "util/base.h"

/* Letters, digits and _, a letter first, at most 64. */
bool ao_cname_is_identifier(const char *name);

/* Keywords of C, and names that every build uses ("size_t", "reference"). */
bool ao_cname_is_taken(const char *name);

#endif
