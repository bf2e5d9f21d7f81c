/* SPDX-License-Identifier: MIT */
/* local.h - variables that are given a value before each use. */
#ifndef AO_REWRITE_LOCAL_H
#define AO_REWRITE_LOCAL_H

#include "rewrite/unit.h"

/*
 * Read "type name = value;", or "name = value;" if that is as good: `name` is
 * declared in the function, and wherever it is used such a statement stands
 * before in the same block or in one around it, so that nobody sees what it
 * was before or is left with.  *out has the name and the value where the
 * statement has them, and the type where it is declared.
 */
bool ao_local_read(struct ao_decl *out, const struct ao_unit *unit,
		   const struct ao_node *statement);

#endif
