/* SPDX-License-Identifier: MIT */
/*
 * option.h - one option: a row of a command's table.
 *
 * The row says how the option is spelled, what it takes and where the value
 * goes; from it come parsing (options.h), help, configuration and completion.
 */
#ifndef AO_CLI_OPTION_H
#define AO_CLI_OPTION_H

#include "util/base.h"

enum ao_option_type {
	AO_OPTION_END,
	AO_OPTION_FLAG,	  /* bool */
	AO_OPTION_COUNT,  /* uint32_t within min..max */
	AO_OPTION_NUMBER, /* double within min..max */
	AO_OPTION_SEED,	  /* uint64_t */
	AO_OPTION_TIME,	  /* uint32_t seconds: "90", "90s", "15m", "2h", "1d" */
	AO_OPTION_STRING, /* const char *, borrowed from argv or the config */
	AO_OPTION_MAYBE,  /* the same; --x alone, without =value, gives "" */
};

enum { AO_MAX_OPTIONS = 64 }; /* of one command */

struct ao_option {
	enum ao_option_type type;
	char letter;	  /* 0 when there is only a long name */
	const char *name; /* without the dashes */
	void *value;
	double min, max;    /* of COUNT and NUMBER */
	const char *config; /* git config key that gives the default, or NULL */
	const char *arg;    /* what to call the argument in the help */
	const char *help;   /* lower case, no full stop */
};

#define AO_OPTION(t, l, n, v, lo, hi, c, a, h) \
	((struct ao_option){ t, l, n, v, lo, hi, c, a, h })
#define AO_FLAG(l, n, v, h) \
	AO_OPTION(AO_OPTION_FLAG, l, n, v, 0, 0, NULL, NULL, h)
#define AO_COUNT(l, n, v, min, max, c, a, h) \
	AO_OPTION(AO_OPTION_COUNT, l, n, v, min, max, c, a, h)
#define AO_NUMBER(l, n, v, min, max, c, a, h) \
	AO_OPTION(AO_OPTION_NUMBER, l, n, v, min, max, c, a, h)
#define AO_SEED(l, n, v, c, a, h) \
	AO_OPTION(AO_OPTION_SEED, l, n, v, 0, 0, c, a, h)
#define AO_TIME(l, n, v, c, a, h) \
	AO_OPTION(AO_OPTION_TIME, l, n, v, 0, 0, c, a, h)
#define AO_STRING(l, n, v, c, a, h) \
	AO_OPTION(AO_OPTION_STRING, l, n, v, 0, 0, c, a, h)
#define AO_MAYBE(l, n, v, a, h) \
	AO_OPTION(AO_OPTION_MAYBE, l, n, v, 0, 0, NULL, a, h)
#define AO_END ((struct ao_option){ .type = AO_OPTION_END })

/*
 * Store `text` in option->value; a string is borrowed.  Returns false, the
 * value untouched, if it is not of the option's type and range.
 */
bool ao_option_store(const struct ao_option *option, const char *text);

/* The value as ao_option_store() reads it, or NULL; the caller frees it. */
char *ao_option_text(const struct ao_option *option);

/* What the option takes, "a whole number from 1 to 64"; the caller frees it. */
char *ao_option_takes(const struct ao_option *option);

/* A line or two for each option, as `-h` prints them. */
void ao_option_help(FILE *out, const struct ao_option *table);

/*
 * All names on one line as git's completion wants them:
 * "--beam= --json -- --no-json".
 */
void ao_option_names(FILE *out, const struct ao_option *table);

/* Whether --no-<name> takes the option back. */
bool ao_option_is_negatable(const struct ao_option *option);

#endif
