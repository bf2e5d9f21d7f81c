/* SPDX-License-Identifier: MIT */
/*
 * library.h - libraries that a practitioner's baseline may be linked with.
 *
 * The list is short and ours: a library runs its own code when it is loaded,
 * before the sandbox is entered.  Sets of them are bits, by position.
 */
#ifndef AO_MODEL_LIBRARY_H
#define AO_MODEL_LIBRARY_H

#include "util/json.h"

struct ao_library {
	const char *name;   /* as task.json has it */
	const char *link;   /* file that the linker looks for */
	const char *soname; /* file that the loader looks for */
	const char *prefix; /* of the functions that may be called */
	const char *package;
};

enum { AO_LIBRARY_COUNT = 1 };
extern const struct ao_library ao_libraries[AO_LIBRARY_COUNT];

/* The bit of the library of that name, or 0. */
uint32_t ao_library_bit(const char *name);

/*
 * The set in member "libraries" of `json`, an array of names; empty if it is
 * missing.  AO_EINVALID says where `doc` names one that is not in the list.
 */
AO_MUST_CHECK
struct ao_error *ao_libraries_read(uint32_t *out, const struct ao_json_doc *doc,
				   const struct ao_json *json);

#endif
