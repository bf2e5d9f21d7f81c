/* SPDX-License-Identifier: MIT */
/*
 * lanes.h - loops whose results go to neighbouring elements that nobody reads
 * there: they can be taken by vectors of elements, with something to be done
 * for each vector.
 */
#ifndef AO_REWRITE_LANES_H
#define AO_REWRITE_LANES_H

#include "rewrite/body.h"
#include "rewrite/draft.h"

enum { AO_MAX_LANE_TARGETS = 4 };

struct ao_lanes {
	struct ao_unit *unit;
	const struct ao_for *loop;
	struct ao_env env;
	struct ao_body body;
	const struct ao_term *targets[AO_MAX_LANE_TARGETS]; /* [count] */
	size_t count;

	/* Names that mean nothing else in the function, from ao_lanes_name().
	 */
	char *done; /* how far the vectors have come */
	char *lane;
};

/* Returns false if the loop is none of these. */
bool ao_lanes_read(struct ao_lanes *out, struct ao_unit *unit,
		   const struct ao_for *loop);

/* Bytes that the whole nest stores in the main case; 0: not known. */
double ao_lanes_stored_bytes(const struct ao_lanes *lanes);

/*
 * Whether a nest that moves so many bytes (0: not known) may be one whose
 * arrays no cache holds.
 */
bool ao_lanes_are_uncached(double bytes);

/* Choose names; `wish` is for how far the vectors have come. */
void ao_lanes_name(struct ao_lanes *lanes, const char *wish);

/* An element with `at` for the counter.  Borrowed from the unit. */
char *ao_lanes_say(struct ao_lanes *lanes, const struct ao_term *term,
		   const char *at);

/* Start a draft for before the loop, with how far the vectors have come. */
void ao_lanes_start(struct ao_lanes *lanes, struct ao_draft *draft);

/* Write the head of the loop over vectors, with its {. */
void ao_lanes_open(struct ao_lanes *lanes, struct ao_draft *draft);

/*
 * Write the loop over the lanes of one vector.  Results go to the arrays
 * called `lines`, one for each target, or where they belong if that is NULL.
 */
void ao_lanes_write(struct ao_lanes *lanes, struct ao_draft *draft,
		    char *const *lines);

#endif
