/* SPDX-License-Identifier: MIT */
/*
 * pack.h - the bytes of a pack of whole objects.  The only user of zlib.
 *
 * libgit2's packbuilder looks for differences between objects, and cannot be
 * told not to: that is most of the work of storing a batch, finds little, and
 * `git gc` does it once and better.
 *
 * Source: gitformat-pack(5).
 */
#ifndef AO_STORE_PACK_H
#define AO_STORE_PACK_H

#include "store/git.h"

/* Takes the next bytes of the pack. */
typedef struct ao_error *ao_pack_sink(void *data, const void *bytes,
				      size_t len);

struct ao_pack;

/*
 * Start a pack of exactly `count` objects, whose bytes go to `sink`, in large
 * pieces.  Free with ao_pack_free().
 */
struct ao_pack *ao_pack_new(uint32_t count, ao_pack_sink *sink, void *data);

/* Add an object; an error is the sink's. */
AO_MUST_CHECK
struct ao_error *ao_pack_add(struct ao_pack *pack, git_object_t type,
			     const void *data, size_t len);

/* End the pack, after the last object. */
AO_MUST_CHECK
struct ao_error *ao_pack_finish(struct ao_pack *pack);

/* NULL is fine. */
void ao_pack_free(struct ao_pack *pack);

#endif
