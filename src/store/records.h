/* SPDX-License-Identifier: MIT */
/*
 * records.h - which of the records in notes counts for an attempt.
 *
 * Notes of all writers are one set.  A record is about the kernel and task
 * that it names, not about the commit that it lies on: one that lies on the
 * attempt's commit and is about another kernel does not count, and where that
 * commit has none (it was amended or rebased) those on other commits do.
 *
 * Of the records that are left, and that no other one replaces, those measured
 * on the run's own machine come first, then the newest.
 */
#ifndef AO_STORE_RECORDS_H
#define AO_STORE_RECORDS_H

#include "model/record.h"
#include "store/notetree.h"

/* All zero is empty; set the first four. */
struct ao_records {
	struct ao_objects *objects;
	bool is_brief;		     /* read them as model/brief.h does */
	struct ao_notelist profiles; /* sorted; of all writers */
	struct ao_notelist plans;

	/* Made when first needed: notes by what they are about. */
	bool has_kernels;
	bool has_plan_ids;
	struct ao_notelist kernels;  /* on: a kernel id */
	struct ao_notelist plan_ids; /* on: a plan id, then zeros */
};

/* What a record is wanted for. */
struct ao_records_query {
	const git_oid *commit;
	const char *kernel;  /* kernel id, or "" if unknown: any */
	const char *task_id; /* "": any */
	const char *plan_id;
	const char *fingerprint; /* of the run's machine */
	bool is_here_only;	 /* do not look beyond the commit's notes */
};

/*
 * The profile that counts, or NULL.  *is_elsewhere_out tells that the notes of
 * the commit did not have it, so that a note anywhere can change the answer.
 * The caller releases and frees it.
 */
struct ao_profile *ao_records_profile(bool *is_elsewhere_out,
				      struct ao_records *records,
				      const struct ao_records_query *query);

/* The same for the plan. */
struct ao_plan *ao_records_plan(bool *is_elsewhere_out,
				struct ao_records *records,
				const struct ao_records_query *query);

void ao_records_release(struct ao_records *records);

#endif
