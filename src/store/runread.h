/* SPDX-License-Identifier: MIT */
/* runread.h - runs and attempts as commits and notes have them. */
#ifndef AO_STORE_RUNREAD_H
#define AO_STORE_RUNREAD_H

#include "model/run.h"
#include "store/kernelid.h"
#include "store/records.h"
#include "store/runrefs.h"
#include "store/snapshot.h"

/* A notes ref as it is read: its name is borrowed. */
struct ao_runread_notes {
	const char *ref;
	enum ao_record_kind kind;
	git_oid tree;
};

/* What reading needs; from ao_runread_init() to ao_runread_release(). */
struct ao_runread {
	struct ao_objects objects;
	struct ao_records records;
	struct ao_kernelids kernels;
	struct ao_runread_notes *notes; /* [note_count] by ref; all kinds */
	size_t note_count;
	bool has_all_notes; /* in records */
	size_t lookups;	    /* of notes on single commits */
};

/* `refs` has to outlive it. */
void ao_runread_init(struct ao_runread *read, const struct ao_repo *repo,
		     const struct ao_runrefs *refs, bool is_brief);
void ao_runread_release(struct ao_runread *read);

/* Append the notes of one kind, of all writers. */
void ao_runread_list(struct ao_notelist *out, struct ao_runread *read,
		     enum ao_record_kind kind);

/* Have the profiles and plans of all commits in read->records. */
void ao_runread_all_notes(struct ao_runread *read);

/*
 * Read run.json from the tree of the first tip of a run that has one, and the
 * blob's id.  False if there is none; each tip that cannot be read is a gap.
 */
bool ao_runread_settings(struct ao_run *out, git_oid *blob_out,
			 struct ao_runread *read, const struct ao_runref *ref);

/*
 * Read an attempt of `run`; false if the commit is missing, which is a gap, or
 * is not an attempt of that run.
 */
bool ao_runread_attempt(struct ao_snapshot_attempt *out,
			struct ao_runread *read, const struct ao_run *run,
			const git_oid *commit);

/*
 * The profile of the kernel that a run started from, or NULL.  Beyond the
 * notes of the base it is looked for if the run `has_attempts`: before there
 * are any, it has just not been measured yet.
 */
struct ao_profile *ao_runread_baseline(bool *is_elsewhere_out,
				       struct ao_runread *read,
				       const struct ao_run *run,
				       bool has_attempts);

#endif
