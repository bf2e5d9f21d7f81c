/* SPDX-License-Identifier: MIT */
/* gaps.h - telling the reader that history is not all here. */
#ifndef AO_CLI_GAPS_H
#define AO_CLI_GAPS_H

#include "store/history.h"

/*
 * Warn on stderr of objects that are missing, and advise how to get notes that
 * are.  Nothing if nothing is missing.
 */
void ao_gaps_tell(struct ao_repo *repo, const struct ao_history *history);

#endif
