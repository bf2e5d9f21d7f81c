/* SPDX-License-Identifier: MIT */
/*
 * search_options.h - the settings of a search as rows of an option table.
 *
 * `evolve` parses them; `init` writes their defaults, as comments, into the
 * committed configuration.
 */
#ifndef AO_CLI_SEARCH_OPTIONS_H
#define AO_CLI_SEARCH_OPTIONS_H

#include "model/run.h"

#include "cli/option.h"

enum { AO_SEARCH_OPTIONS = 15 };

/* Agents stand beside the settings: what an option stores is borrowed. */
struct ao_search_args {
	struct ao_settings settings;
	const char *planner;
	const char *executor;
	const char *summarizer;
};

/* Fill in the defaults; the agents are borrowed from args->settings. */
void ao_search_args_init(struct ao_search_args *args);

/* Copy the agents into args->settings, where they are owned. */
void ao_search_args_settle(struct ao_search_args *args);

void ao_search_args_release(struct ao_search_args *args);

/* A row for each setting, all with a configuration key. */
void ao_search_options(struct ao_option table[AO_SEARCH_OPTIONS],
		       struct ao_search_args *args);

#endif
