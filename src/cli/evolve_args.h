/* SPDX-License-Identifier: MIT */
/* evolve_args.h - what `git accelopt evolve` was asked to do. */
#ifndef AO_CLI_EVOLVE_ARGS_H
#define AO_CLI_EVOLVE_ARGS_H

#include "model/policy.h"

#include "cli/options.h"
#include "cli/search_options.h"

enum { AO_EVOLVE_OPTIONS = AO_SEARCH_OPTIONS + 9 };

struct ao_evolve_args {
	struct ao_search_args search;
	const char *base;
	const char *resume; /* begins a run's id, "" any; NULL: a new one */
	char *run;	    /* id of the run to resume; owned */
	const char *runner;
	const char *sandbox; /* as it was given */
	enum ao_policy policy;
	uint32_t jobs;
	bool is_dry_run;
	bool as_json;
	bool is_quiet;
};

/* Fill in the defaults. */
void ao_evolve_args_init(struct ao_evolve_args *args);
void ao_evolve_args_release(struct ao_evolve_args *args);

/* The rows of all options, with AO_END. */
void ao_evolve_options(struct ao_option table[AO_EVOLVE_OPTIONS],
		       struct ao_evolve_args *args);

/*
 * For a run that is resumed: refuse options that would change what it is
 * (AO_EUSAGE), find it, and take from it the limits that were not given.
 * AO_ENOTFOUND if this clone has no such run, AO_EUSAGE if it has several.
 */
AO_MUST_CHECK
struct ao_error *ao_evolve_args_resume(struct ao_evolve_args *args,
				       const struct ao_options *options,
				       struct ao_repo *repo, const char *task);

#endif
