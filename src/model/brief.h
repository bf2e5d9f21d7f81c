/* SPDX-License-Identifier: MIT */
/*
 * brief.h - what lists and statistics need of a record, and no more.
 *
 * A search leaves thousands of records, and a log or the statistics of plans
 * want a few numbers of each: in brief a profile takes a fraction of the
 * memory, and of a cache.
 */
#ifndef AO_MODEL_BRIEF_H
#define AO_MODEL_BRIEF_H

#include "model/record.h"

/*
 * A profile without the values of its units, remarks, hot loop, counts, log,
 * flags, seed, and all of its machine but the fingerprint.  Of other members of
 * record and result all are there.
 */
bool ao_profile_read_brief(struct ao_profile *out, const char *line,
			   size_t len);

/* A plan without its text and the insights that it was shown. */
bool ao_plan_read_brief(struct ao_plan *out, const char *line, size_t len);

#endif
