/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>

#include "store/batch.h"
#include "store/idmap.h"
#include "store/keep.h"
#include "store/pack.h"
#include "store/share.h"
#include "util/buf.h"
#include "util/file.h"

/* Above the priorities of libgit2's own backends: ours is asked first. */
enum { MEMORY_PRIORITY = 999 };

/* Git has no limit; a folder of a million files is a mistake. */
enum { MAX_TREE_BYTES = 64 << 20 };

/*
 * What was stored stays in memory up to here: the next batch reads most of it
 * again, the notes trees above all.
 */
enum { MAX_KEPT_BYTES = 32 << 20 };

struct ao_batch {
	const struct ao_repo *repo;
	git_odb *odb;		 /* memory, then disk */
	git_odb_backend *memory; /* owned by `odb` */
	char *pack_folder;	 /* objects/pack */
	/*
	 * A new pack is made here and moved when it is whole: pack before
	 * index, where libgit2 shows the index first, and what a crash leaves
	 * is ours to remove.  In objects, to be on the same file system; not
	 * with a name like "tmp_...", for those `git prune` removes.
	 */
	char *work_folder;	/* objects/accelopt */
	struct ao_keep *stored; /* packs that no ref leads to yet */

	git_oid *pending; /* [count] in the order they were added */
	size_t count;
	size_t alloc;
	/*
	 * Which ids are pending.  The memory backend cannot tell: it also
	 * holds what is stored already, and what ao_batch_cut() has forgotten.
	 */
	struct ao_idmap known;
	size_t kept_bytes; /* in the memory backend */
};

struct ao_error *ao_batch_new(struct ao_batch **out, const struct ao_repo *repo)
{
	struct ao_batch *batch = ao_xcalloc(1, sizeof(*batch));
	struct ao_error *err;
	int rc;

	batch->repo = repo;
	batch->pack_folder = ao_xstrf("%s/objects/pack",
				      repo->at.common_folder);
	batch->work_folder = ao_xstrf("%s/objects/accelopt",
				      repo->at.common_folder);
	err = ao_repo_open_odb(&batch->odb, repo);
	if (err)
		goto out;
	rc = git_mempack_new(&batch->memory);
	if (!rc)
		rc = git_odb_add_backend(batch->odb, batch->memory,
					 MEMORY_PRIORITY);
	if (rc)
		err = ao_git_error(rc, "cannot start a batch of objects");
out:
	if (err)
		ao_batch_free(batch);
	else
		*out = batch;
	return err;
}

void ao_batch_free(struct ao_batch *batch)
{
	if (!batch)
		return;
	ao_batch_cut(batch, 0);
	ao_keep_drop(&batch->stored);
	git_odb_free(batch->odb);
	free(batch->pending);
	free(batch->pack_folder);
	free(batch->work_folder);
	free(batch);
}

git_odb *ao_batch_odb(const struct ao_batch *batch)
{
	return batch->odb;
}

size_t ao_batch_count(const struct ao_batch *batch)
{
	return batch->count;
}

/*
 * Not git_odb_write(): it looks on disk first, for each object, and rereads
 * the folder of packs when it finds nothing.  An object that is stored twice
 * does no harm.
 */
struct ao_error *ao_batch_add(git_oid *out, struct ao_batch *batch,
			      git_object_t type, const void *data, size_t len)
{
	git_oid id;
	int rc;

	ao_git_hash(&id, data, len, type);
	if (!ao_idmap_get(&batch->known, &id)) {
		rc = batch->memory->write(batch->memory, &id, data, len, type);
		if (rc)
			return ao_git_error(rc, "cannot keep an object");
		batch->pending = ao_grow(batch->pending, &batch->alloc,
					 batch->count + 1,
					 sizeof(*batch->pending));
		git_oid_cpy(&batch->pending[batch->count], &id);
		ao_idmap_add(&batch->known, &id, batch->count++);
		batch->kept_bytes += len;
	}
	git_oid_cpy(out, &id);
	return NULL;
}

struct ao_error *ao_batch_add_tree(git_oid *out, struct ao_batch *batch,
				   struct ao_tree *tree)
{
	struct ao_buf bytes = AO_BUF_INIT(MAX_TREE_BYTES);
	struct ao_error *err;

	ao_tree_print(&bytes, tree);
	err = ao_buf_check(&bytes, "tree");
	if (!err)
		err = ao_batch_add(out, batch, GIT_OBJECT_TREE, bytes.ptr,
				   bytes.len);
	ao_buf_release(&bytes);
	return err;
}

