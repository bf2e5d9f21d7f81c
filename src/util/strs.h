/* SPDX-License-Identifier: MIT */
/* strs.h - a list of strings it owns; as argv, always NULL-terminated. */
#ifndef AO_UTIL_STRS_H
#define AO_UTIL_STRS_H

#include "util/base.h"

/* All zero is an empty list, but `v` is NULL until the first push. */
struct ao_strs {
	char **v; /* [count + 1], the last is NULL */
	size_t count;
	size_t alloc;
};

/* Append a copy of `s`. */
void ao_strs_push(struct ao_strs *strs, const char *s);

/* Append a formatted string. */
AO_PRINTF(2, 3)
void ao_strs_pushf(struct ao_strs *strs, const char *fmt, ...);

/* Append the words of `text`, split at blanks; no quoting. */
void ao_strs_split(struct ao_strs *strs, const char *text);

bool ao_strs_has(const struct ao_strs *strs, const char *s);

/* Sort by strcmp and drop repeats. */
void ao_strs_sort_unique(struct ao_strs *strs);

/* Free what the list owns; it is empty and usable again. */
void ao_strs_release(struct ao_strs *strs);

#endif
