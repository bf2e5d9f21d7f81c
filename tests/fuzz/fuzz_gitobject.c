/* SPDX-License-Identifier: MIT */
/*
 * Any bytes can be read as a commit and as a tree: what is found lies within
 * them.
 */
#include "util/base.h"

#include "fuzz.h"
#include "store/commit.h"
#include "store/treeiter.h"

static void try_commit(const char *data, size_t len)
{
	struct ao_commit commit;
	git_oid id;

	if (!ao_commit_read(&commit, data, len))
		return;
	FUZZ_CHECK(commit.message >= data);
	FUZZ_CHECK(commit.message + commit.message_len == data + len);
	FUZZ_CHECK(commit.time_unix_ms >= 0);
	for (size_t i = 0; i < commit.parent_count; i++)
		ao_commit_parent(&id, &commit, i);
}

static void try_tree(const char *data, size_t len)
{
	struct ao_treeiter iter;

	ao_treeiter_over(&iter, data, len);
	while (ao_treeiter_next(&iter)) {
		FUZZ_CHECK(iter.name > data && iter.at <= data + len);
		FUZZ_CHECK(iter.name + strlen(iter.name) < data + len);
		FUZZ_CHECK(!ao_treeiter_is_tree(&iter) ||
			   !ao_mode_is_file(iter.mode));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_commit((const char *)data, size);
	try_tree((const char *)data, size);
	return 0;
}
