/* SPDX-License-Identifier: MIT */
/*
 * journal.h - a run being written: candidates, notes and journal, durable.
 *
 * What is added is held as git objects in memory until ao_journal_flush(),
 * which writes in this order, each step after the one before is on disk: one
 * pack with all objects (synced), the notes refs, the journal branch.  So a
 * crash leaves unreachable objects, never a ref without them.  Refs move by
 * compare-and-swap under a lock in the common git folder.
 *
 *   refs/heads/accelopt/<task>/<run>/all    the journal; its parents from the
 *                                           second on are candidates
 *   refs/heads/accelopt/<task>/<run>/best   the winning lineage
 *   refs/notes/accelopt/<writer>/{profile,plan,insight}
 *
 * HEAD, index and work tree are never touched.
 */
#ifndef AO_STORE_JOURNAL_H
#define AO_STORE_JOURNAL_H

#include "model/candidate.h"
#include "model/kernel.h"
#include "model/run.h"
#include "store/repo.h"

struct ao_journal;

/*
 * Start a run: fills in run->id and run->writer, writes the first journal
 * commit with run.json on top of run->base, at once.  The run stays locked
 * (one process writes it at a time) until ao_journal_free().
 */
AO_MUST_CHECK
struct ao_error *ao_journal_start(struct ao_journal **out, struct ao_repo *repo,
				  struct ao_run *run,
				  const struct ao_task *task);

/*
 * Go on with a run of this clone.  AO_ENOTFOUND: no such run; AO_ECONFLICT:
 * another process is writing it, it belongs to another writer, or a worktree
 * stands on its branch (not looked for again later: a flush does not run git);
 * AO_EINVALID: its branch does not end with a journal commit.  *run_out is
 * released by the caller.  Load the run's history after this, not before: only
 * now does nobody else add attempts to it.
 */
AO_MUST_CHECK
struct ao_error *ao_journal_resume(struct ao_journal **out,
				   struct ao_run *run_out, struct ao_repo *repo,
				   const char *task, const char *run);

/*
 * Add an attempt: a commit on candidate->parent with the kernel's files
 * replaced (`kernel` NULL: an empty change), candidate->message, and its plan
 * and profile records as notes.  Fills in candidate->commit, ->kernel and
 * ->time_unix_ms, and the profile's kernel if it is "".  Nothing is written
 * before the flush.
 */
AO_MUST_CHECK
struct ao_error *ao_journal_add(struct ao_journal *journal,
				struct ao_candidate *candidate,
				const struct ao_kernel *kernel);

/* Add a record to a commit: of the baseline, or a newer one of a candidate. */
AO_MUST_CHECK
struct ao_error *ao_journal_add_profile(struct ao_journal *journal,
					const char *commit,
					const struct ao_profile *profile);

/* Add an insight, to its fast commit. */
AO_MUST_CHECK
struct ao_error *ao_journal_add_insight(struct ao_journal *journal,
					const struct ao_insight *insight);

/* How many attempts and records wait for a flush. */
size_t ao_journal_pending(const struct ao_journal *journal);

/*
 * Make all of it durable.  After an error it is still pending: try again, what
 * was written already is not written twice.  AO_EINVALID if somebody moved the
 * journal branch by hand.
 */
AO_MUST_CHECK
struct ao_error *ao_journal_flush(struct ao_journal *journal);

/*
 * Point best at a candidate.  Not while that branch is checked out somewhere:
 * AO_ECONFLICT then.
 */
AO_MUST_CHECK
struct ao_error *ao_journal_set_best(struct ao_journal *journal,
				     const char *commit);

/* Lets go of the run; what was not flushed is lost.  NULL is fine. */
void ao_journal_free(struct ao_journal *journal);

#endif
