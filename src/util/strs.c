/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "util/strs.h"

/* Append `s` itself, which the list takes over. */
static void push_owned(struct ao_strs *strs, char *s)
{
	strs->v = ao_grow(strs->v, &strs->alloc, strs->count + 2,
			  sizeof(*strs->v));
	strs->v[strs->count++] = s;
	strs->v[strs->count] = NULL;
}

void ao_strs_push(struct ao_strs *strs, const char *s)
{
	push_owned(strs, ao_xstrdup(s));
}

void ao_strs_pushf(struct ao_strs *strs, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push_owned(strs, ao_xvstrf(fmt, ap));
	va_end(ap);
}

void ao_strs_split(struct ao_strs *strs, const char *text)
{
	static const char blanks[] = " \t\r\n";

	for (text += strspn(text, blanks); *text;) {
		size_t len = strcspn(text, blanks);

		push_owned(strs, ao_xstrndup(text, len));
		text += len;
		text += strspn(text, blanks);
	}
}

bool ao_strs_has(const struct ao_strs *strs, const char *s)
{
	for (size_t i = 0; i < strs->count; i++)
		if (!strcmp(strs->v[i], s))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void ao_strs_sort_unique(struct ao_strs *strs)
{
	size_t kept = 1;

	if (!strs->count)
		return;
	qsort(strs->v, strs->count, sizeof(*strs->v), compare);
	for (size_t i = 1; i < strs->count; i++) {
		if (!strcmp(strs->v[i], strs->v[kept - 1]))
			free(strs->v[i]);
		else
			strs->v[kept++] = strs->v[i];
	}
	strs->count = kept;
	strs->v[kept] = NULL;
}

void ao_strs_release(struct ao_strs *strs)
{
	for (size_t i = 0; i < strs->count; i++)
		free(strs->v[i]);
	free(strs->v);
	*strs = (struct ao_strs){ 0 };
}
