/* SPDX-License-Identifier: MIT */
/*
 * base.h - attributes and allocation that every file may use.
 *
 * Include it first in every .c file.
 */
#ifndef AO_UTIL_BASE_H
#define AO_UTIL_BASE_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AO_MUST_CHECK	 __attribute__((warn_unused_result))
#define AO_PRINTF(m, n)	 __attribute__((format(printf, m, n)))
#define AO_NORETURN	 __attribute__((noreturn))
#define AO_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A git object id as text: 40 hexadecimal digits and a NUL. */
#define AO_ID_SIZE 41

/* Allocate, or print "fatal: out of memory" and exit with status 128. */
void *ao_xmalloc(size_t size);
void *ao_xcalloc(size_t count, size_t size);
void *ao_xrealloc(void *ptr, size_t size);
/* At a multiple of `align`, a power of two; for free(), too. */
void *ao_xaligned(size_t align, size_t size);
char *ao_xstrdup(const char *s);
char *ao_xstrndup(const char *s, size_t len);

/* A formatted string; the caller frees it. */
AO_PRINTF(1, 2)
char *ao_xstrf(const char *fmt, ...);
AO_PRINTF(1, 0)
char *ao_xvstrf(const char *fmt, va_list ap);

/*
 * Make room for `need` elements of `size` bytes in the array *ptr, whose
 * capacity is *alloc elements; grows by half as much again.
 *
 *   items = ao_grow(items, &alloc, count + 1, sizeof(*items));
 */
AO_MUST_CHECK
void *ao_grow(void *ptr, size_t *alloc, size_t need, size_t size);

#endif
