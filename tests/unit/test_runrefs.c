/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "store/runrefs.h"

#define RUN_ID "20261130T021054-7f3a9c01"

static struct ao_runrefs refs;

static git_oid id(char digit)
{
	git_oid out;

	memset(out.id, digit, sizeof(out.id));
	return out;
}

static void add(const char *name, char digit)
{
	git_oid at = id(digit);

	ao_runrefs_add(&refs, name, &at);
}

static bool is_id(const git_oid *at, char digit)
{
	git_oid wanted = id(digit);

	return git_oid_equal(at, &wanted);
}

static void a_journal_and_its_winner_make_a_run(void)
{
	add("refs/heads/accelopt/silu/" RUN_ID "/all", 1);
	add("refs/heads/accelopt/silu/" RUN_ID "/best", 2);
	ao_runrefs_finish(&refs);
	EXPECT(refs.run_count == 1);
	EXPECT(!strcmp(refs.runs[0].task, "silu"));
	EXPECT(!strcmp(refs.runs[0].run, RUN_ID));
	EXPECT(refs.runs[0].tip_count == 1 && is_id(refs.runs[0].tips, 1));
	EXPECT(refs.runs[0].has_best && is_id(&refs.runs[0].best, 2));
	EXPECT(!refs.runs[0].is_remote);
	ao_runrefs_release(&refs);
}

static void a_winner_without_a_journal_makes_none(void)
{
	add("refs/heads/accelopt/silu/" RUN_ID "/best", 1);
	ao_runrefs_finish(&refs);
	EXPECT(!refs.run_count);
	ao_runrefs_release(&refs);
}

static void the_name_of_a_remote_may_have_slashes(void)
{
	add("refs/remotes/team/a/accelopt/silu/" RUN_ID "/all", 1);
	ao_runrefs_finish(&refs);
	EXPECT(refs.run_count == 1 && refs.runs[0].is_remote);
	ao_runrefs_release(&refs);
}

static void this_clone_goes_before_its_remotes(void)
{
	add("refs/remotes/a/accelopt/silu/" RUN_ID "/all", 1);
	add("refs/remotes/a/accelopt/silu/" RUN_ID "/best", 1);
	add("refs/heads/accelopt/silu/" RUN_ID "/all", 2);
	add("refs/heads/accelopt/silu/" RUN_ID "/best", 2);
	add("refs/remotes/b/accelopt/silu/" RUN_ID "/all", 3);
	add("refs/remotes/b/accelopt/silu/" RUN_ID "/best", 3);
	ao_runrefs_finish(&refs);
	EXPECT(refs.run_count == 1 && !refs.runs[0].is_remote);
	EXPECT(refs.runs[0].tip_count == 3 && is_id(refs.runs[0].tips, 2));
	EXPECT(is_id(&refs.runs[0].best, 2));
	ao_runrefs_release(&refs);
}

static void what_a_remote_has_alike_is_taken_once(void)
{
	add("refs/remotes/a/accelopt/silu/" RUN_ID "/all", 1);
	add("refs/heads/accelopt/silu/" RUN_ID "/all", 1);
	ao_runrefs_finish(&refs);
	EXPECT(refs.run_count == 1 && refs.runs[0].tip_count == 1);
	ao_runrefs_release(&refs);
}

static void other_refs_are_passed_over(void)
{
	static const char *const names[] = {
		"refs/heads/main",
		"refs/heads/accelopt",
		"refs/heads/accelopt/silu",
		"refs/heads/accelopt/silu/" RUN_ID,
		"refs/heads/accelopt/silu/" RUN_ID "/other",
		"refs/heads/accelopt/silu/" RUN_ID "/all/x",
		"refs/heads/accelopt/silu/not_a_run!/all",
		"refs/heads/x/accelopt/silu/" RUN_ID "/all",
		"refs/tags/accelopt/silu/" RUN_ID "/all",
		"refs/notes/commits",
		"refs/notes/accelopt/7f3a9c01/unheard",
		"refs/notes/accelopt/profile",
		"refs/accelopt/calls/silu/" RUN_ID,
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++)
		add(names[i], 1);
	ao_runrefs_finish(&refs);
	EXPECT(!refs.run_count && !refs.note_count);
	ao_runrefs_release(&refs);
}

static void notes_are_sorted_by_name_with_their_kinds(void)
{
	add("refs/notes/remotes/origin/accelopt/bb/insight", 2);
	add("refs/notes/accelopt/aa/profile", 1);
	ao_runrefs_finish(&refs);
	EXPECT(refs.note_count == 2);
	EXPECT(refs.notes[0].kind == AO_RECORD_PROFILE &&
	       is_id(&refs.notes[0].commit, 1));
	EXPECT(refs.notes[1].kind == AO_RECORD_INSIGHT);
	ao_runrefs_release(&refs);
}

static void runs_come_oldest_first(void)
{
	add("refs/heads/accelopt/a/20261130T021055-00000000/all", 2);
	add("refs/heads/accelopt/b/20261130T021054-00000000/all", 1);
	ao_runrefs_finish(&refs);
	EXPECT(refs.run_count == 2 && is_id(refs.runs[0].tips, 1));
	ao_runrefs_release(&refs);
}

int main(void)
{
	RUN(a_journal_and_its_winner_make_a_run);
	RUN(a_winner_without_a_journal_makes_none);
	RUN(the_name_of_a_remote_may_have_slashes);
	RUN(this_clone_goes_before_its_remotes);
	RUN(what_a_remote_has_alike_is_taken_once);
	RUN(other_refs_are_passed_over);
	RUN(notes_are_sorted_by_name_with_their_kinds);
	RUN(runs_come_oldest_first);
	return tap_done();
}
