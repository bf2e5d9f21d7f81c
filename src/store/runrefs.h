/* SPDX-License-Identifier: MIT */
/*
 * runrefs.h - which refs tell of runs: journals, winners and notes, of this
 * clone and as a remote has them.
 *
 *   refs/heads/accelopt/<task>/<run>/{all,best}
 *   refs/remotes/<remote>/accelopt/<task>/<run>/{all,best}
 *   refs/notes/accelopt/<writer>/<kind>
 *   refs/notes/remotes/<remote>/accelopt/<writer>/<kind>
 */
#ifndef AO_STORE_RUNREFS_H
#define AO_STORE_RUNREFS_H

#include "model/record.h"
#include "store/git.h"
#include "util/strs.h"

/* A journal, maybe known by several refs. */
struct ao_runref {
	char *task;
	char *run;
	git_oid *tips; /* [tip_count] > 0, this clone's first, no id twice */
	size_t tip_count;
	git_oid best;
	bool has_best;
	bool is_remote; /* this clone has no branch of it */
};

struct ao_noteref {
	char *name;
	enum ao_record_kind kind;
	git_oid commit;
};

/* All zero is empty. */
struct ao_runrefs {
	struct ao_runref *runs; /* [run_count] oldest first, by their ids */
	size_t run_count;
	size_t run_alloc;
	struct ao_noteref *notes; /* [note_count] by name */
	size_t note_count;
	size_t note_alloc;
	struct ao_strs broken; /* refs whose file has no commit's id */
};

struct ao_repo;

/* The caller releases *out. */
AO_MUST_CHECK
struct ao_error *ao_runrefs_find(struct ao_runrefs *out,
				 const struct ao_repo *repo);
void ao_runrefs_release(struct ao_runrefs *refs);

/*
 * The same of a list of refs: take in each, if its name is one of ours, then
 * sort them.
 */
void ao_runrefs_add(struct ao_runrefs *refs, const char *name,
		    const git_oid *id);
void ao_runrefs_finish(struct ao_runrefs *refs);

#endif
