/* SPDX-License-Identifier: MIT */
/*
 * keep.h - packs that git has to leave alone until refs lead to what is in
 * them.
 *
 * Until then `git repack -ad` takes their objects for garbage and deletes
 * them.  A file pack-<name>.keep beside the pack holds it off: git itself does
 * the same with a pack that it has received.
 */
#ifndef AO_STORE_KEEP_H
#define AO_STORE_KEEP_H

#include "util/error.h"

/* A list of them; NULL is empty. */
struct ao_keep;

/*
 * Add pack-<name>.keep, before there is a pack of that name in `folder`.  If
 * somebody else has one there, theirs does it.  The guard must be held
 * (guard.h): nobody looks for files of the dead until this one is locked.
 */
AO_MUST_CHECK
struct ao_error *ao_keep_add(struct ao_keep **list, const char *folder,
			     const char *name);

/* Remove the files and forget them. */
void ao_keep_drop(struct ao_keep **list);

/* Remove those in a folder of packs whose process has died; under the guard. */
void ao_keep_clean(const char *folder);

#endif
