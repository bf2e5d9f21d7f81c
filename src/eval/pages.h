/* SPDX-License-Identifier: MIT */
/* pages.h - memory for tensors, in mappings of its own. */
#ifndef AO_EVAL_PAGES_H
#define AO_EVAL_PAGES_H

#include "util/error.h"

enum ao_sharing {
	AO_PAGES_PRIVATE,
	AO_PAGES_SHARED, /* with child processes: both see what is written */
};

/*
 * Zeroed memory; the caller frees *out with ao_pages_unmap().  AO_ELIMIT if
 * there is not so much.
 */
AO_MUST_CHECK
struct ao_error *ao_pages_map(void **out, size_t bytes,
			      enum ao_sharing sharing);

/* NULL does nothing. */
void ao_pages_unmap(void *memory, size_t bytes);

#endif
