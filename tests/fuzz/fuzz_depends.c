/* SPDX-License-Identifier: MIT */
/* Any bytes are a list of files; one that is elsewhere stands in it. */
#include "util/base.h"

#include "eval/depends.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const system_folders[] = { "/usr" };
	const struct ao_strs parts = { 0 };
	const struct ao_depends_places places = {
		.folder = "/tmp/build",
		.system = system_folders,
		.system_count = 1,
		.parts = &parts,
	};
	char *outside = ao_depends_outside((const char *)data, size, &places);

	FUZZ_CHECK(!outside || strlen(outside) <= size);
	free(outside);
	return 0;
}
