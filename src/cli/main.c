/* SPDX-License-Identifier: MIT */
/*
 * main.c - where git accelopt begins and ends.
 *
 * git runs us for `git accelopt ...`, and keeps `git accelopt --help` and `git
 * help accelopt` for itself; all else, `git accelopt evolve --help` too,
 * arrives here.
 */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "util/error.h"
#include "util/strs.h"
#include "util/version.h"

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/paths.h"

/*
 * Make sure that descriptors 0 to 2 are open, so that no file that we open
 * becomes standard output by accident.
 */
static void open_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/* Some programs start their children with SIGPIPE ignored. */
static void restore_sigpipe(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	sigaction(SIGPIPE, &action, NULL);
}

static int status_of(const struct ao_error *err)
{
	switch (ao_error_code(err)) {
	case AO_EUSAGE:
		return AO_STATUS_USAGE;
	case AO_ECANCELED:
		return AO_STATUS_INTERRUPTED;
	case AO_OK:
	case AO_ENOTFOUND:
	case AO_ECONFLICT:
	case AO_EINVALID:
	case AO_ELIMIT:
	case AO_EIO:
	case AO_ETRUST:
		break;
	}
	return AO_STATUS_FAILED;
}

/* Print `err` and free it; returns the status to exit with. */
static int fail(struct ao_error *err, const struct ao_command *command)
{
	int status = status_of(err);

	fflush(stdout);
	ao_complain("fatal", err);
	ao_error_free(err);
	if (status != AO_STATUS_USAGE)
		return status;
	if (command) {
		ao_command_usage(stderr, command);
		fprintf(stderr, "'git accelopt %s -h' lists the %s\n",
			command->name, command->subs ? "commands" : "options");
	} else {
		fputs("'git accelopt -h' lists the commands\n", stderr);
	}
	return status;
}

/* What was printed must have arrived: a full disk is not success. */
static int finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "fatal: cannot write to standard output: %s\n",
		strerror(errno));
	return AO_STATUS_FAILED;
}

/* `git accelopt task` without a sub-command, or with an option instead. */
static struct ao_error *group_alone(int *status,
				    const struct ao_command *command, int argc,
				    char **argv)
{
	const char *option = argc > 1 ? argv[1] : NULL;

	if (!option)
		return ao_error_new(AO_EUSAGE, "%s: which of its commands?",
				    command->name);
	if (strcmp(option, "--help") == 0)
		return ao_command_manual(command->name);
	if (strcmp(option, "--git-completion-helper") == 0) {
		for (const struct ao_command *s = command->subs; s->name; s++)
			printf("%s ", strrchr(s->name, ' ') + 1);
		putchar('\n');
		return NULL;
	}
	if (strcmp(option, "-h") != 0)
		return ao_error_new(AO_EUSAGE, "unknown option '%s'", option);
	ao_command_usage(stdout, command);
	*status = AO_STATUS_USAGE;
	return NULL;
}

static int run_command(int argc, char **argv)
{
	const struct ao_command *command = NULL;
	int status = AO_STATUS_DONE;
	struct ao_error *err;

	err = ao_command_find(&command, &argc, &argv);
	if (!err && command->subs)
		err = group_alone(&status, command, argc, argv);
	else if (!err)
		err = command->run(&status, command, argc, argv);
	return err ? fail(err, command) : finish(status);
}

static int help(int argc, char **argv)
{
	if (argc > 1 && argv[1][0] != '-')
		return fail(ao_command_manual(argv[1]), NULL);
	ao_command_overview(stdout);
	return finish(AO_STATUS_DONE);
}

/* For completion: the names of all commands that are meant for people. */
static int list_commands(void)
{
	for (const struct ao_command *c = ao_commands; c->name; c++)
		if (c->section != AO_SECTION_HIDDEN)
			puts(c->name);
	return finish(AO_STATUS_DONE);
}

/* For completion: the tasks of a suite that is installed. */
static int list_tasks(const char *suite)
{
	struct ao_strs names = { 0 };
	char *folder = NULL;
	struct ao_error *err = ao_paths_suite(&folder, suite);

	if (!err)
		err = ao_paths_suite_tasks(&names, folder);
	for (size_t i = 0; i < names.count; i++)
		puts(names.v[i]);
	ao_strs_release(&names);
	free(folder);
	return err ? fail(err, NULL) : finish(AO_STATUS_DONE);
}

int main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "-h";

	open_standard_descriptors();
	restore_sigpipe();
	if (strcmp(first, "-h") == 0) {
		ao_command_overview(stdout);
		return finish(AO_STATUS_USAGE);
	}
	if (strcmp(first, "--version") == 0 || strcmp(first, "version") == 0) {
		printf("git-accelopt version %s\n", ao_version());
		return finish(AO_STATUS_DONE);
	}
	if (strcmp(first, "--help") == 0)
		return fail(ao_command_manual(NULL), NULL);
	if (strcmp(first, "help") == 0)
		return help(argc - 1, argv + 1);
	if (strcmp(first, "--list-commands") == 0)
		return list_commands();
	if (strcmp(first, "--list-tasks") == 0 && argc > 2)
		return list_tasks(argv[2]);
	if (first[0] == '-')
		return fail(
			ao_error_new(AO_EUSAGE, "unknown option '%s'", first),
			NULL);
	return run_command(argc - 1, argv + 1);
}
