/* SPDX-License-Identifier: MIT */
/*
 * published.h - what a suite's authors published of it, and the least times
 * that their own peak model gives.
 *
 * A suite may have a file published.json beside its tasks: machines with their
 * peaks; tasks with the published shape, their work as expressions of its axes,
 * and the latencies that were measured.  The model is the authors', kept for
 * their figures: a task takes no less than its bytes (four times the elements
 * moved) over the bandwidth, the flops of its matrix products over their peak,
 * and all other flops over the vector units' peak.  machine.h has ours.
 */
#ifndef AO_MODEL_PUBLISHED_H
#define AO_MODEL_PUBLISHED_H

#include "util/error.h"

/* Times and percentages are NAN where nothing was measured. */
struct ao_published_task {
	char *name;
	char *shape;	   /* "M=10944 N=2048" */
	const char *bound; /* "memory", "matmul" or "vector" */
	double peak_ms;	   /* the least time */
	double baseline_ms;
	double best_ms;	       /* of the published search */
	double gain;	       /* baseline over best */
	double percent_before; /* of peak: the baseline */
	double percent_after;  /* the best */
};

/* One machine's figures.  All zero is empty. */
struct ao_published {
	char *source;
	char *machine; /* "one core of Trainium 1" */
	double bytes_per_s;
	double matmul_flops_per_s;
	double vector_flops_per_s;
	struct ao_published_task *tasks; /* [count] */
	size_t count;
	/* Geometric means over the tasks that were measured; NAN if none was.
	 */
	size_t measured;
	double gain;
	double percent_before;
	double percent_after;
};
void ao_published_release(struct ao_published *published);

/*
 * Parse such a file and compute the figures of one machine.  `where` is its
 * path, for messages; AO_EINVALID names the line and field, AO_ENOTFOUND the
 * machines that there are.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_published_parse(struct ao_published *out, const char *where,
				    const char *text, size_t len,
				    const char *machine);

#endif
