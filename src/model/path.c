/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <strings.h>

#include "model/path.h"

static bool is_part(const char *part, size_t len, const char *word)
{
	return len == strlen(word) && !strncasecmp(part, word, len);
}

/*
 * What leads out of a folder or into the git folder, once somebody checks it
 * out on whatever file system: git, too, refuses a tree that has it.
 */
static bool leads_elsewhere(const char *part, size_t len)
{
	return !len || is_part(part, len, ".") || is_part(part, len, "..") ||
	       is_part(part, len, ".git") || is_part(part, len, "git~1");
}

const char *ao_path_problem(const char *path)
{
	if (!*path)
		return "expected the path of a file";
	if (*path == '-' || *path == '@')
		return "a path cannot begin with '-' or '@'";
	for (const char *c = path; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\\' || *c == 0x7f)
			return "a path has no control characters and no '\\'";
	for (;;) {
		size_t len = strcspn(path, "/");

		if (leads_elsewhere(path, len))
			return "the path must stay within its folder: "
			       "relative, without '.', '..' and '.git'";
		if (!path[len])
			return NULL;
		path += len + 1;
	}
}
