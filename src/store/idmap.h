/* SPDX-License-Identifier: MIT */
/* idmap.h - a table of object ids, each with a number. */
#ifndef AO_STORE_IDMAP_H
#define AO_STORE_IDMAP_H

#include "store/git.h"

struct ao_idmap_slot {
	git_oid id;
	size_t value;
	bool is_used;
};

/* All zero is empty. */
struct ao_idmap {
	struct ao_idmap_slot *slots; /* [size] a power of two, or 0 */
	size_t size;
	size_t count;
};

/* Returns false, and changes nothing, if the id is there already. */
bool ao_idmap_add(struct ao_idmap *map, const git_oid *id, size_t value);

/* NULL if it is not there.  Borrowed until the next addition. */
const size_t *ao_idmap_get(const struct ao_idmap *map, const git_oid *id);

void ao_idmap_release(struct ao_idmap *map);

#endif
