/* SPDX-License-Identifier: MIT */
/* repo_data.h - what an open repository holds; for the files of store/. */
#ifndef AO_STORE_REPO_DATA_H
#define AO_STORE_REPO_DATA_H

#include "store/config.h"
#include "store/git.h"
#include "store/locate.h"
#include "store/repo.h"

struct ao_repo {
	/*
	 * Opened as if bare, at the folder of this worktree: HEAD is this
	 * worktree's, all other refs and the objects are the common ones.
	 */
	git_repository *git;
	git_odb *odb; /* what is on disk */

	struct ao_location at;
	bool is_partial;

	struct ao_config config;    /* of git */
	struct ao_config committed; /* of HEAD, searched behind it */
	char *writer;		    /* NULL until it was asked for */
	struct ao_strs env;	    /* in which git acts on this repository */
};

/* Open the objects once more, for who adds backends of its own. */
AO_MUST_CHECK
struct ao_error *ao_repo_open_odb(git_odb **out, const struct ao_repo *repo);

/*
 * The path of a file of ours in the common git folder, whose folder is made;
 * the caller frees *out.
 */
AO_MUST_CHECK
struct ao_error *ao_repo_own_path(char **out, const struct ao_repo *repo,
				  const char *name);

#endif
