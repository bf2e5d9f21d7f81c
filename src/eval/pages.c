/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/mman.h>

#include "eval/pages.h"

struct ao_error *ao_pages_map(void **out, size_t bytes, enum ao_sharing sharing)
{
	int flags = sharing == AO_PAGES_SHARED ? MAP_SHARED : MAP_PRIVATE;
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    flags | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return ao_error_new(AO_ELIMIT,
				    "there is no memory for %zu bytes of a "
				    "dataset",
				    bytes);
	*out = memory;
	return NULL;
}

void ao_pages_unmap(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes);
}
