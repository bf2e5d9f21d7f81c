/* SPDX-License-Identifier: MIT */
/*
 * counts.h - what one call of a kernel comes to by cachegrind, on a machine
 * with the same caches wherever it runs.
 */
#ifndef AO_MODEL_COUNTS_H
#define AO_MODEL_COUNTS_H

#include "model/fields.h"
#include "util/buf.h"

/* Of a call.  All zero is empty: nothing was counted. */
struct ao_counts {
	double instructions;
	double reads; /* instructions that do, the same for writes */
	double writes;
	double first_misses; /* of a first cache of 32 KiB */
	double last_misses;  /* of a last cache of 8 MiB */
	char *missing;	     /* why there are none, if they were asked for */
};

extern const struct ao_fields ao_counts_fields;

void ao_counts_release(struct ao_counts *counts);
bool ao_counts_are_known(const struct ao_counts *counts);

/* Append a line, if there is anything to tell. */
void ao_counts_text(struct ao_buf *out, const struct ao_counts *counts);

#endif
