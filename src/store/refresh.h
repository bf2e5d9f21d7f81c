/* SPDX-License-Identifier: MIT */
/*
 * refresh.h - bringing a snapshot of history up to date.
 *
 * From an empty snapshot, everything is read.  From an older one: attempts
 * that journals name since, attempts on whose commits notes changed (by a walk
 * of old and new notes trees side by side), and those whose records lie on
 * other commits.  The outcome is the same.
 */
#ifndef AO_STORE_REFRESH_H
#define AO_STORE_REFRESH_H

#include "store/runread.h"

/* Whether the snapshot was made from just these notes. */
bool ao_refresh_has_notes(const struct ao_snapshot *snapshot,
			  const struct ao_runread *read);

/* Whether it was made from the journals of a run as they are. */
bool ao_refresh_has_run(const struct ao_snapshot_run *run,
			const struct ao_runref *ref, const git_oid *settings);

/* A run that is to be in the snapshot. */
struct ao_refresh_run {
	const struct ao_runref *ref;
	struct ao_run run; /* run.json, and the blob that it was read from */
	git_oid settings;
};

/* Afterwards the snapshot has these runs, no others. */
void ao_refresh(struct ao_snapshot *snapshot, struct ao_runread *read,
		const struct ao_refresh_run *runs, size_t count);

#endif
