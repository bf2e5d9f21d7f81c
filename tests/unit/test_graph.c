/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "cli/graph.h"

struct commit {
	const char *name;
	const char *parent; /* NULL: none */
};

/* Draw commits, their names behind; true if it looks like `expected`. */
static bool draws(const struct commit *commits, size_t count,
		  const char *expected)
{
	struct ao_graph *graph = ao_graph_new();
	struct ao_buf out = AO_BUF_INIT(4096);
	bool equal;

	for (size_t i = 0; i < count; i++) {
		ao_graph_commit(graph, &out, commits[i].name,
				commits[i].parent);
		ao_buf_addf(&out, "%s\n", commits[i].name);
		ao_graph_join(graph, &out);
	}
	equal = !strcmp(out.ptr, expected);
	if (!equal)
		printf("# drawn:\n%s", out.ptr);
	ao_buf_release(&out);
	ao_graph_free(graph);
	return equal;
}

static void a_line_of_commits_is_a_line(void)
{
	const struct commit commits[] = { { "b", "a" }, { "a", NULL } };

	EXPECT(draws(commits, 2, "* b\n* a\n"));
}

static void siblings_join_the_column_of_their_parent(void)
{
	const struct commit commits[] = { { "c", "a" },
					  { "b", "a" },
					  { "a", NULL } };

	EXPECT(draws(commits, 3,
		     "* c\n"
		     "| * b\n"
		     "|/\n"
		     "* a\n"));
}

static void columns_to_the_right_make_room_and_come_back(void)
{
	const struct commit commits[] = { { "e", "b" }, { "d", "c" },
					  { "x", "b" }, { "c", "a" },
					  { "b", "a" }, { "a", NULL } };

	EXPECT(draws(commits, 6,
		     "* e\n"
		     "| * d\n"
		     "| * | x\n"
		     "|/ /\n"
		     "| * c\n"
		     "* | b\n"
		     "|/\n"
		     "* a\n"));
}

static void a_far_column_is_reached_under_those_between(void)
{
	const struct commit commits[] = { { "g", "b" }, { "f", "c" },
					  { "e", "d" }, { "d", "b" },
					  { "c", "b" }, { "b", NULL } };

	EXPECT(draws(commits, 6,
		     "* g\n"
		     "| * f\n"
		     "| | * e\n"
		     "| | * d\n"
		     "|_|/\n"
		     "| * c\n"
		     "|/\n"
		     "* b\n"));
}

static void a_commit_without_parent_ends_its_column(void)
{
	const struct commit commits[] = { { "b", NULL }, { "a", NULL } };

	EXPECT(draws(commits, 2, "* b\n* a\n"));
}

int main(void)
{
	RUN(a_line_of_commits_is_a_line);
	RUN(siblings_join_the_column_of_their_parent);
	RUN(columns_to_the_right_make_room_and_come_back);
	RUN(a_far_column_is_reached_under_those_between);
	RUN(a_commit_without_parent_ends_its_column);
	return tap_done();
}
