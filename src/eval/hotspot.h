/* SPDX-License-Identifier: MIT */
/*
 * hotspot.h - the loop of an object in which most samples lie, and what it is
 * made of.
 *
 * A loop is what lies between a jump and an earlier instruction that it leads
 * to, in one function.  A sample counts for the smallest loop around it.  That
 * is wrong about code that a compiler has moved out of the way, but that is
 * what it took for cold.
 */
#ifndef AO_EVAL_HOTSPOT_H
#define AO_EVAL_HOTSPOT_H

#include "eval/listing.h"
#include "eval/sampler.h"
#include "model/hotloop.h"

/* Of a listing, by the numbers of its instructions. */
struct ao_hotspot {
	size_t first;
	size_t last; /* the jump back */
};

/*
 * Fill in what is known of the loop but for its cycles.  Returns false if no
 * loop has a tenth of the samples: then *loop_out tells how many were outside
 * of the object.
 */
bool ao_hotspot_find(struct ao_hotspot *out, struct ao_hotloop *loop_out,
		     const struct ao_listing *listing,
		     const struct ao_samples *samples,
		     const struct ao_kernel *kernel);

#endif
