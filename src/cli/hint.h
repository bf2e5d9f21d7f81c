/* SPDX-License-Identifier: MIT */
/* hint.h - advice on what to do next, as git gives it. */
#ifndef AO_CLI_HINT_H
#define AO_CLI_HINT_H

#include "util/base.h"

struct ao_repo;

/*
 * Print "hint: ..." on stderr, each line of the text behind its own label,
 * unless the configuration says advice.accelopt = false.
 */
AO_PRINTF(2, 3)
void ao_hint(struct ao_repo *repo, const char *fmt, ...);

#endif
