/* SPDX-License-Identifier: MIT */
/* bench_json.h - a benchmark as one JSON object. */
#ifndef AO_CLI_BENCH_JSON_H
#define AO_CLI_BENCH_JSON_H

#include "collab/bench_text.h"
#include "util/json.h"

/*
 * The same as the page of bench_text.h.  What is not known is null.  The caller
 * frees it.
 */
struct ao_json *ao_bench_to_json(const struct ao_bench_page *page);

#endif
