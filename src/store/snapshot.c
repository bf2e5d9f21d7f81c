/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/briefcodec.h"
#include "store/snapshot.h"
#include "util/crypto.h"
#include "util/file.h"
#include "util/version.h"

/*
 * The file: a line with format and version, the hash of all that follows, and
 * the snapshot.  The number changes with the format; the version is there as
 * another version may read records in another way.
 */
static const char format[] = "git-accelopt cache 1";

/* Some 400 bytes an attempt. */
enum { MAX_CACHE_BYTES = 1 << 30 };

/* A mark by which another byte order is found out. */
static const uint32_t byte_order = 0x01020304;

void ao_snapshot_run_clear(struct ao_snapshot_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		ao_candidate_release(&run->attempts[i].candidate);
	free(run->attempts);
	if (run->baseline)
		ao_profile_release(run->baseline);
	free(run->baseline);
	free(run->tips);
	*run = (struct ao_snapshot_run){ .task = run->task, .run = run->run };
}

void ao_snapshot_release(struct ao_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->run_count; i++) {
		ao_snapshot_run_clear(&snapshot->runs[i]);
		free(snapshot->runs[i].task);
		free(snapshot->runs[i].run);
	}
	for (size_t i = 0; i < snapshot->note_count; i++)
		free(snapshot->notes[i].ref);
	free(snapshot->runs);
	free(snapshot->notes);
	free(snapshot->file);
	*snapshot = (struct ao_snapshot){ 0 };
}

struct ao_snapshot_run *ao_snapshot_find(const struct ao_snapshot *snapshot,
					 const char *task, const char *run)
{
	for (size_t i = 0; i < snapshot->run_count; i++)
		if (!strcmp(snapshot->runs[i].run, run) &&
		    !strcmp(snapshot->runs[i].task, task))
			return &snapshot->runs[i];
	return NULL;
}

struct ao_snapshot_run *ao_snapshot_get(struct ao_snapshot *snapshot,
					const char *task, const char *run)
{
	struct ao_snapshot_run *found = ao_snapshot_find(snapshot, task, run);

	if (found)
		return found;
	snapshot->runs = ao_grow(snapshot->runs, &snapshot->run_alloc,
				 snapshot->run_count + 1,
				 sizeof(*snapshot->runs));
	found = &snapshot->runs[snapshot->run_count++];
	*found = (struct ao_snapshot_run){ .task = ao_xstrdup(task),
					   .run = ao_xstrdup(run) };
	return found;
}

static void put_attempts(struct ao_buf *out, const struct ao_snapshot_run *run)
{
	ao_bytes_put_u32(out, run->is_baseline_elsewhere);
	ao_brief_put_profile(out, run->baseline);
	ao_bytes_put_u32(out, (uint32_t)run->count);
	for (size_t i = 0; i < run->count; i++) {
		ao_bytes_put_u32(out, run->attempts[i].is_elsewhere);
		ao_brief_put_candidate(out, &run->attempts[i].candidate);
	}
}

static void put_run(struct ao_buf *out, const struct ao_snapshot_run *run)
{
	struct ao_buf packed = AO_BUF_INIT(MAX_CACHE_BYTES);

	ao_bytes_put_text(out, run->task);
	ao_bytes_put_text(out, run->run);
	ao_bytes_put_id(out, &run->settings);
	ao_bytes_put_u32(out, (uint32_t)run->tip_count);
	for (size_t i = 0; i < run->tip_count; i++)
		ao_bytes_put_id(out, &run->tips[i]);
	if (run->packed.at)
		ao_buf_add(&packed, run->packed.at, run->packed.left);
	else
		put_attempts(&packed, run);
	ao_bytes_put_u32(out, (uint32_t)packed.len);
	ao_buf_add(out, packed.ptr, packed.len);
	ao_buf_release(&packed);
}

static void hash_bytes(char out[AO_HASH_SIZE], const void *data, size_t len)
{
	struct ao_hash *hash = ao_hash_new();

	ao_hash_add(hash, data, len);
	ao_hash_finish(hash, out);
}

void ao_snapshot_write(struct ao_buf *out, const struct ao_snapshot *snapshot)
{
	ao_bytes_put_u32(out, byte_order);
	ao_bytes_put_u32(out, (uint32_t)snapshot->note_count);
	for (size_t i = 0; i < snapshot->note_count; i++) {
		ao_bytes_put_text(out, snapshot->notes[i].ref);
		ao_bytes_put_id(out, &snapshot->notes[i].tree);
	}
	ao_bytes_put_u32(out, (uint32_t)snapshot->run_count);
	for (size_t i = 0; i < snapshot->run_count; i++)
		put_run(out, &snapshot->runs[i]);
}

