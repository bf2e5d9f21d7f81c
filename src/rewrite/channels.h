/* SPDX-License-Identifier: MIT */
/*
 * channels.h - recurrences that a loop goes through, side by side.
 *
 *     for (i) {
 *         preparations
 *         for (s) { float h = 0; for (t) { h = ...; y[i][t] += ...; } }
 *     }
 *
 * Each i, a channel, has rows of its own in what it writes and is made of
 * matrices that nobody writes to, so that several channels can take each step
 * together.  Of matrices [i][t] and [i][s] they need copies in which the
 * channels are neighbours; those [s][t] are the same for all of them.
 */
#ifndef AO_REWRITE_CHANNELS_H
#define AO_REWRITE_CHANNELS_H

#include "rewrite/scan.h"

enum { AO_MAX_COPIES = 8 };

/* A matrix of which copies are made. */
struct ao_copy {
	const struct ao_term *element;
	const char *as;
	bool is_of_states; /* [channel][state], not [channel][step] */
};

struct ao_channels {
	struct ao_scan scan; /* of each */
	const struct ao_for *loop;
	struct ao_copy copies[AO_MAX_COPIES]; /* [copy_count] of a step's */
	size_t copy_count;
};

/*
 * Read the channels around the recurrence whose loop over states this is; it
 * may be NULL.
 */
bool ao_channels_read(struct ao_channels *out, struct ao_unit *unit,
		      const struct ao_for *states);

/* Whether a term is an element of a matrix to be copied. */
bool ao_channels_is_copied(const struct ao_channels *channels,
			   const struct ao_term *term, bool *is_of_states_out);

/* The copy of the matrix named at `name`, or NULL. */
const struct ao_copy *ao_channels_copy(const struct ao_channels *channels,
				       uint32_t name);

#endif
