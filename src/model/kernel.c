/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/kernel.h"

void ao_kernel_add(struct ao_kernel *kernel, const char *path, const char *data,
		   size_t len)
{
	struct ao_kernel_file *file;

	/* A kernel has a handful of files: no need for spare room. */
	kernel->files = ao_xrealloc(kernel->files,
				    (kernel->count + 1) * sizeof(*file));
	file = &kernel->files[kernel->count++];
	file->path = ao_xstrdup(path);
	file->data = ao_xstrndup(data, len);
	file->len = len;
	kernel->id[0] = '\0';
}

void ao_kernel_copy(struct ao_kernel *out, const struct ao_kernel *from)
{
	*out = (struct ao_kernel){ 0 };
	for (size_t i = 0; i < from->count; i++)
		ao_kernel_add(out, from->files[i].path, from->files[i].data,
			      from->files[i].len);
	memcpy(out->id, from->id, sizeof(out->id));
	out->libraries = from->libraries;
}

void ao_kernel_release(struct ao_kernel *kernel)
{
	for (size_t i = 0; i < kernel->count; i++) {
		free(kernel->files[i].path);
		free(kernel->files[i].data);
	}
	free(kernel->files);
	*kernel = (struct ao_kernel){ 0 };
}
