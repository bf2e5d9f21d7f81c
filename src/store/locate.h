/* SPDX-License-Identifier: MIT */
/*
 * locate.h - where the repository is, as git finds it from here, and whether
 * its format is one that we can work with.
 */
#ifndef AO_STORE_LOCATE_H
#define AO_STORE_LOCATE_H

#include "store/config.h"
#include "util/error.h"

/* Paths are absolute, without a slash behind.  All zero is empty. */
struct ao_location {
	char *git_folder;    /* of this worktree */
	char *common_folder; /* shared by all worktrees */
	char *index_file;
	char *work_tree; /* NULL: none, or we stand in the git folder */
	bool is_bare;
	bool is_shallow;
};

/*
 * Ask git.  AO_ENOTFOUND: there is no repository; AO_ETRUST: git does not
 * trust its owner; AO_EINVALID: its format is not for us, or git refuses it.
 * The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_locate(struct ao_location *out);
void ao_location_release(struct ao_location *location);

/*
 * AO_EINVALID, naming it, if the configuration has an extension of the format
 * that changes how objects or refs are stored.  git itself may know more of
 * these than we and libgit2 do.
 */
AO_MUST_CHECK
struct ao_error *ao_locate_check(const struct ao_config *config);

#endif
