/* SPDX-License-Identifier: MIT */
/* clock.h - what time it is, and how times are written. */
#ifndef AO_UTIL_CLOCK_H
#define AO_UTIL_CLOCK_H

#include "util/base.h"

/* Nanoseconds since some fixed point; never jumps. */
uint64_t ao_clock_now_ns(void);

/* Milliseconds since 1970, UTC. */
int64_t ao_clock_unix_ms(void);

/* CPU time of this process (not its children), in nanoseconds. */
uint64_t ao_clock_cpu_ns(void);

void ao_clock_sleep_ms(uint32_t ms);

/* "2026-11-30T02:10:54.123Z" and a NUL. */
#define AO_TIME_SIZE 25
void ao_clock_format(char out[AO_TIME_SIZE], int64_t unix_ms);

/* Read what ao_clock_format() wrote.  Returns false if it is not that. */
bool ao_clock_parse(int64_t *unix_ms_out, const char *text);

/* "20261130T021054" and a NUL: the start of a run id. */
#define AO_STAMP_SIZE 16
void ao_clock_stamp(char out[AO_STAMP_SIZE], int64_t unix_ms);

#endif
