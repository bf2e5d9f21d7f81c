/* SPDX-License-Identifier: MIT */
/* context.h - what a kernel's source means outside its own text. */
#ifndef AO_REWRITE_CONTEXT_H
#define AO_REWRITE_CONTEXT_H

#include "util/base.h"

struct ao_rewrite_context {
	const char *entry;	       /* function to rewrite: "kernel" */
	const char *const *axis_names; /* [axis_count] macros */
	const int64_t *axis_values;    /* [axis_count] in the main case */
	size_t axis_count;
	uint32_t vector_bytes; /* of a register: 16, 32 or 64 */
};

#endif
