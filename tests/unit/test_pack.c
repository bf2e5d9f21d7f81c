/* SPDX-License-Identifier: MIT */
#include "gitbox.h"
#include "tap.h"

#include "store/pack.h"
#include "store/sha1.h"
#include "util/buf.h"
#include "util/rng.h"

enum { MAX_PACK = 64 << 20 };

static bool hashes(const char *text, size_t repeats, const char *expected)
{
	unsigned char hash[AO_SHA1_BYTES];
	char hex[2 * AO_SHA1_BYTES + 1];
	struct ao_sha1 sha1;

	ao_sha1_init(&sha1);
	for (size_t i = 0; i < repeats; i++)
		ao_sha1_add(&sha1, text, strlen(text));
	ao_sha1_finish(&sha1, hash);
	for (size_t i = 0; i < AO_SHA1_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", hash[i]);
	return !strcmp(hex, expected);
}

static void sha1_gives_the_hashes_of_the_standards_examples(void)
{
	EXPECT(hashes("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"));
	EXPECT(hashes("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"));
	EXPECT(hashes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmno"
		      "mnopnopq",
		      1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"));
	EXPECT(hashes("a", 1000000,
		      "34aa973cd4c4daa4f61eeb2bdbad27316534016f"));
}

static void sha1_does_not_depend_on_where_its_input_is_cut(void)
{
	for (unsigned len = 50; len < 70; len++) {
		unsigned char whole[AO_SHA1_BYTES], parts[AO_SHA1_BYTES];
		struct ao_sha1 sha1;
		char text[70];

		memset(text, 'x', sizeof(text));
		ao_sha1_init(&sha1);
		ao_sha1_add(&sha1, text, len);
		ao_sha1_finish(&sha1, whole);
		for (unsigned cut = 0; cut <= len; cut++) {
			ao_sha1_init(&sha1);
			ao_sha1_add(&sha1, text, cut);
			ao_sha1_add(&sha1, text + cut, len - cut);
			ao_sha1_finish(&sha1, parts);
			EXPECT(!memcmp(whole, parts, sizeof(whole)));
		}
	}
}

static struct ao_error *append(void *data, const void *bytes, size_t len)
{
	struct ao_buf *pack = data;

	ao_buf_add(pack, bytes, len);
	return ao_buf_check(pack, "pack");
}

/* Write the pack into a new repository "p", which git then indexes. */
static void git_takes(const struct ao_buf *pack)
{
	EXPECT(!box_sh("git init -q p"));
	EXPECT(box_ok(ao_file_write("p.pack", pack->ptr, pack->len)));
	EXPECT(!box_sh("git -C p index-pack --strict --stdin <p.pack "
		       ">out 2>&1 || { sed 's/^/# /' out; false; }"));
}

static void git_reads_blobs_of_sizes_where_the_header_grows(void)
{
	static const size_t sizes[] = { 0,    1,     15,    16,	    2047,
					2048, 65535, 65536, 262143, 262144 };
	struct ao_buf bytes = AO_BUF_INIT(MAX_PACK);
	char data[262145];
	struct ao_pack *pack;

	box_enter();
	memset(data, 'k', sizeof(data));
	pack = ao_pack_new(AO_ARRAY_SIZE(sizes), append, &bytes);
	for (size_t i = 0; i < AO_ARRAY_SIZE(sizes); i++)
		EXPECT(box_ok(
			ao_pack_add(pack, GIT_OBJECT_BLOB, data, sizes[i])));
	EXPECT(box_ok(ao_pack_finish(pack)));
	ao_pack_free(pack);
	git_takes(&bytes);
	for (size_t i = 0; i < AO_ARRAY_SIZE(sizes); i++) {
		char id[AO_ID_SIZE], size[24];
		git_oid oid;

		ao_git_hash(&oid, data, sizes[i], GIT_OBJECT_BLOB);
		ao_git_hex(id, &oid);
		snprintf(size, sizeof(size), "%zu", sizes[i]);
		EXPECT(box_prints(size, "git -C p cat-file -s %s", id));
	}
	ao_buf_release(&bytes);
	box_leave();
}

static void git_reads_a_pack_that_came_in_many_pieces(void)
{
	enum { OBJECTS = 7, SIZE = 700001 };
	struct ao_buf bytes = AO_BUF_INIT(MAX_PACK);
	char *data = ao_xmalloc(SIZE);
	struct ao_pack *pack;
	struct ao_rng rng;

	box_enter();
	ao_rng_seed(&rng, 1);
	pack = ao_pack_new(OBJECTS, append, &bytes);
	for (unsigned i = 0; i < OBJECTS; i++) {
		/* Nothing to compress: the pack is longer than a piece. */
		for (size_t at = 0; at < SIZE; at++)
			data[at] = (char)ao_rng_next(&rng);
		EXPECT(box_ok(ao_pack_add(pack, GIT_OBJECT_BLOB, data, SIZE)));
	}
	EXPECT(box_ok(ao_pack_finish(pack)));
	ao_pack_free(pack);
	EXPECT(bytes.len > (size_t)OBJECTS * SIZE);
	git_takes(&bytes);
	EXPECT(box_prints("7", "git -C p count-objects -v | "
			       "sed -n 's/^in-pack: //p'"));
	ao_buf_release(&bytes);
	free(data);
	box_leave();
}

static void git_reads_trees_and_commits(void)
{
	static const char commit[] =
		"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
		"author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n";
	struct ao_buf bytes = AO_BUF_INIT(MAX_PACK);
	struct ao_pack *pack;

	box_enter();
	pack = ao_pack_new(2, append, &bytes);
	EXPECT(box_ok(
		ao_pack_add(pack, GIT_OBJECT_COMMIT, commit, strlen(commit))));
	EXPECT(box_ok(ao_pack_add(pack, GIT_OBJECT_TREE, "", 0)));
	EXPECT(box_ok(ao_pack_finish(pack)));
	ao_pack_free(pack);
	git_takes(&bytes);
	EXPECT(box_prints("x", "git -C p log -1 --format=%%s $(git -C p "
			       "cat-file --batch-all-objects --batch-check | "
			       "sed -n 's/ commit.*//p')"));
	ao_buf_release(&bytes);
	box_leave();
}

static struct ao_error *refuse(void *data, const void *bytes, size_t len)
{
	(void)data;
	(void)bytes;
	return ao_error_new(AO_EIO, "no room for %zu bytes", len);
}

static void an_error_of_the_sink_comes_back(void)
{
	struct ao_pack *pack = ao_pack_new(1, refuse, NULL);

	EXPECT(box_ok(ao_pack_add(pack, GIT_OBJECT_BLOB, "x", 1)));
	EXPECT(box_fails(ao_pack_finish(pack), AO_EIO, "no room"));
	ao_pack_free(pack);
}

int main(void)
{
	struct ao_error *err = ao_git_init();

	if (err)
		abort();
	RUN(sha1_gives_the_hashes_of_the_standards_examples);
	RUN(sha1_does_not_depend_on_where_its_input_is_cut);
	RUN(git_reads_blobs_of_sizes_where_the_header_grows);
	RUN(git_reads_a_pack_that_came_in_many_pieces);
	RUN(git_reads_trees_and_commits);
	RUN(an_error_of_the_sink_comes_back);
	git_libgit2_shutdown();
	return tap_done();
}
