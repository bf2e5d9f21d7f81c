/* SPDX-License-Identifier: MIT */
/*
 * install_tree.h - new files in index and work tree, through git.
 *
 * git knows line ends, filters, sparse checkouts and its index; we do not.
 * Both calls do nothing in a bare repository.
 */
#ifndef AO_STORE_INSTALL_TREE_H
#define AO_STORE_INSTALL_TREE_H

#include "store/repo_data.h"
#include "store/treeedit.h"

/*
 * AO_ECONFLICT, naming it, if one of the files is in index or work tree with
 * other bytes, or something is in its way.
 */
AO_MUST_CHECK
struct ao_error *ao_install_tree_check(const struct ao_repo *repo,
				       const struct ao_treeedit *files,
				       size_t count);

/* Put the files, whose blobs are on disk, into the index, and check them out
 * where they are not there.  No hook runs. */
AO_MUST_CHECK
struct ao_error *ao_install_tree_update(const struct ao_repo *repo,
					const struct ao_treeedit *files,
					size_t count);

#endif
