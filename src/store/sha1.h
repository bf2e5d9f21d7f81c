/* SPDX-License-Identifier: MIT */
/*
 * sha1.h - SHA-1, with which a pack ends.
 *
 * libgit2 hashes objects, and nothing else for others.  This says whether
 * bytes arrived whole; nobody should trust it for more.
 *
 * Source: FIPS 180-4, sections 5.1.1, 5.3.1 and 6.1.2.
 */
#ifndef AO_STORE_SHA1_H
#define AO_STORE_SHA1_H

#include "util/base.h"

enum { AO_SHA1_BYTES = 20, AO_SHA1_BLOCK = 64 };

struct ao_sha1 {
	uint32_t state[5];
	uint64_t len; /* bytes so far */
	unsigned char block[AO_SHA1_BLOCK];
};

void ao_sha1_init(struct ao_sha1 *sha1);
void ao_sha1_add(struct ao_sha1 *sha1, const void *data, size_t len);
void ao_sha1_finish(struct ao_sha1 *sha1, unsigned char out[AO_SHA1_BYTES]);

#endif
