/* SPDX-License-Identifier: MIT */
/* insight_json.h - an insight as --json prints it. */
#ifndef AO_CLI_INSIGHT_JSON_H
#define AO_CLI_INSIGHT_JSON_H

#include "model/record.h"
#include "util/json.h"

/*
 * Append to `to`: id, task, run, iteration, rank, gain with its interval,
 * title, text, slow, fast, slow_code, fast_code, features, agent.
 */
void ao_insight_to_json(struct ao_json *to, const struct ao_insight *insight);

#endif
