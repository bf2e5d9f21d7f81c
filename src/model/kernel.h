/* SPDX-License-Identifier: MIT */
/* kernel.h - the source of one kernel: the files that an agent may change. */
#ifndef AO_MODEL_KERNEL_H
#define AO_MODEL_KERNEL_H

#include "util/base.h"

struct ao_kernel_file {
	char *path; /* within the task's folder, with / */
	char *data; /* NUL-terminated, may hold any byte */
	size_t len;
};

/* All zero is empty. */
struct ao_kernel {
	/*
	 * The kernel id: the git blob id of the one file, or the git tree id
	 * of the named files where there are several.  "" until known.
	 */
	char id[AO_ID_SIZE];
	struct ao_kernel_file *files; /* [count], in the task's order */
	size_t count;
	/*
	 * Of a baseline that is trusted: what it is linked with, bits of
	 * library.h.  No candidate has any.
	 */
	uint32_t libraries;
};

/* Append a file; `path` and `data` are copied; the id is cleared. */
void ao_kernel_add(struct ao_kernel *kernel, const char *path, const char *data,
		   size_t len);

void ao_kernel_copy(struct ao_kernel *out, const struct ao_kernel *from);
void ao_kernel_release(struct ao_kernel *kernel);

#endif
