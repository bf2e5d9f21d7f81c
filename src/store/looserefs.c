/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/stat.h>

#include "store/looserefs.h"
#include "store/repo_data.h"
#include "util/file.h"
#include "util/text.h"

/* Words of a ref; ours have fewer, and what git writes is never so deep. */
enum { MAX_DEPTH = 16 };

static void list(struct ao_strs *out, const char *root, const char *name,
		 unsigned depth)
{
	char *path = ao_xstrf("%s/%s", root, name);
	struct ao_strs names = { 0 };
	struct stat st;

	if (lstat(path, &st)) {
		free(path);
		return;
	}
	if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH)
		ao_error_free(ao_file_list(&names, path)); /* gone again */
	else if (!S_ISDIR(st.st_mode) && !ao_text_ends_with(name, ".lock"))
		ao_strs_push(out, name);
	free(path);
	for (size_t i = 0; i < names.count; i++) {
		char *below = ao_xstrf("%s/%s", name, names.v[i]);

		list(out, root, below, depth + 1);
		free(below);
	}
	ao_strs_release(&names);
}

void ao_looserefs_list(struct ao_strs *out, const struct ao_repo *repo)
{
	static const char *const roots[] = { "refs/heads/accelopt",
					     "refs/remotes", "refs/notes" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(roots); i++)
		list(out, repo->at.common_folder, roots[i], 0);
	ao_strs_sort_unique(out);
}
