/* SPDX-License-Identifier: MIT */
/*
 * fuzz.h - what fuzz targets share.
 *
 * A target is a file fuzz_<x>.c with LLVMFuzzerTestOneInput(), and a folder
 * corpus/<x> of inputs.  libFuzzer calls it (`make fuzz`), and the driver does,
 * once for each file of the corpus (`make check`).
 */
#ifndef AO_TESTS_FUZZ_H
#define AO_TESTS_FUZZ_H

#include "util/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End with a message, as a crash does, unless `cond` holds. */
#define FUZZ_CHECK(cond)                                                   \
	do {                                                               \
		if (!(cond)) {                                             \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
				#cond);                                    \
			abort();                                           \
		}                                                          \
	} while (0)

#endif
