/* SPDX-License-Identifier: MIT */
/*
 * fetched.h - what a loop in lanes reads, asked for before it is needed.
 */
#ifndef AO_REWRITE_FETCHED_H
#define AO_REWRITE_FETCHED_H

#include "rewrite/edits.h"
#include "rewrite/lanes.h"

/*
 * More arrays than these, of rows as far apart as a power of two, throw each
 * other's lines out of the first cache before they are used.
 */
enum { AO_MAX_FETCHED = 5 };

struct ao_fetched {
	const struct ao_term *v[AO_MAX_FETCHED]; /* [count] */
	size_t count;
};

/*
 * Note the elements whose neighbours the loop will read.  Returns false if
 * fetching them early does not pay: it does where so much is computed for each
 * element that the processor, which by itself looks a few hundred operations
 * ahead, does not see the loads of the next lines in time.
 */
bool ao_fetched_read(struct ao_fetched *out, const struct ao_lanes *lanes);

/* Write a fetch of what `element` stands for, AHEAD_FLOATS on. */
void ao_fetched_write(struct ao_lanes *lanes, struct ao_draft *draft,
		      const struct ao_term *element, bool is_target);

/* Define AHEAD_FLOATS: one distance for the whole file, the first. */
void ao_fetched_add_constant(struct ao_edits *edits, struct ao_unit *unit,
			     int ahead);

/* Reads a distance in floats from params: "ahead=512". */
bool ao_fetched_ahead(const char *params, int *out);

#endif
