/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "agents/snippet.h"

/* Whether two texts differ in just these lines. */
static bool differ(const char *a, const char *b, size_t most,
		   const char *wanted_a, const char *wanted_b)
{
	char *a_lines = NULL, *b_lines = NULL;
	bool is_it = ao_snippet_differ(&a_lines, &b_lines, a, b, most) &&
		     !strcmp(a_lines, wanted_a) && !strcmp(b_lines, wanted_b);

	if (!is_it)
		printf("# '%s' '%s'\n", a_lines ? a_lines : "",
		       b_lines ? b_lines : "");
	free(a_lines);
	free(b_lines);
	return is_it;
}

static void equal_texts_do_not_differ(void)
{
	char *a = NULL, *b = NULL;

	EXPECT(!ao_snippet_differ(&a, &b, "x\ny\n", "x\ny\n", 9));
	EXPECT(!a && !b);
}

static void what_differs_has_a_line_of_context_on_either_side(void)
{
	EXPECT(differ("a\nb\nc\nd\ne\n", "a\nb\nX\nY\nd\ne\n", 9, "b\nc\nd\n",
		      "b\nX\nY\nd\n"));
}

static void the_ends_of_a_text_have_no_context_outside(void)
{
	EXPECT(differ("a\nb\n", "X\nb\n", 9, "a\nb\n", "X\nb\n"));
	EXPECT(differ("a\nb\n", "a\nX\n", 9, "a\nb\n", "a\nX\n"));
	EXPECT(differ("", "X\n", 9, "", "X\n"));
}

static void an_insertion_is_nothing_on_the_other_side(void)
{
	EXPECT(differ("a\nb\n", "a\nX\nb\n", 9, "a\nb\n", "a\nX\nb\n"));
}

static void a_missing_last_newline_is_a_difference(void)
{
	EXPECT(differ("a\nb\n", "a\nb", 9, "a\nb\n", "a\nb"));
}

static void what_is_long_is_cut(void)
{
	EXPECT(differ("1\n2\n3\n4\n", "a\nb\nc\nd\n", 2, "1\n2\n...\n",
		      "a\nb\n...\n"));
}

int main(void)
{
	RUN(equal_texts_do_not_differ);
	RUN(what_differs_has_a_line_of_context_on_either_side);
	RUN(the_ends_of_a_text_have_no_context_outside);
	RUN(an_insertion_is_nothing_on_the_other_side);
	RUN(a_missing_last_newline_is_a_difference);
	RUN(what_is_long_is_cut);
	return tap_done();
}
