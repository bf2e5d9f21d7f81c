/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "util/strs.h"

static void a_list_is_null_terminated_as_argv(void)
{
	struct ao_strs strs = { 0 };

	for (int i = 0; i < 100; i++) {
		ao_strs_pushf(&strs, "%d", i);
		EXPECT(!strs.v[strs.count]);
	}
	EXPECT(strs.count == 100 && !strcmp(strs.v[99], "99"));
	ao_strs_release(&strs);
	EXPECT(!strs.v && !strs.count);
	ao_strs_push(&strs, "again");
	EXPECT(strs.count == 1 && !strcmp(strs.v[0], "again"));
	ao_strs_release(&strs);
}

static void splitting_takes_any_run_of_blanks(void)
{
	struct ao_strs strs = { 0 };

	ao_strs_split(&strs, " \t gcc  -O3\n-Wall ");
	EXPECT(strs.count == 3);
	EXPECT(!strcmp(strs.v[0], "gcc") && !strcmp(strs.v[1], "-O3") &&
	       !strcmp(strs.v[2], "-Wall"));
	ao_strs_release(&strs);
}

static void splitting_nothing_gives_an_empty_list(void)
{
	struct ao_strs strs = { 0 };

	ao_strs_split(&strs, "");
	ao_strs_split(&strs, " \n ");
	EXPECT(!strs.count);
	ao_strs_release(&strs);
}

static void sorting_drops_repeats(void)
{
	struct ao_strs strs = { 0 };

	ao_strs_split(&strs, "b a c a b a");
	ao_strs_sort_unique(&strs);
	EXPECT(strs.count == 3 && !strs.v[3]);
	EXPECT(!strcmp(strs.v[0], "a") && !strcmp(strs.v[1], "b") &&
	       !strcmp(strs.v[2], "c"));
	ao_strs_release(&strs);
	ao_strs_sort_unique(&strs);
	EXPECT(!strs.count);
}

static void a_list_has_what_equals_not_what_begins_alike(void)
{
	struct ao_strs strs = { 0 };

	EXPECT(!ao_strs_has(&strs, "a"));
	ao_strs_split(&strs, "alpha beta");
	EXPECT(ao_strs_has(&strs, "beta"));
	EXPECT(!ao_strs_has(&strs, "bet") && !ao_strs_has(&strs, ""));
	ao_strs_release(&strs);
}

int main(void)
{
	RUN(a_list_is_null_terminated_as_argv);
	RUN(splitting_takes_any_run_of_blanks);
	RUN(splitting_nothing_gives_an_empty_list);
	RUN(sorting_drops_repeats);
	RUN(a_list_has_what_equals_not_what_begins_alike);
	return tap_done();
}
