/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are no cache of history, or one whose runs can be read; what was
 * read can be written, and is read again as the same.
 */
#include "util/base.h"

#include "fuzz.h"
#include "store/snapshot.h"

enum { MAX_BYTES = 64 << 20 };

/* Read all that is there, and write it. */
static char *unpack(size_t *len_out, const char *data, size_t len)
{
	struct ao_buf out = AO_BUF_INIT(MAX_BYTES);
	struct ao_snapshot snapshot;

	if (!ao_snapshot_read(&snapshot, data, len))
		return NULL;
	for (size_t i = 0; i < snapshot.run_count; i++)
		ao_snapshot_unpack(&snapshot.runs[i]);
	ao_snapshot_write(&out, &snapshot);
	ao_snapshot_release(&snapshot);
	FUZZ_CHECK(!out.overflow);
	*len_out = out.len;
	return ao_buf_take(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len, again_len;
	char *once, *twice;

	once = unpack(&len, (const char *)data, size);
	if (!once)
		return 0;
	twice = unpack(&again_len, once, len);
	FUZZ_CHECK(twice && len == again_len && !memcmp(once, twice, len));
	free(once);
	free(twice);
	return 0;
}
