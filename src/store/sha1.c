/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/sha1.h"

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t load(const unsigned char *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 |
	       (uint32_t)from[2] << 8 | from[3];
}

static void store(unsigned char *to, uint32_t x)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* One of the 80 steps; `f` and `k` are those of its round. */
static void step(uint32_t v[5], uint32_t f, uint32_t k, uint32_t w)
{
	uint32_t sum = rotate(v[0], 5) + f + v[4] + k + w;

	v[4] = v[3];
	v[3] = v[2];
	v[2] = rotate(v[1], 30);
	v[1] = v[0];
	v[0] = sum;
}

static void add_block(struct ao_sha1 *sha1, const unsigned char *block)
{
	uint32_t v[5], w[80];

	memcpy(v, sha1->state, sizeof(v));
	for (unsigned t = 0; t < 16; t++)
		w[t] = load(block + (size_t)4 * t);
	for (unsigned t = 16; t < 80; t++)
		w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	for (unsigned t = 0; t < 20; t++)
		step(v, (v[1] & v[2]) | (~v[1] & v[3]), 0x5a827999, w[t]);
	for (unsigned t = 20; t < 40; t++)
		step(v, v[1] ^ v[2] ^ v[3], 0x6ed9eba1, w[t]);
	for (unsigned t = 40; t < 60; t++)
		step(v, (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]),
		     0x8f1bbcdc, w[t]);
	for (unsigned t = 60; t < 80; t++)
		step(v, v[1] ^ v[2] ^ v[3], 0xca62c1d6, w[t]);
	for (unsigned i = 0; i < 5; i++)
		sha1->state[i] += v[i];
}

void ao_sha1_init(struct ao_sha1 *sha1)
{
	*sha1 = (struct ao_sha1){ .state = { 0x67452301, 0xefcdab89, 0x98badcfe,
					     0x10325476, 0xc3d2e1f0 } };
}

void ao_sha1_add(struct ao_sha1 *sha1, const void *data, size_t len)
{
	const unsigned char *from = data;
	size_t have = sha1->len % AO_SHA1_BLOCK;

	sha1->len += len;
	if (have) {
		size_t take = AO_SHA1_BLOCK - have;

		if (take > len)
			take = len;
		memcpy(sha1->block + have, from, take);
		from += take;
		len -= take;
		if (have + take < AO_SHA1_BLOCK)
			return;
		add_block(sha1, sha1->block);
	}
	for (; len >= AO_SHA1_BLOCK; len -= AO_SHA1_BLOCK) {
		add_block(sha1, from);
		from += AO_SHA1_BLOCK;
	}
	if (len)
		memcpy(sha1->block, from, len);
}

void ao_sha1_finish(struct ao_sha1 *sha1, unsigned char out[AO_SHA1_BYTES])
{
	static const unsigned char padding[AO_SHA1_BLOCK] = { 0x80 };
	uint64_t bits = sha1->len * 8;
	size_t have = sha1->len % AO_SHA1_BLOCK;
	unsigned char end[8];

	/* A bit, zeros, and the length in the last 8 bytes of a block. */
	store(end, (uint32_t)(bits >> 32));
	store(end + 4, (uint32_t)bits);
	ao_sha1_add(sha1, padding,
		    have < 56 ? 56 - have : AO_SHA1_BLOCK + 56 - have);
	ao_sha1_add(sha1, end, sizeof(end));
	for (unsigned i = 0; i < 5; i++)
		store(out + (size_t)4 * i, sha1->state[i]);
}
