/* SPDX-License-Identifier: MIT */
/*
 * object.h - look into a shared object without loading it.
 *
 * Loading would run its code in this process.
 */
#ifndef AO_EVAL_OBJECT_H
#define AO_EVAL_OBJECT_H

#include "util/buf.h"

/* An empty buffer that is large enough for any object that is built here. */
struct ao_buf ao_object_buf(void);

/*
 * Whether the object in these bytes exports a function of that name.
 * AO_EINVALID if it is not a shared object of this machine.
 */
AO_MUST_CHECK
struct ao_error *ao_object_exports(bool *out, const char *data, size_t len,
				   const char *name);

/* Whether two files of objects are the same, byte for byte. */
AO_MUST_CHECK
struct ao_error *ao_object_equals(bool *out, const char *path,
				  const char *other);

#endif
