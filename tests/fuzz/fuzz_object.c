/* SPDX-License-Identifier: MIT */
/* Any bytes can be looked into as a shared object. */
#include "util/base.h"

#include "eval/object.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool found = false;
	struct ao_error *err;

	err = ao_object_bytes_export(&found, (const char *)data, size,
				     "kernel");
	FUZZ_CHECK(!err || !found);
	ao_error_free(err);
	return 0;
}
