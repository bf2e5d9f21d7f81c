/* SPDX-License-Identifier: MIT */
/* complete.h - the rest of what history knows of one candidate. */
#ifndef AO_STORE_COMPLETE_H
#define AO_STORE_COMPLETE_H

#include "store/history.h"

/*
 * Read a candidate that was loaded in brief again in full; or, for the base of
 * a run, the baselines of the runs that start there.
 */
AO_MUST_CHECK
struct ao_error *ao_complete(struct ao_history *history, struct ao_repo *repo,
			     const char *commit);

#endif
