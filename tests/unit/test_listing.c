/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/hotspot.h"
#include "eval/mix.h"

/* Two loops, the inner one in a function of its own; and a tail. */
static const char listing_text[] =
	"\nkernel.so:     file format elf64-x86-64\n\n"
	"Disassembly of section .text:\n\n"
	"0000000000001000 <inner>:\n"
	"inner():\n"
	"/tmp/build.x/sub/part.c:5\n"
	"    1000:\tvaddss (%rdi,%rax,4),%xmm0,%xmm0\n"
	"/usr/lib/include/immintrin.h:99\n"
	"    1005:\tadd    $0x1,%rax\n"
	"/tmp/build.x/sub/part.c:4 (discriminator 3)\n"
	"    1009:\tcmp    $0x258,%rax\n"
	"    100f:\tnotrack jne 1000 <inner>\n"
	"    1011:\tret\n"
	"    1012:\tdata16 cs nopw 0x0(%rax,%rax,1)\n"
	"\n"
	"0000000000001020 <kernel>:\n"
	"kernel():\n"
	"/tmp/build.x/kernel.c:7\n"
	"    1020:\tpush   %rbx\n"
	"    1021:\tcall   1000 <inner>\n"
	"    1026:\tvmovss 0xfd2(%rip),%xmm1        # 2000 <table>\n"
	"    102e:\tjne    1021 <kernel+0x1>\n"
	"    1030:\tpop    %rbx\n"
	"    1031:\tjmp    1000 <inner>\n";

static struct ao_kernel kernel;

static struct ao_listing listing_of(const char *text)
{
	struct ao_listing listing;

	ao_listing_parse(&listing, text, strlen(text), &kernel, "kernel");
	return listing;
}

static void instructions_have_addresses_targets_and_lines(void)
{
	struct ao_listing listing = listing_of(listing_text);
	const struct ao_instruction *at = listing.instructions;

	EXPECT(listing.count == 12);
	EXPECT(listing.has_entry && listing.entry == 0x1020);
	EXPECT(at[0].address == 0x1000 && at[0].line == 5 && at[0].file == 1);
	EXPECT(!strcmp(at[0].text, "vaddss (%rdi,%rax,4),%xmm0,%xmm0"));
	EXPECT(at[3].target == 0x1000 && at[3].line == 4);
	EXPECT(!at[0].target);
	EXPECT(at[6].line == 7 && at[6].file == 0);
	ao_listing_release(&listing);
}

static void a_line_of_a_header_is_no_line_of_the_kernel(void)
{
	struct ao_listing listing = listing_of(listing_text);

	EXPECT(listing.instructions[1].line == 0);
	ao_listing_release(&listing);
}

static void what_comes_behind_an_instruction_is_not_part_of_it(void)
{
	struct ao_listing listing = listing_of(listing_text);

	EXPECT(!strcmp(listing.instructions[8].text,
		       "vmovss 0xfd2(%rip),%xmm1"));
	ao_listing_release(&listing);
}

static void an_address_is_found_if_an_instruction_begins_there(void)
{
	struct ao_listing listing = listing_of(listing_text);

	EXPECT(ao_listing_find(&listing, 0x1009) == 2);
	EXPECT(ao_listing_find(&listing, 0x100a) == listing.count);
	EXPECT(ao_listing_find(&listing, 0) == listing.count);
	EXPECT(ao_listing_find(&listing, UINT64_MAX) == listing.count);
	ao_listing_release(&listing);
}

static void other_text_lists_nothing(void)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"1000: nothing\n",
		"    1000:\tret\n",
		"0000000000001000 <kernel>:\n    zzzz:\tret\n",
		"0000000000001000 <kernel>:\n    10000000000000000:\tret\n",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++) {
		struct ao_listing listing = listing_of(texts[i]);

		EXPECT(!listing.count);
		ao_listing_release(&listing);
	}
}

static void the_loop_with_most_samples_is_the_hot_one(void)
{
	struct ao_listing listing = listing_of(listing_text);
	struct ao_samples samples = { .count = 10 };
	struct ao_hotloop loop = { 0 };
	struct ao_hotspot at = { 0 };

	/* Six in the inner loop, two in the outer, one in neither. */
	for (int i = 0; i < 6; i++)
		samples.at[i] = -0x20 + 5 * (i % 2);
	samples.at[6] = samples.at[7] = 1;
	samples.at[8] = 0;
	samples.at[9] = AO_SAMPLE_OUTSIDE;
	EXPECT(ao_hotspot_find(&at, &loop, &listing, &samples, &kernel));
	EXPECT(at.first == 0 && at.last == 3);
	EXPECT(loop.samples == 10);
	EXPECT(loop.share > 0.59 && loop.share < 0.61);
	EXPECT(loop.outside > 0.09 && loop.outside < 0.11);
	EXPECT(loop.line == 4 && loop.file && !strcmp(loop.file, "sub/part.c"));
	EXPECT(loop.instructions == 4 && loop.scalar == 2 && loop.loads == 1 &&
	       loop.branches == 1);
	ao_hotloop_release(&loop);
	ao_listing_release(&listing);
}

