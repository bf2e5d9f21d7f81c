/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/pool.h"

enum { CHUNK_BYTES = 64 << 10 };

struct ao_pool_chunk {
	struct ao_pool_chunk *next;
	size_t size;
	max_align_t data[];
};

static void add_chunk(struct ao_pool *pool, size_t size)
{
	struct ao_pool_chunk *chunk;

	if (size < CHUNK_BYTES)
		size = CHUNK_BYTES;
	chunk = ao_xcalloc(1, sizeof(*chunk) + size);
	chunk->size = size;
	chunk->next = pool->chunks;
	pool->chunks = chunk;
	pool->used = 0;
}

void *ao_pool_alloc(struct ao_pool *pool, size_t size)
{
	size_t align = _Alignof(max_align_t);
	char *ptr;

	size = (size + align - 1) / align * align;
	if (!pool->chunks || size > pool->chunks->size - pool->used)
		add_chunk(pool, size);
	ptr = (char *)pool->chunks->data + pool->used;
	pool->used += size;
	return ptr;
}

char *ao_pool_strndup(struct ao_pool *pool, const char *s, size_t len)
{
	char *copy = ao_pool_alloc(pool, len + 1);

	memcpy(copy, s, len);
	return copy;
}

void ao_pool_release(struct ao_pool *pool)
{
	while (pool->chunks) {
		struct ao_pool_chunk *next = pool->chunks->next;

		free(pool->chunks);
		pool->chunks = next;
	}
	*pool = (struct ao_pool){ 0 };
}
