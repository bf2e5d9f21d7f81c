/* SPDX-License-Identifier: MIT */
/*
 * object.h - look into a shared object without loading it.
 *
 * Loading would run its code in this process.
 */
#ifndef AO_EVAL_OBJECT_H
#define AO_EVAL_OBJECT_H

#include "util/error.h"

/*
 * Whether the object at `path` exports a function of that name.  AO_EINVALID
 * if it is not a shared object of this machine.
 */
AO_MUST_CHECK
struct ao_error *ao_object_exports(bool *out, const char *path,
				   const char *name);

/* The same for the bytes of an object. */
AO_MUST_CHECK
struct ao_error *ao_object_bytes_export(bool *out, const char *data, size_t len,
					const char *name);

/* Whether two objects are the same, byte for byte. */
AO_MUST_CHECK
struct ao_error *ao_object_equals(bool *out, const char *path,
				  const char *other);

#endif
