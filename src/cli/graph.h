/* SPDX-License-Identifier: MIT */
/*
 * graph.h - a tree of commits drawn beside its lines, as git log --graph does.
 *
 * Commits come children first, each with one parent.  Pure.
 */
#ifndef AO_CLI_GRAPH_H
#define AO_CLI_GRAPH_H

#include "util/buf.h"

struct ao_graph;

struct ao_graph *ao_graph_new(void);
void ao_graph_free(struct ao_graph *graph);

/*
 * Append what stands left of the commit's line: "| * ".  `parent` NULL: it has
 * none.  Both are borrowed until the graph is freed.
 */
void ao_graph_commit(struct ao_graph *graph, struct ao_buf *out,
		     const char *commit, const char *parent);

/* Append the line that joins it to the others, "|/" and a newline, or nothing.
 */
void ao_graph_join(struct ao_graph *graph, struct ao_buf *out);

#endif
