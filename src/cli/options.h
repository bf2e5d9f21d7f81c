/* SPDX-License-Identifier: MIT */
/*
 * options.h - a table per command: parsing, help, configuration, completion.
 *
 * Precedence: option, then git configuration, then what *value held before.
 * Git's manners: unique abbreviations, --no-x for flags and strings, --x=value
 * and --x value, clustered letters, -- and --end-of-options, operands between
 * options.
 *
 *     const struct ao_option table[] = {
 *             AO_COUNT('b', "beam", &args.beam, 1, 64, "accelopt.beam", "n",
 *                      "carry <n> candidates to the next iteration"),
 *             AO_FLAG(0, "json", &args.json, "print JSON, an object a line"),
 *             AO_END,
 *     };
 *
 *     err = ao_options_parse(&options, self, table, argc, argv);
 *     if (!err)
 *             err = ao_options_operands(&options, "<task>");
 *     if (!err)
 *             err = ao_repo_open(&repo);
 *     if (!err)
 *             err = ao_options_configure(&options, repo);
 */
#ifndef AO_CLI_OPTIONS_H
#define AO_CLI_OPTIONS_H

#include "util/error.h"

#include "cli/option.h"

struct ao_command;
struct ao_repo;

/* A parsed command line.  Owns nothing. */
struct ao_options {
	const struct ao_option *table;
	char **argv; /* [argc] the operands, NULL-terminated; within argv */
	int argc;
	uint64_t given; /* bit i: table[i] was on the command line */
};

/*
 * Parse argv[1..], store the values, and leave the operands in out->argv.
 *
 * `-h` prints the usage and exits with 129, `--help` shows the manual page,
 * `--git-completion-helper` prints the options' names and exits with 0.
 * AO_EUSAGE for an option that is unknown (says which was probably meant) or
 * ambiguous, lacks its argument, or has one out of range (names the range).
 */
AO_MUST_CHECK
struct ao_error *ao_options_parse(struct ao_options *out,
				  const struct ao_command *command,
				  const struct ao_option *table, int argc,
				  char **argv);

/*
 * AO_EUSAGE unless there are the operands that are wanted, "<task> [<commit>]":
 * those in brackets may be missing.  It names the first that is, or that is too
 * many.
 */
AO_MUST_CHECK
struct ao_error *ao_options_operands(const struct ao_options *options,
				     const char *wanted);

/*
 * AO_EUSAGE if there are operands: the option `instead` takes what the first
 * one says.
 */
AO_MUST_CHECK
struct ao_error *ao_options_no_operands(const struct ao_options *options,
					const char *instead);

/*
 * Fill in from the configuration what the command line did not give.  The
 * strings are borrowed from `repo`.  AO_EINVALID names key and range.
 */
AO_MUST_CHECK
struct ao_error *ao_options_configure(const struct ao_options *options,
				      struct ao_repo *repo);

/* Whether the option was on the command line. */
bool ao_options_given(const struct ao_options *options, const char *name);

#endif
