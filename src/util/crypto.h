/* SPDX-License-Identifier: MIT */
/* crypto.h - hashes and unpredictable ids.  The only user of libsodium. */
#ifndef AO_UTIL_CRYPTO_H
#define AO_UTIL_CRYPTO_H

#include "util/base.h"

/* A BLAKE2b hash of 20 bytes, as 40 hexadecimal digits and a NUL. */
#define AO_HASH_SIZE 41

/* Fed piece by piece; each piece is hashed with its length before it. */
struct ao_hash;

struct ao_hash *ao_hash_new(void);
void ao_hash_add(struct ao_hash *hash, const void *data, size_t len);
void ao_hash_addstr(struct ao_hash *hash, const char *s);

/* Write the hash and free `hash`. */
void ao_hash_finish(struct ao_hash *hash, char out[AO_HASH_SIZE]);

/* `digits` random hexadecimal digits and a NUL. */
void ao_random_hex(char *out, size_t digits);
uint64_t ao_random_u64(void);

#endif
