/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "util/crypto.h"

/* Expected values: Python's hashlib.blake2b(digest_size=20), fed each length
 * as eight little-endian bytes before its piece. */

static void a_hash_of_nothing_is_that_of_the_empty_text(void)
{
	char text[AO_HASH_SIZE];

	ao_hash_finish(ao_hash_new(), text);
	EXPECT(!strcmp(text, "3345524abf6bbe1809449224b5972c41790b6cf2"));
}

static void a_hash_is_the_same_on_every_machine(void)
{
	struct ao_hash *hash = ao_hash_new();
	char text[AO_HASH_SIZE];

	ao_hash_addstr(hash, "abc");
	ao_hash_finish(hash, text);
	EXPECT(!strcmp(text, "46497b8874876c2cf6fb6455371beaf38d8c08fc"));
}

static void where_a_piece_ends_is_part_of_the_hash(void)
{
	struct ao_hash *hash = ao_hash_new();
	char text[AO_HASH_SIZE];

	ao_hash_add(hash, "ab", 2);
	ao_hash_add(hash, "c", 1);
	ao_hash_finish(hash, text);
	EXPECT(!strcmp(text, "2f8aca58652a1b7b1a5b68df86197f8b451b5c3a"));
}

static void random_text_is_hexadecimal_and_never_the_same(void)
{
	char a[33], b[33];

	ao_random_hex(a, 32);
	ao_random_hex(b, 32);
	EXPECT(strlen(a) == 32 && strspn(a, "0123456789abcdef") == 32);
	EXPECT(strcmp(a, b) != 0);
	ao_random_hex(a, 0);
	EXPECT(!*a);
	EXPECT(ao_random_u64() != ao_random_u64());
}

int main(void)
{
	RUN(a_hash_of_nothing_is_that_of_the_empty_text);
	RUN(a_hash_is_the_same_on_every_machine);
	RUN(where_a_piece_ends_is_part_of_the_hash);
	RUN(random_text_is_hexadecimal_and_never_the_same);
	return tap_done();
}
