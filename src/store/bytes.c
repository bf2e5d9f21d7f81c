/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/bytes.h"

static const uint32_t no_text = UINT32_MAX;

void ao_bytes_put_u32(struct ao_buf *out, uint32_t value)
{
	ao_buf_add(out, &value, sizeof(value));
}

void ao_bytes_put_i64(struct ao_buf *out, int64_t value)
{
	ao_buf_add(out, &value, sizeof(value));
}

void ao_bytes_put_double(struct ao_buf *out, double value)
{
	ao_buf_add(out, &value, sizeof(value));
}

void ao_bytes_put_id(struct ao_buf *out, const git_oid *id)
{
	ao_buf_add(out, id->id, GIT_OID_RAWSZ);
}

void ao_bytes_put_text(struct ao_buf *out, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	ao_bytes_put_u32(out, text ? (uint32_t)len : no_text);
	ao_buf_add(out, text ? text : "", len);
}

void ao_bytes_put_hex(struct ao_buf *out, const char *hex)
{
	git_oid id = { { 0 } };

	if (*hex && git_oid_fromstr(&id, hex))
		memset(&id, 0, sizeof(id));
	ao_bytes_put_id(out, &id);
}

static void take(void *out, struct ao_bytes *bytes, size_t len)
{
	if (bytes->left < len) {
		memset(out, 0, len);
		bytes->is_broken = true;
		bytes->left = 0;
		return;
	}
	memcpy(out, bytes->at, len);
	bytes->at += len;
	bytes->left -= len;
}

uint32_t ao_bytes_u32(struct ao_bytes *bytes)
{
	uint32_t value;

	take(&value, bytes, sizeof(value));
	return value;
}

int64_t ao_bytes_i64(struct ao_bytes *bytes)
{
	int64_t value;

	take(&value, bytes, sizeof(value));
	return value;
}

double ao_bytes_double(struct ao_bytes *bytes)
{
	double value;

	take(&value, bytes, sizeof(value));
	return value;
}

void ao_bytes_id(git_oid *out, struct ao_bytes *bytes)
{
	take(out->id, bytes, GIT_OID_RAWSZ);
}

void ao_bytes_hex(char out[AO_ID_SIZE], struct ao_bytes *bytes)
{
	git_oid id;

	ao_bytes_id(&id, bytes);
	if (git_oid_is_zero(&id))
		*out = '\0';
	else
		ao_git_hex(out, &id);
}

char *ao_bytes_text(struct ao_bytes *bytes)
{
	uint32_t len = ao_bytes_u32(bytes);
	char *text;

	if (len == no_text)
		return NULL;
	if (len > bytes->left) {
		bytes->is_broken = true;
		bytes->left = 0;
		return NULL;
	}
	text = ao_xstrndup(bytes->at, len);
	bytes->at += len;
	bytes->left -= len;
	return text;
}

size_t ao_bytes_count(struct ao_bytes *bytes, size_t size)
{
	size_t count = ao_bytes_u32(bytes);

	if (count <= bytes->left / size)
		return count;
	bytes->is_broken = true;
	bytes->left = 0;
	return 0;
}

struct ao_bytes ao_bytes_part(struct ao_bytes *bytes, size_t len)
{
	struct ao_bytes part = { .at = bytes->at, .left = len };

	if (len > bytes->left) {
		bytes->is_broken = true;
		bytes->left = 0;
		return (struct ao_bytes){ .is_broken = true };
	}
	bytes->at += len;
	bytes->left -= len;
	return part;
}
