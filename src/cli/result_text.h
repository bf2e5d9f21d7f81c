/* SPDX-License-Identifier: MIT */
/* result_text.h - what an evaluation found out, for people to read. */
#ifndef AO_CLI_RESULT_TEXT_H
#define AO_CLI_RESULT_TEXT_H

#include "model/result.h"
#include "util/buf.h"

/* The verdict and why, the table of cases, flags, remarks and output. */
void ao_result_text(struct ao_buf *out, const struct ao_result *result);

/* The table of cases alone: time, floor, percent of peak, bound, error. */
void ao_cases_text(struct ao_buf *out, const struct ao_result *result);

/*
 * A line for each case: `b` against `a`, "main: b is faster, x1.430
 * [1.400..1.460], evidence 5120 in 12 units".
 */
void ao_pairs_text(struct ao_buf *out, const struct ao_result *result,
		   const char *a, const char *b);

/* A line about the session's control, if there was one: selfpair.h. */
void ao_control_text(struct ao_buf *out, const struct ao_result *result);

#endif
