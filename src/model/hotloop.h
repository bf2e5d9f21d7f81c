/* SPDX-License-Identifier: MIT */
/*
 * hotloop.h - the loop in which a kernel spends most of its time, and what
 * holds it up.
 *
 * For whoever writes the next kernel.  Nothing is decided by it: where the time
 * goes is seen from inside the kernel's process, and the cycles are those of a
 * model that finds all data in the nearest cache.
 */
#ifndef AO_MODEL_HOTLOOP_H
#define AO_MODEL_HOTLOOP_H

#include "model/fields.h"
#include "util/buf.h"

/* All zero is empty: no loop is known. */
struct ao_hotloop {
	char *file; /* of the kernel; NULL: unknown */
	uint32_t line;
	uint32_t samples; /* that shares are of */
	double share;	  /* of the time that is spent in it: 0..1 */
	double outside;	  /* of the time, in libraries that are called: 0..1 */

	/* Instructions of one step, 0: there is no such loop; then by kind. */
	uint32_t instructions;
	uint32_t scalar; /* arithmetic on one number */
	uint32_t vector128, vector256, vector512;
	uint32_t shuffles;  /* within and between vectors */
	uint32_t divisions; /* and roots, among the arithmetic above */
	uint32_t loads, stores, branches, calls;

	/* Of one step, by llvm-mca; 0: it was not asked. */
	double cycles;
	double throughput_cycles; /* if nothing waited for a result */
	char *bound;		  /* "latency", "throughput", "front end" */
	char *chain; /* of latency: instructions that wait for each other */
	char *port;  /* of throughput: the busiest part of the processor */

	/* A tool that is not installed, or fails: "objdump", "llvm-mca". */
	char *missing;
};

extern const struct ao_fields ao_hotloop_fields;

void ao_hotloop_release(struct ao_hotloop *loop);

/* Whether there is anything to tell. */
bool ao_hotloop_is_known(const struct ao_hotloop *loop);

/* Append a line or two, each with its newline. */
void ao_hotloop_text(struct ao_buf *out, const struct ao_hotloop *loop);

#endif
