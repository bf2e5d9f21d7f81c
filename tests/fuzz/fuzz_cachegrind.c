/* SPDX-License-Identifier: MIT */
/* Any bytes are what cachegrind writes: totals are numbers, or there are none.
 */
#include "util/base.h"

#include "eval/cachegrind.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_counts counts = { 0 };

	if (ao_cachegrind_read(&counts, (const char *)data, size)) {
		FUZZ_CHECK(counts.instructions >= 0 && counts.reads >= 0);
		FUZZ_CHECK(counts.writes >= 0 && counts.first_misses >= 0);
		FUZZ_CHECK(counts.last_misses >= 0);
	} else {
		FUZZ_CHECK(!ao_counts_are_known(&counts));
	}
	FUZZ_CHECK(!counts.missing);
	return 0;
}
