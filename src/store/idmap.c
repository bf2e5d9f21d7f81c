/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/idmap.h"

/*
 * Ids are hashes already.  Who makes objects for us to read could make them
 * collide here, at some cost, and would slow us down by as much.
 */
static size_t home(const struct ao_idmap *map, const git_oid *id)
{
	size_t hash;

	memcpy(&hash, id->id, sizeof(hash));
	return hash & (map->size - 1);
}

/* The slot that has the id, or the free one where it would be. */
static struct ao_idmap_slot *find(const struct ao_idmap *map, const git_oid *id)
{
	size_t at = home(map, id);

	while (map->slots[at].is_used && !git_oid_equal(&map->slots[at].id, id))
		at = (at + 1) & (map->size - 1);
	return &map->slots[at];
}

static void grow(struct ao_idmap *map)
{
	struct ao_idmap larger = { .size = map->size ? 2 * map->size : 64,
				   .count = map->count };

	larger.slots = ao_xcalloc(larger.size, sizeof(*larger.slots));
	for (size_t i = 0; i < map->size; i++)
		if (map->slots[i].is_used)
			*find(&larger, &map->slots[i].id) = map->slots[i];
	free(map->slots);
	*map = larger;
}

bool ao_idmap_add(struct ao_idmap *map, const git_oid *id, size_t value)
{
	struct ao_idmap_slot *slot;

	/* At most three quarters full, so that a search ends soon. */
	if (4 * (map->count + 1) > 3 * map->size)
		grow(map);
	slot = find(map, id);
	if (slot->is_used)
		return false;
	*slot = (struct ao_idmap_slot){ *id, value, true };
	map->count++;
	return true;
}

const size_t *ao_idmap_get(const struct ao_idmap *map, const git_oid *id)
{
	const struct ao_idmap_slot *slot;

	if (!map->count)
		return NULL;
	slot = find(map, id);
	return slot->is_used ? &slot->value : NULL;
}

void ao_idmap_release(struct ao_idmap *map)
{
	free(map->slots);
	*map = (struct ao_idmap){ 0 };
}
