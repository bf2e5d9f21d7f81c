/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - values as bytes and back, for the cache.
 *
 * In this machine's byte order: a cache is never carried elsewhere.  Reading
 * takes any bytes: what lies beyond the end is zero or empty, and `is_broken`
 * says so in the end.
 */
#ifndef AO_STORE_BYTES_H
#define AO_STORE_BYTES_H

#include "store/git.h"
#include "util/buf.h"

void ao_bytes_put_u32(struct ao_buf *out, uint32_t value);
void ao_bytes_put_i64(struct ao_buf *out, int64_t value);
void ao_bytes_put_double(struct ao_buf *out, double value);
void ao_bytes_put_id(struct ao_buf *out, const git_oid *id);
void ao_bytes_put_text(struct ao_buf *out, const char *text); /* or NULL */

/* Ids as text, "" too. */
void ao_bytes_put_hex(struct ao_buf *out, const char *hex);

/* All zero is the end. */
struct ao_bytes {
	const char *at;
	size_t left;
	bool is_broken;
};

uint32_t ao_bytes_u32(struct ao_bytes *bytes);
int64_t ao_bytes_i64(struct ao_bytes *bytes);
double ao_bytes_double(struct ao_bytes *bytes);
void ao_bytes_id(git_oid *out, struct ao_bytes *bytes);
void ao_bytes_hex(char out[AO_ID_SIZE], struct ao_bytes *bytes);

/* The caller frees it; may be NULL. */
char *ao_bytes_text(struct ao_bytes *bytes);

/*
 * A count of things of at least `size` bytes each: more than there can be is
 * broken, and 0.
 */
size_t ao_bytes_count(struct ao_bytes *bytes, size_t size);

/* The next `len` bytes, as bytes of their own. */
struct ao_bytes ao_bytes_part(struct ao_bytes *bytes, size_t len);

#endif
