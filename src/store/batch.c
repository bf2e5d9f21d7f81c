/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <fcntl.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <unistd.h>

#include "store/batch.h"
#include "store/idmap.h"
#include "util/buf.h"
#include "util/file.h"

/* Above the priorities of libgit2's own backends: ours is asked first. */
enum { MEMORY_PRIORITY = 999 };

/* Git has no limit; a folder of a million files is a mistake. */
enum { MAX_TREE_BYTES = 64 << 20 };

struct ao_batch {
	git_repository *git; /* a handle of its own, whose objects are `odb` */
	git_odb *odb;
	git_odb_backend *memory; /* owned by `odb` */
	char *pack_folder;	 /* objects/pack */
	/*
	 * A new pack is made here and moved when it is whole: pack before
	 * index, where libgit2 shows the index first, and what a crash leaves
	 * is ours to remove.  git, too, removes what begins with "tmp_" there
	 * once it is old.
	 */
	char *work_folder; /* objects/tmp_accelopt */

	git_oid *pending; /* [count] in the order they were added */
	size_t count;
	size_t alloc;
	/*
	 * Which ids are pending.  The memory backend cannot tell: it also
	 * holds what ao_batch_cut() has forgotten.
	 */
	struct ao_idmap known;
};

struct ao_error *ao_batch_new(struct ao_batch **out, const struct ao_repo *repo)
{
	struct ao_batch *batch = ao_xcalloc(1, sizeof(*batch));
	struct ao_error *err;
	int rc;

	batch->pack_folder = ao_xstrf("%s/objects/pack",
				      repo->at.common_folder);
	batch->work_folder = ao_xstrf("%s/objects/tmp_accelopt",
				      repo->at.common_folder);
	err = ao_repo_open_odb(&batch->odb, repo);
	if (err)
		goto out;
	rc = git_repository_open_bare(&batch->git, repo->at.git_folder);
	if (!rc)
		rc = git_repository_set_odb(batch->git, batch->odb);
	if (!rc)
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
	git_repository_free(batch->git);
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

static struct ao_error *sync_folder(const char *path)
{
	struct ao_error *err = NULL;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd))
		err = ao_error_errno("cannot sync '%s'", path);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Move one file of the new pack to where git looks for it. */
static struct ao_error *move(const struct ao_batch *batch, const char *name,
			     const char *kind)
{
	char *from = ao_xstrf("%s/pack-%s.%s", batch->work_folder, name, kind);
	char *to = ao_xstrf("%s/pack-%s.%s", batch->pack_folder, name, kind);
	struct ao_error *err = NULL;

	if (rename(from, to))
		err = ao_error_errno("cannot rename '%s' to '%s'", from, to);
	free(from);
	free(to);
	return err;
}

/*
 * With no memory for a window, an object is compared with one other instead of
 * ten.  libgit2 takes this setting from configuration alone, and has none that
 * forbids it altogether.
 */
static struct ao_error *narrow_window(const struct ao_batch *batch)
{
	static const char text[] = "[pack]\n\twindowMemory = 1\n";
	char *path = ao_xstrf("%s/config", batch->work_folder);
	git_config *config = NULL;
	struct ao_error *err;
	int rc;

	err = ao_file_write(path, text, strlen(text));
	if (!err) {
		rc = git_config_open_ondisk(&config, path);
		if (!rc)
			rc = git_repository_set_config(batch->git, config);
		git_config_free(config);
		if (rc)
			err = ao_git_error(rc, "cannot configure libgit2");
	}
	free(path);
	return err;
}

/* The bytes of a pack with all that is pending. */
static int print_pack(git_buf *out, const struct ao_batch *batch)
{
	git_packbuilder *pack = NULL;
	int rc = git_packbuilder_new(&pack, batch->git);

	/* What is read now was hashed when it was added. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	/* Threads would cost more than they save, and we share the machine. */
	if (!rc)
		git_packbuilder_set_threads(pack, 1);
	for (size_t i = 0; i < batch->count && !rc; i++)
		rc = git_packbuilder_insert(pack, &batch->pending[i], NULL);
	if (!rc)
		rc = git_packbuilder_write_buf(out, pack);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
	git_packbuilder_free(pack);
	return rc;
}

/*
 * Write pack and index, both synced.  All at once: fed object by object, as
 * git_packbuilder_write() does, the indexer maps the growing file for each.
 */
static int index_pack(git_indexer **out, const struct ao_batch *batch)
{
	git_indexer_progress progress = { 0 };
	git_buf pack = GIT_BUF_INIT;
	git_indexer *indexer = NULL;
	int rc = print_pack(&pack, batch);

	if (!rc)
		rc = git_indexer_new(&indexer, batch->work_folder, 0, NULL,
				     NULL);
	if (!rc)
		rc = git_indexer_append(indexer, pack.ptr, pack.size,
					&progress);
	if (!rc)
		rc = git_indexer_commit(indexer, &progress);
	git_buf_dispose(&pack);
	*out = indexer;
	return rc;
}

static struct ao_error *build(git_indexer **out, const struct ao_batch *batch)
{
	struct ao_error *err = narrow_window(batch);
	int rc;

	if (err)
		return err;
	rc = index_pack(out, batch);
	if (rc)
		return ao_git_error(rc, "cannot write a pack into '%s'",
				    batch->work_folder);
	return NULL;
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
		err = move(batch, git_indexer_name(pack), "pack");
	if (!err)
		err = move(batch, git_indexer_name(pack), "idx");
	if (!err)
		err = sync_folder(batch->pack_folder);
	git_indexer_free(pack);
	ao_file_remove_tree(batch->work_folder);
	if (err)
		return ao_error_wrap(err, "cannot store a batch of objects");
	git_mempack_reset(batch->memory);
	ao_batch_cut(batch, 0);
	return NULL;
}
