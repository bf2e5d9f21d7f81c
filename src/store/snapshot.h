/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - what was read of journals and notes, and from which state of
 * them; as a file, the cache of history.
 *
 * A snapshot says from which notes trees and journal tips it was made, so that
 * it can be brought up to date by looking at the difference alone.  It holds
 * nothing that cannot be read again from git.
 */
#ifndef AO_STORE_SNAPSHOT_H
#define AO_STORE_SNAPSHOT_H

#include "model/candidate.h"
#include "model/run.h"
#include "store/bytes.h"

/* A notes tree that records were taken from. */
struct ao_snapshot_notes {
	char *ref;
	git_oid tree;
};

/* An attempt, and whether its records were found by its own commit alone. */
struct ao_snapshot_attempt {
	struct ao_candidate candidate;
	bool is_elsewhere; /* a note on any commit may change it */
};

struct ao_snapshot_run {
	char *task;
	char *run;
	git_oid *tips; /* [tip_count] of the journal that were read */
	size_t tip_count;
	git_oid settings; /* the blob of run.json */

	struct ao_snapshot_attempt *attempts; /* [count] in no order */
	size_t count;
	size_t alloc;
	struct ao_profile *baseline; /* or NULL */
	bool is_baseline_elsewhere;

	/* Attempts and baseline as the file has them, until they are read. */
	struct ao_bytes packed;
};

/* All zero is the snapshot of an empty repository. */
struct ao_snapshot {
	struct ao_snapshot_notes *notes; /* [note_count] by ref */
	size_t note_count;
	struct ao_snapshot_run *runs; /* [run_count] */
	size_t run_count;
	size_t run_alloc;
	char *file; /* what `packed` is within */
};

void ao_snapshot_release(struct ao_snapshot *snapshot);
void ao_snapshot_run_clear(struct ao_snapshot_run *run);

/* NULL if there is none. */
struct ao_snapshot_run *ao_snapshot_find(const struct ao_snapshot *snapshot,
					 const char *task, const char *run);

/* The run, added if there is none.  Borrowed until the next one is. */
struct ao_snapshot_run *ao_snapshot_get(struct ao_snapshot *snapshot,
					const char *task, const char *run);

/*
 * Load a file.  A file that is missing, cut, changed or of another version of
 * this program gives an empty snapshot.
 */
void ao_snapshot_load(struct ao_snapshot *out, const char *path);

/* Append what is behind the head of a file. */
void ao_snapshot_write(struct ao_buf *out, const struct ao_snapshot *snapshot);

/*
 * Load that from any bytes; false, and an empty snapshot, if they are not from
 * ao_snapshot_write().
 */
bool ao_snapshot_read(struct ao_snapshot *out, const char *data, size_t len);

/* Read what the file has of a run; nothing is left of it if it is broken. */
void ao_snapshot_unpack(struct ao_snapshot_run *run);

/* Replace the file. */
AO_MUST_CHECK
struct ao_error *ao_snapshot_save(const struct ao_snapshot *snapshot,
				  const char *path);

#endif
