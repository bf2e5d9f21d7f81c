/* SPDX-License-Identifier: MIT */
/* case_names.h - the cases that a user asks for. */
#ifndef AO_CLI_CASE_NAMES_H
#define AO_CLI_CASE_NAMES_H

#include "model/task.h"

/*
 * Push the names of the cases to judge: those in `list`, with commas between
 * (NULL: none), or with `is_all` every one.  AO_EUSAGE for an empty name,
 * AO_ENOTFOUND for one that no case has.
 */
AO_MUST_CHECK
struct ao_error *ao_case_names(struct ao_strs *out, const struct ao_task *task,
			       const char *list, bool is_all);

#endif
