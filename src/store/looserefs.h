/* SPDX-License-Identifier: MIT */
/*
 * looserefs.h - the refs of ours that have a file of their own.
 *
 * libgit2's list passes over a file that it cannot read, and over one that
 * git packs while the list is made.  So we look for files ourselves, too.
 */
#ifndef AO_STORE_LOOSEREFS_H
#define AO_STORE_LOOSEREFS_H

#include "store/repo.h"

/*
 * Append the names, sorted, of the files where refs of runs may be: what is in
 * them may be anything.
 */
void ao_looserefs_list(struct ao_strs *out, const struct ao_repo *repo);

#endif
