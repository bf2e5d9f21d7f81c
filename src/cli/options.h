/* SPDX-License-Identifier: MIT */
/*
 * options.h - a table per command: parsing, help, configuration, completion.
 *
 * Precedence: option, then git configuration, then what *value held before.
 * Git's manners: unique abbreviations, --no-x for flags, --x=value,
 * --end-of-options, -- , clustered letters.
 */
#ifndef AO_CLI_OPTIONS_H
#define AO_CLI_OPTIONS_H

#include "util/error.h"
#include "util/strs.h"

enum ao_option_type {
	AO_OPTION_END,
	AO_OPTION_FLAG,	  /* bool */
	AO_OPTION_COUNT,  /* uint32_t, > 0 unless `may_be_zero` */
	AO_OPTION_NUMBER, /* double */
	AO_OPTION_SEED,	  /* uint64_t */
	AO_OPTION_TIME,	  /* uint32_t seconds: "90", "90s", "15m", "2h" */
	AO_OPTION_STRING, /* const char *, borrowed from argv or the config */
};

struct ao_option {
	enum ao_option_type type;
	char letter;	  /* 0 when there is only a long name */
	const char *name; /* without the dashes */
	void *value;
	const char *config; /* git config key that gives the default, or NULL */
	const char *arg;    /* what to call the argument in the help */
	const char *help;   /* lower case, no full stop */
};

#define AO_FLAG(l, n, v, h) \
	((struct ao_option){ AO_OPTION_FLAG, l, n, v, NULL, NULL, h })
#define AO_COUNT(l, n, v, c, a, h) \
	((struct ao_option){ AO_OPTION_COUNT, l, n, v, c, a, h })
#define AO_NUMBER(l, n, v, c, a, h) \
	((struct ao_option){ AO_OPTION_NUMBER, l, n, v, c, a, h })
#define AO_SEED(l, n, v, c, a, h) \
	((struct ao_option){ AO_OPTION_SEED, l, n, v, c, a, h })
#define AO_TIME(l, n, v, c, a, h) \
	((struct ao_option){ AO_OPTION_TIME, l, n, v, c, a, h })
#define AO_STRING(l, n, v, c, a, h) \
	((struct ao_option){ AO_OPTION_STRING, l, n, v, c, a, h })
#define AO_END ((struct ao_option){ .type = AO_OPTION_END })

#endif
