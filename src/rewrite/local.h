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

/*
 * Whether a part of the code of `around` always gives the name at `name` a
 * value, and never sees what it was before: wherever the part uses it, "name =
 * value;" stands before, in the part, in the same block or in one around it.
 */
bool ao_local_is_set_first(const struct ao_tokens *tokens,
			   const struct ao_node *around, struct ao_span part,
			   uint32_t name);

#endif
