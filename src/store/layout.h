/* SPDX-License-Identifier: MIT */
/*
 * layout.h - the names of refs and files under which runs are kept.
 */
#ifndef AO_STORE_LAYOUT_H
#define AO_STORE_LAYOUT_H

#include "model/record.h"

#define AO_HEADS_PREFIX "refs/heads/accelopt/"
#define AO_NOTES_PREFIX "refs/notes/accelopt/"

/* In the tree of a journal commit: */
#define AO_OWN_FOLDER ".accelopt"
#define AO_RUN_FILE   "run.json"
/*
 * The notes refs of all writers as they stood when the journal was written,
 * a line each, sorted: "<commit id> <ref>".
 */
#define AO_TIPS_FILE "notes"

/* The journal of a run, its winner, a notes ref; the caller frees them. */
char *ao_layout_journal(const char *task, const char *run);
char *ao_layout_best(const char *task, const char *run);
char *ao_layout_notes(const char *writer, enum ao_record_kind kind);

#endif
