/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are what objdump prints of an object: loops that are found in them
 * lie in them, and what llvm-mca is told of such a loop is instructions and
 * nothing else.
 */
#include "util/base.h"

#include "eval/mca.h"
#include "eval/mix.h"
#include "fuzz.h"

static void check_instructions(const struct ao_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++) {
		const struct ao_instruction *insn = &listing->instructions[i];
		struct ao_hotloop loop = { 0 };

		FUZZ_CHECK(strlen(insn->text) == insn->len);
		FUZZ_CHECK(!i || listing->instructions[i - 1].address <=
					 insn->address);
		ao_mix_count(&loop, insn);
		FUZZ_CHECK(loop.instructions == 1);
		FUZZ_CHECK(loop.scalar + loop.vector128 + loop.vector256 +
				   loop.vector512 + loop.branches +
				   loop.calls <=
			   1);
		FUZZ_CHECK(loop.loads <= 1 && loop.stores <= 1);
	}
}

/* No directives: of those some read files. */
static void check_input(const struct ao_buf *input)
{
	for (const char *line = input->ptr; *line;) {
		FUZZ_CHECK(!strncmp(line, ".L0:\n", 5) ||
			   (*line == '\t' && line[1] != '.' && line[1] != '#'));
		line += strcspn(line, "\n");
		FUZZ_CHECK(*line == '\n');
		line++;
	}
	FUZZ_CHECK(!strpbrk(input->ptr, ";\"\\"));
}

static void check_hotspot(const struct ao_listing *listing,
			  const struct ao_kernel *kernel)
{
	struct ao_buf input = AO_BUF_INIT(AO_MCA_MAX_BYTES);
	struct ao_samples samples = { .count = AO_SAMPLES_MAX };
	struct ao_buf text = AO_BUF_INIT(1 << 20);
	struct ao_hotloop loop = { 0 };
	struct ao_hotspot at;

	for (size_t i = 0; i < AO_SAMPLES_MAX; i++)
		samples.at[i] = (int32_t)(i % 64 * 4);
	if (ao_hotspot_find(&at, &loop, listing, &samples, kernel)) {
		FUZZ_CHECK(at.first <= at.last && at.last < listing->count);
		FUZZ_CHECK(loop.instructions == at.last - at.first + 1);
		FUZZ_CHECK(loop.share > 0 && loop.share <= 1);
		ao_mca_write(&input, listing, &at);
		check_input(&input);
	}
	ao_hotloop_text(&text, &loop);
	ao_buf_release(&input);
	ao_buf_release(&text);
	ao_hotloop_release(&loop);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_kernel kernel = { 0 };
	struct ao_listing listing = { 0 };

	ao_kernel_add(&kernel, "kernel.c", "", 0);
	ao_kernel_add(&kernel, "sub/kernel.c", "", 0);
	ao_listing_parse(&listing, (const char *)data, size, &kernel, "kernel");
	check_instructions(&listing);
	check_hotspot(&listing, &kernel);
	ao_listing_release(&listing);
	ao_kernel_release(&kernel);
	return 0;
}
