/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/depends.h"
#include "eval/mounts.h"
#include "util/file.h"

/* Longer than any path that a file can be opened by, and any honest list. */
enum { MAX_PATH_BYTES = 64 << 10, MAX_LIST_BYTES = 4 << 20 };

/* What separates names; a backslash before a newline does, too. */
static bool is_between(const char *at, const char *end)
{
	if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
		return true;
	return *at == '\\' && at + 1 < end && (at[1] == '\n' || at[1] == '\r');
}

/* Behind the name at `at`, which is appended as it was before make's quotes. */
static const char *read_name(struct ao_buf *out, const char *at,
			     const char *end)
{
	while (at < end && !is_between(at, end)) {
		bool is_quote = at + 1 < end &&
				((*at == '\\' &&
				  memchr(" \t#:", at[1], strlen(" \t#:"))) ||
				 (*at == '$' && at[1] == '$'));

		at += is_quote;
		ao_buf_add(out, at, 1);
		at++;
	}
	return at;
}

/* `name`, as seen from `base`, without "." and "..". */
static char *absolute(const char *base, const char *name)
{
	char *from = name[0] == '/' ? ao_xstrdup(name)
				    : ao_xstrf("%s/%s", base, name);
	char *path = ao_xmalloc(strlen(from) + 2);
	const char *at = from;
	size_t len = 0;

	while (*at) {
		size_t part = strcspn(at, "/");

		if (part == 2 && !memcmp(at, "..", 2)) {
			while (len && path[--len] != '/')
				;
		} else if (part && !(part == 1 && *at == '.')) {
			path[len++] = '/';
			memcpy(path + len, at, part);
			len += part;
		}
		at += part + (at[part] == '/');
	}
	path[len] = '\0';
	free(from);
	return path;
}

/* Whether `path` lies in `folder`, or is it. */
static bool is_in(const char *path, const char *folder)
{
	char *plain = absolute("/", folder);
	size_t len = strlen(plain);
	bool is_there = len && !strncmp(path, plain, len) &&
			(path[len] == '/' || !path[len]);

	free(plain);
	return is_there;
}

static bool is_allowed(const char *name, const struct ao_depends_places *places)
{
	char *path = absolute(places->folder, name);
	bool is_good = is_in(path, places->folder);

	for (size_t i = 0; i < places->system_count && !is_good; i++)
		is_good = is_in(path, places->system[i]);
	for (size_t i = 0; i < places->parts->count && !is_good; i++)
		is_good = is_in(path, places->parts->v[i]);
	free(path);
	return is_good;
}

char *ao_depends_outside(const char *text, size_t len,
			 const struct ao_depends_places *places)
{
	const char *end = text + len;
	bool is_first = true;

	while (text < end) {
		struct ao_buf name = AO_BUF_INIT(MAX_PATH_BYTES);
		bool is_target;

		if (is_between(text, end)) {
			text += 1 + (*text == '\\');
			continue;
		}
		text = read_name(&name, text, end);
		is_target = is_first && name.len &&
			    name.ptr[name.len - 1] == ':';
		is_first = false;
		if (!is_target &&
		    (name.overflow || !is_allowed(name.ptr, places)))
			return ao_buf_take(&name);
		ao_buf_release(&name);
	}
	return NULL;
}

struct ao_error *ao_depends_check(enum ao_depends *out, const char *folder,
				  const char *list, const struct ao_strs *parts)
{
	const struct ao_depends_places places = {
		.folder = folder,
		.system = ao_mounts_system,
		.system_count = ao_mounts_system_count,
		.parts = parts,
	};
	struct ao_buf text = AO_BUF_INIT(MAX_LIST_BYTES);
	char *path = ao_xstrf("%s/%s", folder, list);
	struct ao_error *err = NULL;
	char *outside = NULL;

	*out = AO_DEPENDS_UNKNOWN;
	if (ao_file_exists(path)) {
		err = ao_file_read(&text, path);
		if (!err)
			outside = ao_depends_outside(text.ptr, text.len,
						     &places);
		*out = outside || ao_error_code(err) == AO_ELIMIT
			       ? AO_DEPENDS_OUTSIDE
			       : AO_DEPENDS_INSIDE;
	}
	if (ao_error_code(err) == AO_ELIMIT) {
		ao_error_free(err);
		err = NULL;
	}
	free(outside);
	free(path);
	ao_buf_release(&text);
	return err;
}
