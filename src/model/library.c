/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/library.h"
#include "util/buf.h"

const struct ao_library ao_libraries[AO_LIBRARY_COUNT] = {
	{ "openblas", "libopenblas.so", "libopenblas.so.0", "libopenblas-dev" },
};

uint32_t ao_library_bit(const char *name)
{
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (!strcmp(ao_libraries[i].name, name))
			return UINT32_C(1) << i;
	return 0;
}

char *ao_library_names(void)
{
	struct ao_buf names = AO_BUF_INIT(1024);

	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		ao_buf_addf(&names, "%s'%s'", i ? ", " : "",
			    ao_libraries[i].name);
	return ao_buf_take(&names);
}
