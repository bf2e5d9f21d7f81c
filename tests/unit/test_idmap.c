/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "store/idmap.h"

/* Distinct ids; the first `same` bytes do not tell them apart. */
static git_oid id(size_t number, size_t same)
{
	git_oid out = { { 0 } };

	for (size_t i = 0; i < 4; i++)
		out.id[same + i] = (unsigned char)(number >> (8 * i));
	return out;
}

/* Put `count` ids in and look for them, and for as many others. */
static size_t count_wrong(size_t count, size_t same)
{
	struct ao_idmap map = { 0 };
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		git_oid key = id(i, same);

		wrong += !ao_idmap_add(&map, &key, 3 * i);
	}
	for (size_t i = 0; i < 2 * count; i++) {
		git_oid key = id(i, same);
		const size_t *value = ao_idmap_get(&map, &key);

		wrong += i < count ? !value || *value != 3 * i : value != NULL;
	}
	wrong += map.count != count;
	ao_idmap_release(&map);
	return wrong;
}

static void what_was_added_is_found_and_nothing_else(void)
{
	EXPECT(!count_wrong(1, 0));
	EXPECT(!count_wrong(47, 0));
	EXPECT(!count_wrong(48, 0));
	EXPECT(!count_wrong(5000, 0));
}

static void ids_that_begin_alike_are_told_apart(void)
{
	EXPECT(!count_wrong(500, 16));
}

static void the_first_value_of_an_id_stays(void)
{
	struct ao_idmap map = { 0 };
	git_oid key = id(7, 0);

	EXPECT(ao_idmap_add(&map, &key, 1));
	EXPECT(!ao_idmap_add(&map, &key, 2));
	EXPECT(map.count == 1 && *ao_idmap_get(&map, &key) == 1);
	ao_idmap_release(&map);
}

static void an_empty_table_has_nothing(void)
{
	struct ao_idmap map = { 0 };
	git_oid key = id(7, 0);

	EXPECT(!ao_idmap_get(&map, &key));
	ao_idmap_release(&map);
}

int main(void)
{
	RUN(what_was_added_is_found_and_nothing_else);
	RUN(ids_that_begin_alike_are_told_apart);
	RUN(the_first_value_of_an_id_stays);
	RUN(an_empty_table_has_nothing);
	return tap_done();
}
