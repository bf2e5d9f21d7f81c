/* SPDX-License-Identifier: MIT */
#include "util/base.h"

static AO_NORETURN void out_of_memory(void)
{
	fputs("fatal: out of memory\n", stderr);
	exit(128); /* lint: allow exit */
}

void *ao_xmalloc(size_t size)
{
	void *ptr = malloc(size ? size : 1); /* lint: allow malloc */

	if (!ptr)
		out_of_memory();
	return ptr;
}

void *ao_xcalloc(size_t count, size_t size)
{
	void *ptr;

	if (!count || !size)
		count = size = 1;
	ptr = calloc(count, size); /* lint: allow calloc */
	if (!ptr)
		out_of_memory();
	return ptr;
}

void *ao_xrealloc(void *ptr, size_t size)
{
	ptr = realloc(ptr, size ? size : 1); /* lint: allow realloc */
	if (!ptr)
		out_of_memory();
	return ptr;
}

void *ao_xaligned(size_t align, size_t size)
{
	void *ptr;

	if (posix_memalign(&ptr, align, size ? size : 1))
		out_of_memory();
	return ptr;
}

char *ao_xstrdup(const char *s)
{
	return ao_xstrndup(s, strlen(s));
}

char *ao_xstrndup(const char *s, size_t len)
{
	char *copy = ao_xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *ao_xstrf(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = ao_xvstrf(fmt, ap);
	va_end(ap);
	return text;
}

char *ao_xvstrf(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0) /* lint: allow vasprintf */
		out_of_memory();
	return text;
}

void *ao_grow(void *ptr, size_t *alloc, size_t need, size_t size)
{
	size_t want = *alloc + *alloc / 2;

	if (need <= *alloc)
		return ptr;
	if (want < need)
		want = need;
	if (want < 8)
		want = 8;
	if (want > SIZE_MAX / size)
		out_of_memory();
	*alloc = want;
	return ao_xrealloc(ptr, want * size);
}
