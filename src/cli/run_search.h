/* SPDX-License-Identifier: MIT */
/* run_search.h - a search, with its progress shown. */
#ifndef AO_CLI_RUN_SEARCH_H
#define AO_CLI_RUN_SEARCH_H

#include "evolve/evolve.h"

#include "cli/evolve_args.h"
#include "cli/progress.h"

/*
 * Search as ao_evolve() does, for `args`, which are settled.  An error says
 * that what was finished is kept.
 */
AO_MUST_CHECK
struct ao_error *ao_run_search(struct ao_evolve_summary *out,
			       struct ao_repo *repo, const char *task,
			       const struct ao_evolve_args *args,
			       enum ao_progress_style style);

#endif
