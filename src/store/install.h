/* SPDX-License-Identifier: MIT */
/* install.h - make a repository a kernel repository: `git accelopt init`. */
#ifndef AO_STORE_INSTALL_H
#define AO_STORE_INSTALL_H

#include "store/repo.h"

/* A file to commit. */
struct ao_install_file {
	char *path; /* from the top of the repository, with / */
	char *data;
	size_t len;
};

/*
 * Commit `files` on top of HEAD (which may be unborn or detached) in one
 * commit with message `message`, and bring index and work tree up to date for
 * these paths alone, with the line ends that git would check out; other
 * changes, staged or not, stay as they are.  No hook runs and nothing is
 * signed.
 *
 * A file that HEAD has with the same bytes is left alone; one that is only in
 * index or work tree with the same bytes is committed.  AO_ECONFLICT, naming
 * the first, if one differs in HEAD, index or work tree, or has a file where it
 * needs a folder.  If HEAD has all of them already, *commit_out is "".
 */
AO_MUST_CHECK
struct ao_error *ao_install(char commit_out[AO_ID_SIZE], struct ao_repo *repo,
			    const struct ao_install_file *files, size_t count,
			    const char *message);

/*
 * AO_ECONFLICT, naming it, if a branch blocks refs/heads/accelopt/<task>/, or
 * with `task` NULL refs/heads/accelopt/.
 */
AO_MUST_CHECK
struct ao_error *ao_install_check_refs(struct ao_repo *repo, const char *task);

#endif
