/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "util/buf.h"

char ao_buf_empty[1];

void ao_buf_add(struct ao_buf *buf, const void *data, size_t len)
{
	if (buf->overflow || len > buf->max - buf->len) {
		buf->overflow = true;
		return;
	}
	if (buf->len + len + 1 > buf->alloc) {
		size_t want = (buf->len + len + 1) * 3 / 2;

		buf->ptr = ao_xrealloc(buf->alloc ? buf->ptr : NULL, want);
		buf->alloc = want;
	}
	memcpy(buf->ptr + buf->len, data, len);
	buf->len += len;
	buf->ptr[buf->len] = '\0';
}

void ao_buf_addstr(struct ao_buf *buf, const char *s)
{
	ao_buf_add(buf, s, strlen(s));
}

void ao_buf_addf(struct ao_buf *buf, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = ao_xvstrf(fmt, ap);
	va_end(ap);
	ao_buf_addstr(buf, text);
	free(text);
}

struct ao_error *ao_buf_check(const struct ao_buf *buf, const char *what)
{
	if (buf->overflow)
		return ao_error_new(AO_ELIMIT, "%s is over %zu bytes", what,
				    buf->max);
	return NULL;
}

char *ao_buf_take(struct ao_buf *buf)
{
	char *s = buf->alloc ? buf->ptr : ao_xstrdup("");

	buf->ptr = ao_buf_empty;
	buf->len = 0;
	buf->alloc = 0;
	buf->overflow = false;
	return s;
}

void ao_buf_release(struct ao_buf *buf)
{
	free(ao_buf_take(buf));
}
