/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/treeiter.h"

void ao_treeiter_over(struct ao_treeiter *iter, const char *data, size_t len)
{
	*iter = (struct ao_treeiter){ .at = data, .end = data + len };
}

void ao_treeiter_start(struct ao_treeiter *iter, git_odb_object *tree)
{
	ao_treeiter_over(iter, git_odb_object_data(tree),
			 git_odb_object_size(tree));
}

/* "<mode in octal> <name>\0<id>" */
bool ao_treeiter_next(struct ao_treeiter *iter)
{
	const char *at = iter->at;
	const char *nul;
	uint32_t mode = 0;

	for (; at < iter->end && *at >= '0' && *at <= '7' && mode < 01000000;
	     at++)
		mode = mode * 8 + (uint32_t)(*at - '0');
	if (at >= iter->end || *at != ' ')
		return false;
	at++;
	nul = memchr(at, '\0', (size_t)(iter->end - at));
	if (!nul || iter->end - nul <= GIT_OID_RAWSZ)
		return false;
	iter->mode = mode;
	iter->name = at;
	memcpy(iter->id.id, nul + 1, GIT_OID_RAWSZ);
	iter->at = nul + 1 + GIT_OID_RAWSZ;
	return true;
}

bool ao_treeiter_find(struct ao_treeiter *iter, git_odb_object *tree,
		      const char *name, size_t len)
{
	ao_treeiter_start(iter, tree);
	while (ao_treeiter_next(iter))
		if (!strncmp(iter->name, name, len) && !iter->name[len])
			return true;
	return false;
}

bool ao_treeiter_is_tree(const struct ao_treeiter *iter)
{
	return iter->mode == AO_MODE_TREE;
}
