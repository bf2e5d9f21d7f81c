/* SPDX-License-Identifier: MIT */
/* share.h - core.sharedRepository: files for those who share a repository. */
#ifndef AO_STORE_SHARE_H
#define AO_STORE_SHARE_H

#include "store/config.h"

/*
 * Give a file or folder of ours below the git folder the mode that git would
 * give it.  Nothing is done without core.sharedRepository, nor to what belongs
 * to somebody else, who did so.
 */
void ao_share(const struct ao_config *config, const char *path);

/* The same for both files of a lock (util/lock.h). */
void ao_share_lock(const struct ao_config *config, const char *path);

#endif
