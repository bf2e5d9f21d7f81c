/* SPDX-License-Identifier: MIT */
/*
 * depends.h - which files a compiler or an assembler read, by the lists that
 * they write for make: "kernel.o: kernel.c /usr/include/math.h".
 *
 * Text can be written so that only they know what it names: strings that are
 * joined, escapes, macros of the assembler.  Where nothing else keeps files of
 * this machine from them, they are asked.
 */
#ifndef AO_EVAL_DEPENDS_H
#define AO_EVAL_DEPENDS_H

#include "util/error.h"
#include "util/strs.h"

/* Where files may lie. */
struct ao_depends_places {
	const char *folder;	   /* of the source, where the compiler ran */
	const char *const *system; /* [system_count] absolute paths */
	size_t system_count;
	const struct ao_strs *parts; /* of the compiler, see parts.h */
};

/*
 * The first file of a list that lies nowhere of that, as it stands there, which
 * the caller frees; NULL if there is none.  Links are not followed: no compiler
 * makes any.
 */
char *ao_depends_outside(const char *text, size_t len,
			 const struct ao_depends_places *places);

enum ao_depends {
	AO_DEPENDS_UNKNOWN, /* there is no list */
	AO_DEPENDS_INSIDE,
	AO_DEPENDS_OUTSIDE,
};

/*
 * The same of the file `list` in `folder`, with what every compiler may see.
 * More than can be looked through is taken for AO_DEPENDS_OUTSIDE.
 */
AO_MUST_CHECK
struct ao_error *ao_depends_check(enum ao_depends *out, const char *folder,
				  const char *list,
				  const struct ao_strs *parts);

#endif
