/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "eval/scratch.h"
#include "util/file.h"
#include "util/lock.h"
#include "util/strs.h"
#include "util/text.h"

#define PREFIX "git-accelopt-judges."

/* Younger folders may belong to somebody who has not locked them yet. */
static const uint64_t min_age_s = 60;

struct ao_scratch {
	char *folder;
	struct ao_lock *lock;
};

static struct ao_error *lock_folder(struct ao_lock **out, const char *folder)
{
	char *path = ao_xstrf("%s/owner", folder);
	struct ao_error *err = ao_lock_take(out, path, AO_LOCK_EXCLUSIVE, 0);

	free(path);
	return err;
}

/* Ours to remove: a folder, of this user, that is old enough. */
static bool is_old_folder_of_ours(const char *path, uint64_t age_s)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() &&
	       st.st_mtime + (time_t)age_s <= time(NULL);
}

void ao_scratch_sweep(const char *root, uint64_t age_s)
{
	struct ao_strs names = { 0 };

	ao_error_free(ao_file_list(&names, root));
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s", root, names.v[i]);
		struct ao_lock *lock = NULL;

		if (ao_text_starts_with(names.v[i], PREFIX) &&
		    is_old_folder_of_ours(path, age_s))
			ao_error_free(lock_folder(&lock, path));
		if (lock)
			ao_file_remove_tree(path);
		ao_lock_free(lock);
		free(path);
	}
	ao_strs_release(&names);
}

struct ao_error *ao_scratch_new(struct ao_scratch **out)
{
	const char *root = getenv("TMPDIR");
	struct ao_scratch scratch = { 0 };
	struct ao_error *err = NULL;

	if (!root || !*root)
		root = "/tmp";
	ao_scratch_sweep(root, min_age_s);
	scratch.folder = ao_xstrf("%s/" PREFIX "XXXXXX", root);
	if (!mkdtemp(scratch.folder))
		err = ao_error_errno("cannot make a temporary folder in '%s'",
				     root);
	else
		err = lock_folder(&scratch.lock, scratch.folder);
	if (err) {
		free(scratch.folder);
		return err;
	}
	*out = ao_xmalloc(sizeof(**out));
	**out = scratch;
	return NULL;
}

void ao_scratch_free(struct ao_scratch *scratch)
{
	if (!scratch)
		return;
	ao_file_remove_tree(scratch->folder);
	ao_lock_free(scratch->lock);
	free(scratch->folder);
	free(scratch);
}

const char *ao_scratch_folder(const struct ao_scratch *scratch)
{
	return scratch->folder;
}
