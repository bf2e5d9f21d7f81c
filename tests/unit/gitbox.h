/* SPDX-License-Identifier: MIT */
/*
 * gitbox.h - a throw-away folder for tests that need real git repositories.
 *
 * box_enter() makes it, with an own HOME and no configuration from outside,
 * and goes there; box_leave() removes it.
 */
#ifndef AO_TESTS_GITBOX_H
#define AO_TESTS_GITBOX_H

#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base.h"
#include "util/error.h"
#include "util/file.h"

static char *box_root;

static inline void box_setenv(void)
{
	static const char *const gone[] = {
		"GIT_DIR",
		"GIT_WORK_TREE",
		"GIT_INDEX_FILE",
		"GIT_AUTHOR_NAME",
		"GIT_AUTHOR_EMAIL",
		"GIT_COMMITTER_NAME",
		"GIT_COMMITTER_EMAIL",
		"EMAIL",
		"GIT_CONFIG_PARAMETERS",
		"GIT_CONFIG_COUNT",
		"XDG_CONFIG_HOME",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(gone); i++)
		unsetenv(gone[i]);
	setenv("HOME", box_root, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", box_root, 1);
}

/* Run a shell command; returns its exit status. */
AO_PRINTF(1, 2)
static inline int box_sh(const char *fmt, ...)
{
	char command[4096];
	int status;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	fflush(stdout);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What a shell command prints, without the last newline; the caller frees. */
AO_PRINTF(1, 2)
static inline char *box_out(const char *fmt, ...)
{
	size_t len = 0, room = 1 << 16;
	char command[4096];
	va_list ap;
	FILE *pipe;
	char *text;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	fflush(stdout);
	pipe = popen(command, "r");
	if (!pipe)
		abort();
	text = ao_xmalloc(room + 1);
	while (!feof(pipe) && !ferror(pipe)) {
		len += fread(text + len, 1, room - len, pipe);
		if (len == room)
			text = ao_xrealloc(text, (room *= 2) + 1);
	}
	pclose(pipe);
	while (len && text[len - 1] == '\n')
		len--;
	text[len] = '\0';
	return text;
}

/* Whether a shell command prints exactly this. */
#define box_prints(expected, ...) \
	box_same_and_free(expected, box_out(__VA_ARGS__))
static inline bool box_same_and_free(const char *expected, char *got)
{
	bool is_same = !strcmp(expected, got);

	if (!is_same)
		printf("# expected: %s\n# got: %s\n", expected, got);
	free(got);
	return is_same;
}

static inline void box_enter(void)
{
	struct ao_error *err = ao_file_temp_folder(&box_root);

	if (err || chdir(box_root))
		abort();
	box_setenv();
}

static inline void box_leave(void)
{
	if (chdir("/"))
		abort();
	ao_file_remove_tree(box_root);
	free(box_root);
	box_root = NULL;
}

/*
 * A repository `name` in the box, with a committer and one commit that has
 * tasks/t/kernel.c; we are in it afterwards.
 */
static inline void box_repo(const char *name)
{
	int status = box_sh(
		"git init -q -b main %s && cd %s && "
		"git config user.name 'A U Thor' && "
		"git config user.email author@example.com && "
		"mkdir -p tasks/t && echo 'int kernel;' >tasks/t/kernel.c && "
		"git add . && git commit -q -m base",
		name, name);

	if (status || chdir(name))
		abort();
}

/* Whether there was no error; prints and frees it if there was one. */
static inline bool box_ok(struct ao_error *err)
{
	if (!err)
		return true;
	printf("# ");
	ao_error_print(stdout, err, true);
	ao_error_free(err);
	return false;
}

/* Whether the error has that code and says `text` somewhere; frees it. */
static inline bool box_fails(struct ao_error *err, enum ao_errcode code,
			     const char *text)
{
	bool is_right = err && ao_error_code(err) == code;
	bool says = false;

	for (const struct ao_error *e = err; e; e = ao_error_cause(e))
		says = says || strstr(ao_error_message(e), text);
	if (!is_right || !says) {
		printf("# expected an error of code %d with '%s'\n", code,
		       text);
		if (err)
			ao_error_print(stdout, err, true);
	}
	ao_error_free(err);
	return is_right && says;
}

#endif