void ao_batch_cut(struct ao_batch *batch, size_t count)
{
	if (batch->count > count)
		batch->count = count;
	ao_idmap_release(&batch->known);
	for (size_t i = 0; i < batch->count; i++)
		ao_idmap_add(&batch->known, &batch->pending[i], i);
}

/* Move one file of the new pack to where git looks for it. */
static struct ao_error *move(const struct ao_batch *batch, const char *name,
			     const char *kind)
{
	char *from = ao_xstrf("%s/pack-%s.%s", batch->work_folder, name, kind);
	char *to = ao_xstrf("%s/pack-%s.%s", batch->pack_folder, name, kind);
	struct ao_error *err = NULL;

	ao_share(&batch->repo->config, from);
	if (rename(from, to))
		err = ao_error_errno("cannot rename '%s' to '%s'", from, to);
	free(from);
	free(to);
	return err;
}

static struct ao_error *index_bytes(void *data, const void *bytes, size_t len)
{
	git_indexer *indexer = data;
	git_indexer_progress progress = { 0 };
	int rc = git_indexer_append(indexer, bytes, len, &progress);

	return rc ? ao_git_error(rc, "cannot write a pack") : NULL;
}

static struct ao_error *add_to_pack(struct ao_pack *pack,
				    const struct ao_batch *batch,
				    const git_oid *id)
{
	git_odb_object *object;
	struct ao_error *err;
	int rc = git_odb_read(&object, batch->odb, id);

	if (rc)
		return ao_git_error(rc, "cannot read an object of ours");
	err = ao_pack_add(pack, git_odb_object_type(object),
			  git_odb_object_data(object),
			  git_odb_object_size(object));
	git_odb_object_free(object);
	return err;
}

/* Send all that is pending as a pack to the indexer, which checks it. */
static struct ao_error *send_pack(git_indexer *indexer,
				  const struct ao_batch *batch)
{
	struct ao_pack *pack = ao_pack_new((uint32_t)batch->count, index_bytes,
					   indexer);
	struct ao_error *err = NULL;

	for (size_t i = 0; i < batch->count && !err; i++)
		err = add_to_pack(pack, batch, &batch->pending[i]);
	if (!err)
		err = ao_pack_finish(pack);
	ao_pack_free(pack);
	return err;
}

/* Make pack and index, both synced, in the work folder. */
static struct ao_error *build(git_indexer **out, const struct ao_batch *batch)
{
	git_indexer_progress progress = { 0 };
	git_indexer *indexer = NULL;
	struct ao_error *err;
	int rc;

	rc = git_indexer_new(&indexer, batch->work_folder, 0, NULL, NULL);
	if (rc)
		return ao_git_error(rc, "cannot start a pack in '%s'",
				    batch->work_folder);
	err = send_pack(indexer, batch);
	if (!err) {
		rc = git_indexer_commit(indexer, &progress);
		if (rc)
			err = ao_git_error(rc, "cannot index a pack in '%s'",
					   batch->work_folder);
	}
	if (err)
		git_indexer_free(indexer);
	else
		*out = indexer;
	return err;
}

/* Move the pack to where git finds it, and does not delete it. */
static struct ao_error *publish(struct ao_batch *batch, const char *name)
{
	struct ao_error *err = ao_keep_add(&batch->stored, batch->pack_folder,
					   name);

	if (!err)
		err = move(batch, name, "pack");
	if (!err)
		err = move(batch, name, "idx");
	if (!err)
		err = ao_file_sync_folder(batch->pack_folder);
	return err;
}

struct ao_error *ao_batch_store(struct ao_batch *batch)
{
	git_indexer *pack = NULL;
	struct ao_error *err;

	if (!batch->count)
		return NULL;
	ao_file_remove_tree(batch->work_folder);
	err = ao_file_make_folder(batch->work_folder);
	if (!err)
		err = build(&pack, batch);
	if (!err)
		err = publish(batch, git_indexer_name(pack));
	git_indexer_free(pack);
	ao_file_remove_tree(batch->work_folder);
	if (err)
		return ao_error_wrap(err, "cannot store a batch of objects");
	ao_batch_cut(batch, 0);
	if (batch->kept_bytes > MAX_KEPT_BYTES) {
		git_mempack_reset(batch->memory);
		batch->kept_bytes = 0;
	}
	return NULL;
}

void ao_batch_settle(struct ao_batch *batch)
{
	ao_keep_drop(&batch->stored);
}
