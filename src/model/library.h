/* SPDX-License-Identifier: MIT */
/*
 * library.h - libraries that a practitioner's baseline may be linked with.
 *
 * The list is short and ours: a library runs its own code when it is loaded,
 * before the sandbox is entered.  Sets of them are bits, by position.
 */
#ifndef AO_MODEL_LIBRARY_H
#define AO_MODEL_LIBRARY_H

#include "util/base.h"

struct ao_library {
	const char *name;   /* as task.json has it */
	const char *link;   /* file that the linker looks for */
	const char *soname; /* file that the loader looks for */
	const char *package;
};

enum { AO_LIBRARY_COUNT = 1 };
extern const struct ao_library ao_libraries[AO_LIBRARY_COUNT];

/* The bit of the library of that name, or 0. */
uint32_t ao_library_bit(const char *name);

/* All names, ", " between them, as a string that the caller frees. */
char *ao_library_names(void);

#endif
