/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/complete.h"
#include "store/runread.h"

static void complete_candidate(struct ao_candidate *candidate,
			       struct ao_runread *read,
			       const struct ao_run *run)
{
	struct ao_snapshot_attempt attempt;
	git_oid id;

	if (git_oid_fromstr(&id, candidate->commit) ||
	    !ao_runread_attempt(&attempt, read, run, &id))
		return;
	ao_candidate_release(candidate);
	*candidate = attempt.candidate;
}

static void complete_baseline(struct ao_history_run *run,
			      struct ao_runread *read)
{
	bool is_elsewhere;

	if (run->baseline)
		ao_profile_release(run->baseline);
	free(run->baseline);
	run->baseline = ao_runread_baseline(&is_elsewhere, read, &run->run,
					    run->candidate_count > 0);
}

struct ao_error *ao_complete(struct ao_history *history, struct ao_repo *repo,
			     const char *commit)
{
	struct ao_runrefs refs = { 0 };
	struct ao_runread read;
	struct ao_error *err = ao_runrefs_find(&refs, repo);

	if (err)
		return err;
	ao_runread_init(&read, repo, &refs, false);
	for (size_t r = 0; r < history->run_count; r++) {
		struct ao_history_run *run = &history->runs[r];

		if (!strcmp(run->run.base, commit))
			complete_baseline(run, &read);
		for (size_t c = 0; c < run->candidate_count; c++)
			if (!strcmp(run->candidates[c].commit, commit))
				complete_candidate(&run->candidates[c], &read,
						   &run->run);
	}
	ao_runread_release(&read);
	ao_runrefs_release(&refs);
	return NULL;
}
