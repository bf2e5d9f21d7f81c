/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/spawn.h"

#include "store/repo.h"

#include "cli/pager.h"
#include "cli/truth.h"

static pid_t pager_pid;

static const char *configured(struct ao_repo *repo)
{
	const char *ours = ao_repo_config(repo, "pager.accelopt");

	if (ours && *ours && !ao_truth_is_on(ours))
		return ours;
	return ao_repo_config(repo, "core.pager");
}

/* The pager's command line, or NULL for none. */
static const char *choose(struct ao_repo *repo)
{
	const char *pager;

	if (ao_truth_is_off(ao_repo_config(repo, "pager.accelopt")))
		return NULL;
	pager = getenv("GIT_PAGER");
	if (!pager)
		pager = configured(repo);
	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = "less";
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

/* What the pager reads ends when all descriptors of the pipe are closed. */
static void wait_for_pager(void)
{
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * In our process group, unlike all other children: one in the background could
 * not read the keyboard.  The command is the user's own, a line for the shell.
 */
static bool spawn(const char *command, int input)
{
	static char shell[] = "/bin/sh", flag[] = "-c";
	char *line = ao_xstrdup(command);
	char *argv[] = { shell, flag, line, NULL };
	posix_spawn_file_actions_t actions;
	bool is_started = false;

	if (!posix_spawn_file_actions_init(&actions)) {
		is_started = !posix_spawn_file_actions_adddup2(&actions, input,
							       STDIN_FILENO) &&
			     !posix_spawn(&pager_pid, shell, &actions, NULL,
					  argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(line);
	return is_started;
}

/* An interrupt is the pager's to answer: it must not be left alone by us. */
static void ignore_interrupts(void)
{
	struct sigaction action = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGQUIT, &action, NULL);
}

void ao_pager_start(struct ao_repo *repo)
{
	const char *command;
	struct ao_error *err;
	int ends[2];

	if (pager_pid || !isatty(STDOUT_FILENO))
		return;
	command = choose(repo);
	if (!command)
		return;
	err = ao_spawn_pipe(ends);
	if (err) {
		ao_error_free(err);
		return;
	}
	/* As git: quit if it fits on a screen, keep colours and the screen. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	fflush(stdout);
	if (spawn(command, ends[0])) {
		ignore_interrupts();
		setenv("GIT_PAGER_IN_USE", "true", 1);
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		atexit(wait_for_pager);
	}
	close(ends[0]);
	close(ends[1]);
}

bool ao_pager_is_used(void)
{
	return ao_truth_is_on(getenv("GIT_PAGER_IN_USE"));
}
