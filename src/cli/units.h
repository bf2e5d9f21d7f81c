/* SPDX-License-Identifier: MIT */
/* units.h - times and sizes as people read them, three digits each. */
#ifndef AO_CLI_UNITS_H
#define AO_CLI_UNITS_H

#include "util/base.h"

/* Room for any of them. */
#define AO_UNITS_SIZE 32

/* "812 ns", "12.3 us", "4.56 ms", "1.20 s" */
void ao_units_time(char out[AO_UNITS_SIZE], double ns);

/* "512 B", "48.0 KB", "1.25 GB"; decimal. */
void ao_units_bytes(char out[AO_UNITS_SIZE], double bytes);

/* "2.15 G": a count with the same decimal prefixes. */
void ao_units_count(char out[AO_UNITS_SIZE], double count);

/* "41 s", "3:07 min", "2:05 h" */
void ao_units_elapsed(char out[AO_UNITS_SIZE], double seconds);

#endif
