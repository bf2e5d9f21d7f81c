/* SPDX-License-Identifier: MIT */
/*
 * config.h - git configuration as `git config --list -z` prints it.
 */
#ifndef AO_STORE_CONFIG_H
#define AO_STORE_CONFIG_H

#include "util/base.h"

struct ao_config_entry {
	char *key; /* section and name in lower case, as git prints them */
	char *value;
};

/* In the order of git: later ones win.  All zero is empty. */
struct ao_config {
	struct ao_config_entry *entries; /* [count] */
	size_t count;
	size_t alloc;
};

/* Append what `git config --list -z` printed. */
void ao_config_parse(struct ao_config *config, const char *text, size_t len);

/* Append one value. */
void ao_config_add(struct ao_config *config, const char *key,
		   const char *value);

/*
 * Keep search settings only.  A committed file comes from whoever wrote the
 * repository: it may shape a search, never name a command, a model that costs
 * money, or a key.
 */
void ao_config_keep_search(struct ao_config *config);

/* The last value of a key in any case, or NULL.  Borrowed from `config`. */
const char *ao_config_get(const struct ao_config *config, const char *key);

void ao_config_release(struct ao_config *config);

#endif
