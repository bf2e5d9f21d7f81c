/* SPDX-License-Identifier: MIT */
/* Any bytes can be looked into as a shared object, and pass the gate or not. */
#include "util/base.h"

#include "eval/object.h"
#include "eval/objgate.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ao_objgate gate = { .entry = "kernel" };
	const char *bytes = (const char *)data;
	bool found = false;
	struct ao_error *err = ao_object_exports(&found, bytes, size, "kernel");
	char *why = ao_objgate_check(&gate, bytes, size);

	FUZZ_CHECK(!err || !found);
	FUZZ_CHECK(!err || why);
	FUZZ_CHECK(!why || !strchr(why, '\n'));
	free(why);
	ao_error_free(err);
	return 0;
}
