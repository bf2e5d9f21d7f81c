/* SPDX-License-Identifier: MIT */
/*
 * bench_text.h - a benchmark as a page of Markdown.
 *
 * A table of all tasks and cases with both baselines, means over the main
 * cases, what won, and what it was measured with.  Pure.  Text from others is
 * escaped.
 */
#ifndef AO_COLLAB_BENCH_TEXT_H
#define AO_COLLAB_BENCH_TEXT_H

#include "collab/bench.h"

struct ao_bench_page {
	const char *title;
	const char *command; /* that made it */
	const struct ao_machine *machine;
	const struct ao_bench_row *rows; /* [count] */
	size_t count;
	const struct ao_strs *libraries; /* files that baselines link */
	const struct ao_strs *missing;	 /* tasks that have no row */
};

/* Append the page. */
void ao_bench_text(struct ao_buf *out, const struct ao_bench_page *page);

#endif
