/* SPDX-License-Identifier: MIT */
/* journal_data.h - what a run being written holds; for the journal's files. */
#ifndef AO_STORE_JOURNAL_DATA_H
#define AO_STORE_JOURNAL_DATA_H

#include "store/author.h"
#include "store/batch.h"
#include "store/journal.h"
#include "util/lock.h"

/* A candidate whose commit is made, but not a parent of the journal yet. */
struct ao_journal_attempt {
	git_oid commit;
	struct ao_attempt id;
};

/* A record that is not in a note yet. */
struct ao_journal_record {
	enum ao_record_kind kind;
	git_oid on;
	char *line; /* with its newline */
	size_t len;
};

struct ao_journal {
	struct ao_repo *repo; /* borrowed */
	struct ao_lock *lock; /* of the run */
	struct ao_batch *batch;
	struct ao_author author;

	char *task; /* its name */
	char *run;  /* its id */
	struct ao_strs kernel_files;
	char *journal_ref;
	char *best_ref;
	char *notes_refs[AO_RECORD_KIND_COUNT];

	git_oid base_tree; /* of the baseline's commit */
	git_oid run_json;  /* a blob */
	git_oid tip;	   /* of the journal, or of the baseline before it */
	bool is_started;   /* `tip` is of the journal */

	struct ao_journal_attempt *attempts; /* [attempt_count] */
	size_t attempt_count;
	size_t attempt_alloc;
	struct ao_journal_record *records; /* [record_count] */
	size_t record_count;
	size_t record_alloc;
};

/*
 * Write a journal commit, with what is pending or alone, and all before it:
 * what ao_journal_flush() does when there is something to do.
 */
AO_MUST_CHECK
struct ao_error *ao_journal_write(struct ao_journal *journal);

#endif
