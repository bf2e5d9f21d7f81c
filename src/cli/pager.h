/* SPDX-License-Identifier: MIT */
/* pager.h - long answers on a terminal go through a pager, as git's do. */
#ifndef AO_CLI_PAGER_H
#define AO_CLI_PAGER_H

#include "util/base.h"

struct ao_repo;

/*
 * If standard output is a terminal, send it through the pager from here on; the
 * process then ends only after the pager has.  Which one: GIT_PAGER,
 * pager.accelopt if that is a command, core.pager, PAGER, less.  None for
 * "cat" and "", and if pager.accelopt is false.  One that cannot be started is
 * none.
 */
void ao_pager_start(struct ao_repo *repo);

/* Whether output ends on a terminal by way of a pager, ours or git's. */
bool ao_pager_is_used(void);

#endif
