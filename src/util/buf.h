/* SPDX-License-Identifier: MIT */
/*
 * buf.h - a byte buffer that grows, up to a limit.
 *
 * Appending never fails at the call site.  A buffer that would pass `max`
 * bytes stops growing and stays marked; ask once, at the end, with
 * ao_buf_check().  So a prompt is a run of plain appends and one check.
 */
#ifndef AO_UTIL_BUF_H
#define AO_UTIL_BUF_H

#include "util/error.h"

struct ao_buf {
	char *ptr;    /* NUL-terminated, never NULL */
	size_t len;   /* bytes, without the NUL */
	size_t alloc; /* bytes owned; 0 while ptr is the shared "" */
	size_t max;   /* bytes, without the NUL */
	bool overflow;
};

extern char ao_buf_empty[];

/* MAX is the most bytes this buffer may hold. */
#define AO_BUF_INIT(MAX) ((struct ao_buf){ .ptr = ao_buf_empty, .max = (MAX) })

void ao_buf_add(struct ao_buf *buf, const void *data, size_t len);
void ao_buf_addstr(struct ao_buf *buf, const char *s);
AO_PRINTF(2, 3)
void ao_buf_addf(struct ao_buf *buf, const char *fmt, ...);

/* Returns AO_ELIMIT, naming `what`, if any append was dropped. */
AO_MUST_CHECK
struct ao_error *ao_buf_check(const struct ao_buf *buf, const char *what);

/* Hand the string to the caller, who frees it; `buf` is empty again. */
char *ao_buf_take(struct ao_buf *buf);

/* Free what the buffer owns; it is empty and usable again. */
void ao_buf_release(struct ao_buf *buf);

#endif
