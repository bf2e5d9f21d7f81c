/* SPDX-License-Identifier: MIT */
/*
 * command.h - the commands of git accelopt: a row each.
 *
 * From the rows come dispatch, the usage lines, the overview that `git accelopt
 * -h` prints, "did you mean" and completion.  A command is one file,
 * cmd_<name>.c, and one row in command.c; a command with sub-commands exports a
 * table of rows of its own.
 *
 *   struct ao_error *ao_cmd_log(int *status, const struct ao_command *self,
 *                               int argc, char **argv)
 *
 * argv[0] is the command's last word.  Parse with ao_options_parse() first:
 * `-h` must work outside a repository too.  Results go to stdout, chatter to
 * stderr.  An error that is returned is printed by main(), which exits with
 * 129 after AO_EUSAGE, 130 after AO_ECANCELED, else 128; without one, the
 * process exits with *status.
 */
#ifndef AO_CLI_COMMAND_H
#define AO_CLI_COMMAND_H

#include "util/error.h"

/* Exit statuses, in every man page.  main() makes the others of errors. */
enum ao_status {
	AO_STATUS_DONE = 0,
	AO_STATUS_NO = 1,	 /* done, and the answer is no */
	AO_STATUS_UNDECIDED = 2, /* measured, without a clear answer */
	AO_STATUS_FAILED = 128,	 /* could not be done */
	AO_STATUS_USAGE = 129,
	AO_STATUS_INTERRUPTED = 130,
};

/* Where the overview lists a command. */
enum ao_section {
	AO_SECTION_START,
	AO_SECTION_WORK,
	AO_SECTION_LOOK,
	AO_SECTION_HIDDEN, /* not for people */
};

struct ao_command;

/* *status is AO_STATUS_DONE until the command sets it. */
typedef struct ao_error *ao_command_fn(int *status,
				       const struct ao_command *self, int argc,
				       char **argv);

struct ao_command {
	const char *name;  /* "eval"; of a sub-command in full, "task show" */
	const char *usage; /* what follows the name; a line for each form */
	const char *help;  /* one line, lower case, no full stop */
	enum ao_section section;
	ao_command_fn *run;
	const struct ao_command *subs; /* instead of `run`; ends with {0} */
};

/* Ends with {0}. */
extern const struct ao_command ao_commands[];

/* Tables of sub-commands, in cmd_task.c and cmd_memory.c. */
extern const struct ao_command ao_task_commands[];
extern const struct ao_command ao_memory_commands[];

ao_command_fn ao_cmd_init;
ao_command_fn ao_cmd_eval;
ao_command_fn ao_cmd_evolve;
ao_command_fn ao_cmd_bench;
ao_command_fn ao_cmd_log;
ao_command_fn ao_cmd_show;
ao_command_fn ao_cmd_report;
ao_command_fn ao_cmd_doctor;
ao_command_fn ao_cmd_judge;

/*
 * The command that argv[0] names, or the sub-command that argv[1] names; *argc
 * and *argv then begin with its last word.  A command with sub-commands is
 * returned itself where an option or nothing follows it.  AO_EUSAGE says which
 * one was probably meant; *out is then the command whose sub-command there is
 * not, or NULL.
 */
AO_MUST_CHECK
struct ao_error *ao_command_find(const struct ao_command **out, int *argc,
				 char ***argv);

/* Print "usage: git accelopt eval ..." and a line for each other form. */
void ao_command_usage(FILE *out, const struct ao_command *command);

/* Print the overview: what git accelopt is and all commands by section. */
void ao_command_overview(FILE *out);

/*
 * Show a manual page by replacing this process with man(1): that of `name`
 * ("eval", "task show"), or with NULL that of git accelopt itself.  Returns
 * only if man cannot be run.
 */
AO_MUST_CHECK
struct ao_error *ao_command_manual(const char *name);

#endif
