/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <limits.h>
#include <zlib.h>

#include "store/pack.h"
#include "store/sha1.h"

/*
 * zlib's levels, 0 .. 9.  With 6, its default, kernels and notes are a tenth
 * smaller and take twice the time.  Trees are mostly ids: compressed they are
 * smaller by a quarter, and take as long as all the rest of a batch; `git gc`
 * makes differences of them.
 */
enum { LEVEL = 3, TREE_LEVEL = 0 };

/*
 * One fixed code for all objects.  They are so small that to read back a code
 * of their own takes as long as what it encodes.
 */
enum { STRATEGY = Z_FIXED };

enum {
	WINDOW_BITS = 15,
	MEMORY_LEVEL = 8, /* zlib's default */
	PIECE_BYTES = 1 << 20,
};

struct ao_pack {
	ao_pack_sink *sink;
	void *data;
	struct ao_sha1 sha1;
	z_stream stream;
	uint32_t left;	      /* objects to come */
	unsigned char *piece; /* [PIECE_BYTES] for the sink */
	size_t len;
};

static void put_u32(unsigned char *to, uint32_t x)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (unsigned char)(x >> (24 - 8 * i));
}

static AO_MUST_CHECK struct ao_error *flush(struct ao_pack *pack)
{
	size_t len = pack->len;

	pack->len = 0;
	return len ? pack->sink(pack->data, pack->piece, len) : NULL;
}

/* Account for `len` bytes that were put behind the piece's end. */
static AO_MUST_CHECK struct ao_error *took(struct ao_pack *pack, size_t len)
{
	ao_sha1_add(&pack->sha1, pack->piece + pack->len, len);
	pack->len += len;
	return pack->len == PIECE_BYTES ? flush(pack) : NULL;
}

static AO_MUST_CHECK struct ao_error *put(struct ao_pack *pack,
					  const unsigned char *bytes,
					  size_t len)
{
	while (len) {
		size_t part = PIECE_BYTES - pack->len;
		struct ao_error *err;

		if (part > len)
			part = len;
		memcpy(pack->piece + pack->len, bytes, part);
		err = took(pack, part);
		if (err)
			return err;
		bytes += part;
		len -= part;
	}
	return NULL;
}

struct ao_pack *ao_pack_new(uint32_t count, ao_pack_sink *sink, void *data)
{
	struct ao_pack *pack = ao_xcalloc(1, sizeof(*pack));
	unsigned char *head;
	int rc;

	pack->sink = sink;
	pack->data = data;
	pack->left = count;
	pack->piece = ao_xmalloc(PIECE_BYTES);
	ao_sha1_init(&pack->sha1);
	/* Fails only for want of memory, or another zlib than compiled for. */
	rc = deflateInit2(&pack->stream, LEVEL, Z_DEFLATED, WINDOW_BITS,
			  MEMORY_LEVEL, STRATEGY);
	if (rc != Z_OK)
		abort();

	head = pack->piece;
	memcpy(head, "PACK", 4);
	put_u32(head + 4, 2);
	put_u32(head + 8, count);
	pack->len = 12;
	ao_sha1_add(&pack->sha1, head, pack->len);
	return pack;
}

/*
 * Type and size: four bits of the size with the type, then seven a byte, the
 * lowest first; the high bit says that there are more.
 */
static AO_MUST_CHECK struct ao_error *put_head(struct ao_pack *pack,
					       git_object_t type, size_t len)
{
	unsigned char head[16];
	size_t used = 0;
	unsigned byte = (unsigned)type << 4 | (len & 15);

	for (len >>= 4; len; len >>= 7) {
		head[used++] = (unsigned char)(byte | 0x80);
		byte = len & 0x7f;
	}
	head[used++] = (unsigned char)byte;
	return put(pack, head, used);
}

struct ao_error *ao_pack_add(struct ao_pack *pack, git_object_t type,
			     const void *data, size_t len)
{
	z_stream *stream = &pack->stream;
	struct ao_error *err;
	int rc = Z_OK;

	assert(pack->left && len <= UINT_MAX);
	pack->left--;
	err = put_head(pack, type, len);
	deflateReset(stream);
	deflateParams(stream, type == GIT_OBJECT_TREE ? TREE_LEVEL : LEVEL,
		      STRATEGY);
	/* zlib's prototype is older than const; it only reads. */
	stream->next_in = (Bytef *)(uintptr_t)data;
	stream->avail_in = (uInt)len;
	while (!err && rc == Z_OK) {
		size_t room = PIECE_BYTES - pack->len;

		stream->next_out = pack->piece + pack->len;
		stream->avail_out = (uInt)room;
		rc = deflate(stream, Z_FINISH);
		err = took(pack, room - stream->avail_out);
	}
	assert(err || rc == Z_STREAM_END);
	return err;
}

struct ao_error *ao_pack_finish(struct ao_pack *pack)
{
	unsigned char trailer[AO_SHA1_BYTES];
	struct ao_error *err;

	assert(!pack->left);
	/* Not through put(): the hash is not hashed. */
	ao_sha1_finish(&pack->sha1, trailer);
	err = flush(pack);
	return err ? err : pack->sink(pack->data, trailer, sizeof(trailer));
}

void ao_pack_free(struct ao_pack *pack)
{
	if (!pack)
		return;
	deflateEnd(&pack->stream);
	free(pack->piece);
	free(pack);
}
