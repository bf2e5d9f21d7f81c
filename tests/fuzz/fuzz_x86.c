/* SPDX-License-Identifier: MIT */
/* Any bytes can be read as instructions, by themselves and as code. */
#include "util/base.h"

#include "eval/sweep.h"
#include "fuzz.h"

static void decode_all(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size; at++) {
		struct ao_x86 x86 = { 0 };

		if (!ao_x86_decode(&x86, data + at, size - at)) {
			FUZZ_CHECK(!x86.length);
			continue;
		}
		FUZZ_CHECK(x86.length && x86.length <= AO_X86_MAX_LENGTH);
		FUZZ_CHECK(x86.length <= size - at);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ao_x86_ban *ban;
	struct ao_sweep sweep;
	uint64_t address = 0;

	decode_all(data, size);
	ao_sweep_init(&sweep, data, size, 0x1000);
	FUZZ_CHECK(ao_sweep_add_code(&sweep, 0x1000, size) || !size);
	FUZZ_CHECK(!ao_sweep_add_code(&sweep, 0x1000, size) || !size);
	ban = ao_sweep_run(&address, &sweep, size & 1);
	FUZZ_CHECK(!ban || (address >= 0x1000 && address - 0x1000 < size));
	ao_sweep_release(&sweep);
	return 0;
}