static void time_in_libraries_makes_no_loop_hot(void)
{
	struct ao_listing listing = listing_of(listing_text);
	struct ao_samples samples = { .count = 100 };
	struct ao_hotloop loop = { 0 };
	struct ao_hotspot at;

	for (int i = 0; i < 100; i++)
		samples.at[i] = i < 5 ? -0x20 : AO_SAMPLE_OUTSIDE;
	EXPECT(!ao_hotspot_find(&at, &loop, &listing, &samples, &kernel));
	EXPECT(!loop.instructions && loop.samples == 100);
	EXPECT(loop.outside > 0.94 && loop.outside < 0.96);
	ao_hotloop_release(&loop);
	ao_listing_release(&listing);
}

static void without_samples_no_loop_is_hot(void)
{
	struct ao_listing listing = listing_of(listing_text);
	struct ao_samples samples = { 0 };
	struct ao_hotloop loop = { 0 };
	struct ao_hotspot at;

	EXPECT(!ao_hotspot_find(&at, &loop, &listing, &samples, &kernel));
	EXPECT(!ao_hotloop_is_known(&loop));
	ao_listing_release(&listing);
}

/* What one instruction counts as, in words. */
static const char *kind_of(const char *text)
{
	struct ao_instruction instruction = { .text = text };
	struct ao_hotloop loop = { 0 };
	static char words[128];

	ao_mix_count(&loop, &instruction);
	snprintf(words, sizeof(words), "%s%s%s%s%s%s%s%s%s%s",
		 loop.scalar ? "scalar " : "", loop.vector128 ? "128 " : "",
		 loop.vector256 ? "256 " : "", loop.vector512 ? "512 " : "",
		 loop.shuffles ? "shuffle " : "",
		 loop.divisions ? "divide " : "", loop.loads ? "load " : "",
		 loop.stores ? "store " : "", loop.branches ? "branch " : "",
		 loop.calls ? "call " : "");
	return words;
}

static void instructions_are_counted_by_kind(void)
{
	static const char *const kinds[][2] = {
		{ "vaddss %xmm1,%xmm0,%xmm0", "scalar " },
		{ "vfmadd231sd (%rax),%xmm1,%xmm0", "scalar load " },
		{ "addps  %xmm1,%xmm0", "128 " },
		{ "vpabsd %xmm1,%xmm0", "128 " },
		{ "vfmadd231ps (%rdi,%rax,4),%ymm0,%ymm1", "256 load " },
		{ "vaddps (%rdi){1to16},%zmm0,%zmm1{%k1}{z}", "512 load " },
		{ "vmovups (%rdi,%rax,1),%ymm0", "load " },
		{ "vmovups %ymm0,(%rdi,%rax,1)", "store " },
		{ "vmovaps %ymm0,%ymm1", "" },
		{ "vbroadcastss (%rsi),%ymm0", "load " },
		{ "vpermilps $0x1,%ymm0,%ymm1", "shuffle " },
		{ "vextractf128 $0x1,%ymm0,(%rdi)", "shuffle store " },
		{ "vdivps %ymm0,%ymm1,%ymm2", "256 divide " },
		{ "sqrtss %xmm0,%xmm0", "scalar divide " },
		{ "idivl  0x8(%rsp)", "scalar divide load " },
		{ "add    %eax,(%rdi)", "scalar load store " },
		{ "add    $0x20,%rax", "scalar " },
		{ "cmp    $0x1,(%rdi)", "load " },
		{ "lea    0x4(%rdi,%rax,4),%rdx", "" },
		{ "nopw   0x0(%rax,%rax,1)", "" },
		{ "mov    %rax,0x8(%rsp)", "store " },
		{ "jne    1000 <kernel>", "branch " },
		{ "jmp    *(%rax)", "branch " },
		{ "call   1030 <expf@plt>", "call " },
		{ "rep stos %al,%es:(%rdi)", "store " },
		{ "vzeroupper", "" },
		{ "", "scalar " },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(kinds); i++) {
		const char *kind = kind_of(kinds[i][0]);

		if (strcmp(kind, kinds[i][1]) != 0)
			printf("# %s: %s\n", kinds[i][0], kind);
		EXPECT(!strcmp(kind, kinds[i][1]));
	}
}

int main(void)
{
	ao_kernel_add(&kernel, "kernel.c", "", 0);
	ao_kernel_add(&kernel, "sub/part.c", "", 0);
	ao_kernel_add(&kernel, "part.c", "", 0);
	RUN(instructions_have_addresses_targets_and_lines);
	RUN(a_line_of_a_header_is_no_line_of_the_kernel);
	RUN(what_comes_behind_an_instruction_is_not_part_of_it);
	RUN(an_address_is_found_if_an_instruction_begins_there);
	RUN(other_text_lists_nothing);
	RUN(the_loop_with_most_samples_is_the_hot_one);
	RUN(time_in_libraries_makes_no_loop_hot);
	RUN(without_samples_no_loop_is_hot);
	RUN(instructions_are_counted_by_kind);
	ao_kernel_release(&kernel);
	return tap_done();
}
