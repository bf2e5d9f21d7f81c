/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <unistd.h>

#include "store/guard.h"
#include "store/keep.h"
#include "store/repo_data.h"
#include "store/share.h"
#include "util/buf.h"
#include "util/file.h"
#include "util/lock.h"
#include "util/text.h"

enum {
	TIMEOUT_MS = 60 * 1000, /* others hold it for one flush each */
	MAX_REF_BYTES = 4096,
};

struct ao_guard {
	struct ao_lock *lock;
	char *common_folder;
	char *pack_folder;
	char *swap_file; /* names the ref that is being swapped */
};

/*
 * A holder was killed while it swapped a ref: its lock file is stale, for it
 * is dead and none of us but the holder swaps.
 */
static void remove_ref_lock(const struct ao_guard *guard)
{
	struct ao_buf ref = AO_BUF_INIT(MAX_REF_BYTES);
	struct ao_error *err;
	char *path;

	if (!ao_file_exists(guard->swap_file))
		return;
	err = ao_file_read(&ref, guard->swap_file);
	if (!err && ref.len && !strstr(ref.ptr, "..")) {
		path = ao_xstrf("%s/%s.lock", guard->common_folder, ref.ptr);
		unlink(path);
		free(path);
	}
	ao_error_free(err); /* then the swap itself will tell */
	unlink(guard->swap_file);
	ao_buf_release(&ref);
}

/* Ctrl-C ends a search, but not before what it found is written. */
static struct ao_error *take_lock(struct ao_lock **out, const char *path)
{
	struct ao_error *err;

	while ((err = ao_lock_take(out, path, AO_LOCK_EXCLUSIVE, TIMEOUT_MS)) &&
	       ao_error_code(err) == AO_ECANCELED)
		ao_error_free(err);
	return err;
}

struct ao_error *ao_guard_take(struct ao_guard **out,
			       const struct ao_repo *repo)
{
	struct ao_guard *guard = ao_xcalloc(1, sizeof(*guard));
	struct ao_error *err;
	char *path = NULL;

	guard->common_folder = ao_xstrdup(repo->at.common_folder);
	guard->pack_folder = ao_xstrf("%s/objects/pack", guard->common_folder);
	err = ao_repo_own_path(&path, repo, "lock");
	if (!err)
		err = ao_repo_own_path(&guard->swap_file, repo, "swapping");
	if (!err)
		err = take_lock(&guard->lock, path);
	if (!err)
		ao_share_lock(&repo->config, path);
	free(path);
	if (err) {
		ao_guard_free(guard);
		return ao_error_wrap(err, "cannot lock the repository for "
					  "writing");
	}
	remove_ref_lock(guard);
	ao_keep_clean(guard->pack_folder);
	*out = guard;
	return NULL;
}

void ao_guard_free(struct ao_guard *guard)
{
	if (!guard)
		return;
	ao_lock_free(guard->lock);
	free(guard->common_folder);
	free(guard->pack_folder);
	free(guard->swap_file);
	free(guard);
}

struct ao_error *ao_guard_swapping(struct ao_guard *guard, const char *ref)
{
	/* HEAD may be that of a linked worktree, elsewhere. */
	if (!ao_text_starts_with(ref, "refs/"))
		return NULL;
	return ao_file_write(guard->swap_file, ref, strlen(ref));
}

void ao_guard_swapped(struct ao_guard *guard)
{
	unlink(guard->swap_file);
}
