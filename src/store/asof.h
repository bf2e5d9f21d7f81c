/* SPDX-License-Identifier: MIT */
/* asof.h - the refs of runs and notes as a journal commit knew them. */
#ifndef AO_STORE_ASOF_H
#define AO_STORE_ASOF_H

#include "store/runrefs.h"

/*
 * Turn `refs`, as they are now, into what they were for the journal commit
 * that `revision` names: the notes that its tree lists, and it as the tip of
 * its run.  Other runs keep their tips, as nothing tells what they were.
 * *own_out is its run, borrowed from `refs`.
 *
 * AO_ENOTFOUND if there is no such commit, AO_EINVALID if it is no journal's.
 */
AO_MUST_CHECK
struct ao_error *ao_asof_apply(const struct ao_runref **own_out,
			       struct ao_runrefs *refs, struct ao_repo *repo,
			       const char *revision);

#endif
