/* SPDX-License-Identifier: MIT */
/*
 * ladder.h - how well kernels and compilers are shut up on this machine, and
 * why no better.
 */
#ifndef AO_EVAL_LADDER_H
#define AO_EVAL_LADDER_H

#include "util/error.h"

/* The name of a level, see ao_isolation_name(), and why there is none above. */
struct ao_rung {
	const char *level; /* "none" if there is no way at all */
	const char *why;   /* NULL: there is none better */
};

/* Each tries once, and remembers; the strings stay. */
void ao_ladder_kernels(struct ao_rung *out);

/* By the default compiler. */
void ao_ladder_compilers(struct ao_rung *out);

/*
 * AO_ENOTFOUND unless both have namespaces; says why not, and who tells what to
 * do.  From then on no compiler is run without.
 */
AO_MUST_CHECK
struct ao_error *ao_ladder_require(void);

#endif