struct ao_error *ao_snapshot_save(const struct ao_snapshot *snapshot,
				  const char *path)
{
	struct ao_buf body = AO_BUF_INIT(MAX_CACHE_BYTES);
	struct ao_buf file = AO_BUF_INIT(MAX_CACHE_BYTES);
	char hash[AO_HASH_SIZE];
	struct ao_error *err;

	ao_snapshot_write(&body, snapshot);
	hash_bytes(hash, body.ptr, body.len);
	ao_buf_addf(&file, "%s, %s\n%s\n", format, ao_version(), hash);
	ao_buf_add(&file, body.ptr, body.len);
	err = ao_buf_check(&body, "the cache of history");
	if (!err)
		err = ao_buf_check(&file, "the cache of history");
	if (!err)
		err = ao_file_replace(path, file.ptr, file.len);
	ao_buf_release(&body);
	ao_buf_release(&file);
	return err;
}

/* The bytes behind the first two lines, if these are right. */
static struct ao_bytes check_file(const struct ao_buf *file)
{
	struct ao_bytes body = { 0 };
	char *head = ao_xstrf("%s, %s\n", format, ao_version());
	size_t len = strlen(head) + AO_HASH_SIZE;
	char hash[AO_HASH_SIZE];

	if (file->len > len && !memcmp(file->ptr, head, strlen(head))) {
		hash_bytes(hash, file->ptr + len, file->len - len);
		if (!memcmp(file->ptr + strlen(head), hash, AO_HASH_SIZE - 1))
			body = (struct ao_bytes){ .at = file->ptr + len,
						  .left = file->len - len };
	}
	free(head);
	return body;
}

static void take_notes(struct ao_snapshot *out, struct ao_bytes *bytes)
{
	size_t count = ao_bytes_count(bytes, GIT_OID_RAWSZ + 4);

	if (count)
		out->notes = ao_xcalloc(count, sizeof(*out->notes));
	for (; out->note_count < count; out->note_count++) {
		struct ao_snapshot_notes *n = &out->notes[out->note_count];

		n->ref = ao_bytes_text(bytes);
		ao_bytes_id(&n->tree, bytes);
		if (!n->ref)
			bytes->is_broken = true;
	}
}

static void take_run(struct ao_snapshot_run *out, struct ao_bytes *bytes)
{
	out->task = ao_bytes_text(bytes);
	out->run = ao_bytes_text(bytes);
	if (!out->task || !out->run)
		bytes->is_broken = true;
	ao_bytes_id(&out->settings, bytes);
	out->tip_count = ao_bytes_count(bytes, GIT_OID_RAWSZ);
	if (out->tip_count)
		out->tips = ao_xcalloc(out->tip_count, sizeof(*out->tips));
	for (size_t i = 0; i < out->tip_count; i++)
		ao_bytes_id(&out->tips[i], bytes);
	out->packed = ao_bytes_part(bytes, ao_bytes_u32(bytes));
}

static void take_runs(struct ao_snapshot *out, struct ao_bytes *bytes)
{
	size_t count = ao_bytes_count(bytes, GIT_OID_RAWSZ + 16);

	out->run_alloc = count;
	if (count)
		out->runs = ao_xcalloc(count, sizeof(*out->runs));
	while (out->run_count < count)
		take_run(&out->runs[out->run_count++], bytes);
}

bool ao_snapshot_read(struct ao_snapshot *out, const char *data, size_t len)
{
	struct ao_snapshot snapshot = { .file = ao_xmalloc(len + 1) };
	struct ao_bytes bytes = { .at = snapshot.file, .left = len };

	memcpy(snapshot.file, data, len);
	if (ao_bytes_u32(&bytes) != byte_order)
		bytes.is_broken = true;
	take_notes(&snapshot, &bytes);
	take_runs(&snapshot, &bytes);
	if (bytes.is_broken || bytes.left) {
		ao_snapshot_release(&snapshot);
		*out = snapshot;
		return false;
	}
	*out = snapshot;
	return true;
}

void ao_snapshot_load(struct ao_snapshot *out, const char *path)
{
	struct ao_buf file = AO_BUF_INIT(MAX_CACHE_BYTES);
	struct ao_error *err = ao_file_read(&file, path);
	struct ao_bytes body = { 0 };

	*out = (struct ao_snapshot){ 0 };
	if (!err)
		body = check_file(&file);
	ao_error_free(err); /* the cache is only ever a short cut */
	if (body.at)
		ao_snapshot_read(out, body.at, body.left);
	ao_buf_release(&file);
}

void ao_snapshot_unpack(struct ao_snapshot_run *run)
{
	struct ao_bytes bytes = run->packed;
	size_t count;

	if (!bytes.at)
		return;
	run->packed = (struct ao_bytes){ 0 };
	run->is_baseline_elsewhere = ao_bytes_u32(&bytes) != 0;
	run->baseline = ao_brief_profile(&bytes);
	count = ao_bytes_count(&bytes, AO_BRIEF_LEAST);
	if (count)
		run->attempts = ao_xcalloc(count, sizeof(*run->attempts));
	run->alloc = count;
	for (; run->count < count && !bytes.is_broken; run->count++) {
		struct ao_snapshot_attempt *a = &run->attempts[run->count];

		a->is_elsewhere = ao_bytes_u32(&bytes) != 0;
		ao_brief_candidate(&a->candidate, &bytes);
	}
	if (bytes.is_broken || bytes.left)
		ao_snapshot_run_clear(run);
}
