/* SPDX-License-Identifier: MIT */
/* params.h - the numbers and words of a proposal: "site=2 rows=4". */
#ifndef AO_REWRITE_PARAMS_H
#define AO_REWRITE_PARAMS_H

#include "util/base.h"

/*
 * The number called `name`.  Returns false if there is none, or it is not
 * within min..max.
 */
bool ao_params_int(const char *params, const char *name, int *out, int min,
		   int max);

/*
 * Whether the word that `params` begins with says where: the site of a loop,
 * or of what is done to another one first.  It means nothing in other sources.
 */
bool ao_params_begin_with_place(const char *params);

/* The text called `name`, which the caller frees; NULL if there is none. */
char *ao_params_text(const char *params, const char *name);

#endif
