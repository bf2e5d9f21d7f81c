/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sodium.h>

#include "util/crypto.h"

enum { HASH_BYTES = (AO_HASH_SIZE - 1) / 2 };

struct ao_hash {
	crypto_generichash_state state;
};

/* Fails only where the system has no random numbers: nothing is safe then. */
static void start(void)
{
	if (sodium_init() < 0)
		abort();
}

struct ao_hash *ao_hash_new(void)
{
	struct ao_hash *hash;

	start();
	hash = ao_xaligned(_Alignof(struct ao_hash), sizeof(*hash));
	crypto_generichash_init(&hash->state, NULL, 0, HASH_BYTES);
	return hash;
}

void ao_hash_add(struct ao_hash *hash, const void *data, size_t len)
{
	unsigned char size[8];

	/* Little-endian, so that the hash is the same on every machine. */
	for (size_t i = 0; i < sizeof(size); i++)
		size[i] = (unsigned char)((uint64_t)len >> 8 * i);
	crypto_generichash_update(&hash->state, size, sizeof(size));
	crypto_generichash_update(&hash->state, data, len);
}

void ao_hash_addstr(struct ao_hash *hash, const char *s)
{
	ao_hash_add(hash, s, strlen(s));
}

void ao_hash_finish(struct ao_hash *hash, char out[AO_HASH_SIZE])
{
	unsigned char bytes[HASH_BYTES];

	crypto_generichash_final(&hash->state, bytes, sizeof(bytes));
	sodium_bin2hex(out, AO_HASH_SIZE, bytes, sizeof(bytes));
	free(hash);
}

void ao_random_hex(char *out, size_t digits)
{
	static const char hex[] = "0123456789abcdef";

	start();
	for (size_t i = 0; i < digits; i++)
		out[i] = hex[randombytes_uniform(16)];
	out[digits] = '\0';
}

uint64_t ao_random_u64(void)
{
	uint64_t number;

	start();
	randombytes_buf(&number, sizeof(number));
	return number;
}
