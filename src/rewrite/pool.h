/* SPDX-License-Identifier: MIT */
/*
 * pool.h - memory that is freed all at once.
 *
 * A syntax tree has thousands of small parts that live exactly as long as it
 * does: they come from a pool, and nobody frees them one by one.
 */
#ifndef AO_REWRITE_POOL_H
#define AO_REWRITE_POOL_H

#include "util/base.h"

struct ao_pool_chunk;

/* All zero is empty. */
struct ao_pool {
	struct ao_pool_chunk *chunks;
	size_t used; /* bytes of the newest chunk */
};

/* Zeroed memory for any type; it lives as long as the pool. */
void *ao_pool_alloc(struct ao_pool *pool, size_t size);

/* A copy of `len` bytes and a NUL. */
char *ao_pool_strndup(struct ao_pool *pool, const char *s, size_t len);

void ao_pool_release(struct ao_pool *pool);

#endif
