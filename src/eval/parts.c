/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/parts.h"
#include "util/text.h"

enum { MAX_LINKS = 16, MAX_PARTS = 256 };

/* Whether more lies in a folder than anybody would show a compiler. */
static bool is_broad(const char *folder)
{
	static const char *const broad[] = {
		"",	 "/etc",     "/home", "/media",	  "/mnt",     "/opt",
		"/proc", "/root",    "/run",  "/srv",	  "/sys",     "/tmp",
		"/var",	 "/var/tmp", "/dev",  "/dev/shm", "/var/lib",
	};
	const char *home = getenv("HOME");
	size_t len = strlen(folder);

	for (size_t i = 0; i < AO_ARRAY_SIZE(broad); i++)
		if (!strcmp(folder, broad[i]))
			return true;
	/* A home, and what homes lie in. */
	return home && !strncmp(home, folder, len) &&
	       (!home[len] || home[len] == '/');
}

static void add_folder(struct ao_strs *out, const char *folder)
{
	size_t len = strlen(folder);
	char *path;

	while (len > 1 && folder[len - 1] == '/')
		len--;
	path = ao_xstrndup(folder, len == 1 ? 0 : len);
	if (folder[0] == '/' && out->count < MAX_PARTS && !is_broad(path) &&
	    !ao_strs_has(out, path))
		ao_strs_push(out, path);
	free(path);
}

/* A folder by its name, and as it is where links are followed. */
static void add_real_folder(struct ao_strs *out, const char *folder)
{
	char *real = realpath(folder, NULL);
	struct stat st;

	if (real && !stat(real, &st) && S_ISDIR(st.st_mode)) {
		add_folder(out, folder);
		add_folder(out, real);
	}
	free(real);
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return ao_xstrndup(path, slash ? (size_t)(slash - path) : 0);
}

static void add_file(struct ao_strs *out, const char *path)
{
	char *folder = folder_of(path);

	if (!is_broad(folder))
		add_real_folder(out, folder);
	else if (!ao_strs_has(out, path))
		ao_strs_push(out, path);
	free(folder);
}

/* What a link at `path` points to, or NULL; the caller frees it. */
static char *follow(const char *path)
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);
	char *folder, *next;

	if (len <= 0)
		return NULL;
	target[len] = '\0';
	if (target[0] == '/')
		return ao_xstrdup(target);
	folder = folder_of(path);
	next = ao_xstrf("%s/%s", folder, target);
	free(folder);
	return next;
}

/* A program with all the links on the way to it. */
static void add_program(struct ao_strs *out, const char *program)
{
	char *path = ao_xstrdup(program);

	for (int i = 0; path && i < MAX_LINKS; i++) {
		char *next = follow(path);

		add_file(out, path);
		free(path);
		path = next;
	}
	free(path);
	path = realpath(program, NULL);
	if (path)
		add_file(out, path);
	free(path);
}

/* Call `add` for each entry of a list with colons between. */
static void add_each(struct ao_strs *out, const char *list,
		     const char *file_name)
{
	while (*list) {
		size_t len = strcspn(list, ":\n");
		char *folder = ao_xstrndup(list, len);
		char *file = ao_xstrf("%s/%s", folder,
				      file_name ? file_name : "");

		if (folder[0] == '/' && !file_name)
			add_real_folder(out, folder);
		else if (folder[0] == '/' && !access(file, X_OK))
			add_program(out, file);
		free(file);
		free(folder);
		if (list[len] != ':')
			break;
		list += len + 1;
	}
}

/*
 * Beside "/opt/gcc/lib/gcc/x86_64-linux/13/" what was installed with it:
 * "/opt/gcc/include" and its root of a system, "/opt/gcc/x86_64-linux".
 */
static void add_siblings(struct ao_strs *out, const char *install)
{
	char *parts[4]; /* the version, the target, "gcc", "lib" */
	char *path = realpath(install, NULL);
	size_t count = 0;

	while (path && count < AO_ARRAY_SIZE(parts)) {
		char *slash = strrchr(path, '/');

		if (!slash)
			break;
		*slash = '\0';
		parts[count++] = ao_xstrdup(slash + 1);
	}
	if (count == AO_ARRAY_SIZE(parts) && !strcmp(parts[2], "gcc")) {
		char *include = ao_xstrf("%s/include", path);
		char *target = ao_xstrf("%s/%s", path, parts[1]);

		add_real_folder(out, include);
		add_real_folder(out, target);
		free(include);
		free(target);
	}
	while (count)
		free(parts[--count]);
	free(path);
}

static void add_search_dirs(struct ao_strs *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = ao_xstrndup(text, len);

		if (ao_text_starts_with(line, "install: ")) {
			add_each(out, line + strlen("install: "), NULL);
			add_siblings(out, line + strlen("install: "));
		} else if (ao_text_starts_with(line, "programs: =")) {
			add_each(out, line + strlen("programs: ="), NULL);
		} else if (ao_text_starts_with(line, "libraries: =")) {
			add_each(out, line + strlen("libraries: ="), NULL);
		}
		free(line);
		text += len + (text[len] == '\n');
	}
}

void ao_parts_find(struct ao_strs *out, const char *program,
		   const char *search_dirs)
{
	const char *path = getenv("PATH");
	const char *libraries = getenv("LD_LIBRARY_PATH");
	const char *slash = strrchr(program, '/');

	add_program(out, program);
	/* A cache or another script that goes on to the next of its name. */
	if (path && slash)
		add_each(out, path, slash + 1);
	if (libraries)
		add_each(out, libraries, NULL);
	add_search_dirs(out, search_dirs);
}
