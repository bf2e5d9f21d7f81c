/* SPDX-License-Identifier: MIT */
/* event_json.h - an event of a search as `evolve --json` prints it. */
#ifndef AO_CLI_EVENT_JSON_H
#define AO_CLI_EVENT_JSON_H

#include "evolve/event.h"
#include "util/json.h"

/* The caller frees it. */
struct ao_json *ao_event_to_json(const struct ao_event *event);

#endif
