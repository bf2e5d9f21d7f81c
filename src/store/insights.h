/* SPDX-License-Identifier: MIT */
/* insights.h - the insights in notes, as one list. */
#ifndef AO_STORE_INSIGHTS_H
#define AO_STORE_INSIGHTS_H

#include "model/record.h"
#include "store/notetree.h"

/*
 * All insights in the notes, each once, without those that others replace,
 * oldest first.  `task` and `run`, where not NULL, leave out what is of
 * others.  The caller releases each and frees the list.
 */
struct ao_insight *ao_insights_read(size_t *count_out,
				    struct ao_objects *objects,
				    const struct ao_notelist *notes,
				    const char *task, const char *run);

#endif
