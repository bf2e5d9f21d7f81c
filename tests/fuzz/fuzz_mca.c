/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are what llvm-mca prints: what is taken from them is positive
 * numbers and a few words of plain letters.
 */
#include "util/base.h"

#include "eval/mca.h"
#include "fuzz.h"

static void check_word(const char *word, size_t most)
{
	if (!word)
		return;
	FUZZ_CHECK(*word && strlen(word) <= most);
	for (; *word; word++)
		FUZZ_CHECK(*word >= ' ' && *word < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_buf text = AO_BUF_INIT(64 << 10);
	struct ao_hotloop loop = { .samples = 1, .instructions = 1 };

	if (ao_mca_read(&loop, (const char *)data, size)) {
		FUZZ_CHECK(loop.cycles > 0 && loop.throughput_cycles >= 0);
		FUZZ_CHECK(loop.bound);
	} else {
		FUZZ_CHECK(loop.cycles <= 0 && !loop.bound && !loop.chain);
	}
	check_word(loop.bound, 16);
	check_word(loop.chain, 128);
	check_word(loop.port, 32);
	ao_hotloop_text(&text, &loop);
	FUZZ_CHECK(!text.overflow);
	ao_buf_release(&text);
	ao_hotloop_release(&loop);
	return 0;
}
