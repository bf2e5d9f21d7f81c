/* SPDX-License-Identifier: MIT */
/* kernels.h - kernels to fill a repository with, as a search would. */
#ifndef AO_BENCH_KERNELS_H
#define AO_BENCH_KERNELS_H

#include "util/buf.h"
#include "util/rng.h"

enum { AO_BENCH_LINES = 110 }; /* some 6 KB */

/* A kernel that shares most lines with its siblings. */
static inline void write_kernel(struct ao_buf *out, struct ao_rng *rng)
{
	for (unsigned line = 0; line < AO_BENCH_LINES; line++) {
		uint64_t value = line * UINT64_C(2654435761);

		if (!ao_rng_below(rng, 12))
			value = ao_rng_next(rng);
		ao_buf_addf(out,
			    "	acc%u[%u] += a[i * lda + %u] * b[%u * ldb "
			    "+ j]; /* %u */\n",
			    line, (unsigned)(value % 512),
			    (unsigned)(value >> 20 & 4095), line,
			    (unsigned)(value >> 40 & 1023));
	}
}

#endif
