/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/library.h"
#include "util/buf.h"

const struct ao_library ao_libraries[AO_LIBRARY_COUNT] = {
	{ "openblas", "libopenblas.so", "libopenblas.so.0", "cblas_",
	  "libopenblas-dev" },
};

uint32_t ao_library_bit(const char *name)
{
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (!strcmp(ao_libraries[i].name, name))
			return UINT32_C(1) << i;
	return 0;
}

/* A complaint about a name that is none. */
static struct ao_error *complain(const struct ao_json_doc *doc,
				 const struct ao_json *name)
{
	struct ao_buf names = AO_BUF_INIT(1024);
	struct ao_error *err;

	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		ao_buf_addf(&names, "%s'%s'", i ? ", " : "",
			    ao_libraries[i].name);
	err = ao_json_complain(doc, name, NULL, "expected a library out of: %s",
			       names.ptr);
	ao_buf_release(&names);
	return err;
}

struct ao_error *ao_libraries_read(uint32_t *out, const struct ao_json_doc *doc,
				   const struct ao_json *json)
{
	const struct ao_json *list;
	struct ao_error *err;

	*out = 0;
	if (!ao_json_get(json, "libraries"))
		return NULL;
	err = ao_json_want(&list, doc, json, "libraries", AO_JSON_ARRAY);
	if (err)
		return err;
	for (const struct ao_json *e = ao_json_first(list); e;
	     e = ao_json_next(e)) {
		const char *name = ao_json_text(e);
		uint32_t bit = name ? ao_library_bit(name) : 0;

		if (!bit)
			return complain(doc, e);
		*out |= bit;
	}
	return NULL;
}
