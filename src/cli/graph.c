/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/graph.h"

struct ao_graph {
	const char **columns; /* [count] the commit that each leads down to */
	size_t count;
	size_t alloc;
	size_t at;   /* the column of the last commit */
	size_t into; /* the column that it joins; == at: none */
};

struct ao_graph *ao_graph_new(void)
{
	return ao_xcalloc(1, sizeof(struct ao_graph));
}

void ao_graph_free(struct ao_graph *graph)
{
	if (!graph)
		return;
	free(graph->columns);
	free(graph);
}

/* The column that leads to `commit`, or count. */
static size_t find(const struct ao_graph *graph, const char *commit)
{
	size_t i = 0;

	while (i < graph->count && strcmp(graph->columns[i], commit) != 0)
		i++;
	return i;
}

static void insert(struct ao_graph *graph, size_t at, const char *commit)
{
	graph->columns = ao_grow(graph->columns, &graph->alloc,
				 graph->count + 1, sizeof(*graph->columns));
	memmove(graph->columns + at + 1, graph->columns + at,
		(graph->count - at) * sizeof(*graph->columns));
	graph->columns[at] = commit;
	graph->count++;
}

static void take_out(struct ao_graph *graph, size_t at)
{
	graph->count--;
	memmove(graph->columns + at, graph->columns + at + 1,
		(graph->count - at) * sizeof(*graph->columns));
}

void ao_graph_commit(struct ao_graph *graph, struct ao_buf *out,
		     const char *commit, const char *parent)
{
	size_t at = find(graph, commit);
	size_t into = parent ? find(graph, parent) : graph->count;

	if (at == graph->count) {
		/* A new tip goes beside the column that it will join. */
		at = into < graph->count ? into + 1 : graph->count;
		insert(graph, at, commit);
	}
	for (size_t i = 0; i < graph->count; i++)
		ao_buf_addstr(out, i == at ? "* " : "| ");

	graph->at = graph->into = at;
	if (!parent) {
		take_out(graph, at);
	} else {
		into = find(graph, parent);
		if (into < graph->count)
			graph->into = into;
		graph->columns[at] = parent;
	}
}

void ao_graph_join(struct ao_graph *graph, struct ao_buf *out)
{
	size_t left = graph->into < graph->at ? graph->into : graph->at;
	size_t right = graph->into < graph->at ? graph->at : graph->into;

	if (left == right)
		return;
	/* "|_|/ /": from the right column to the left, those behind move up. */
	for (size_t i = 0; i < graph->count; i++) {
		if (i < left)
			ao_buf_addstr(out, "| ");
		else if (i + 1 < right)
			ao_buf_addstr(out, "|_");
		else if (i < right)
			ao_buf_addstr(out, "|/");
		else if (i > right)
			ao_buf_addstr(out, " /");
	}
	ao_buf_addstr(out, "\n");
	take_out(graph, right);
	graph->at = graph->into = left;
}
