/* SPDX-License-Identifier: MIT */
/* say.h - expressions of the source, printed for another place. */
#ifndef AO_REWRITE_SAY_H
#define AO_REWRITE_SAY_H

#include "rewrite/unit.h"

/* What to print instead of a name. */
struct ao_said {
	uint32_t name;	  /* code index of any use of it */
	const char *text; /* an expression; a sum gets parentheses if needed */
};

/*
 * A term as text, with names replaced and those of `env` looked through.
 * Borrowed from the unit.
 */
char *ao_say(struct ao_unit *unit, const struct ao_env *env,
	     const struct ao_term *term, const struct ao_said *said,
	     size_t count);

#endif
