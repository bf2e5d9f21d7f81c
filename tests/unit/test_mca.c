/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/mca.h"

/* As llvm-mca 14 prints it, shortened. */
static const char latency[] =
	"Iterations:        100\n"
	"Instructions:      400\n"
	"Total Cycles:      310\n"
	"Total uOps:        400\n"
	"\n"
	"Dispatch Width:    6\n"
	"uOps Per Cycle:    1.29\n"
	"IPC:               1.29\n"
	"Block RThroughput: 1.0\n"
	"\n"
	"Critical sequence based on the simulation:\n"
	"\n"
	"              Instruction                  Dependency Information\n"
	" +----< 0.    vaddss\t(%rdi,%rax,4), %xmm0, %xmm0\n"
	" |\n"
	" |    < loop carried > \n"
	" |\n"
	" +----> 0.    vaddss\t(%rdi,%rax,4), %xmm0, %xmm0      "
	"## REGISTER dependency:  %xmm0\n"
	" |\n"
	" |    < loop carried > \n"
	" |\n"
	" +----> 0.    vaddss\t(%rdi,%rax,4), %xmm0, %xmm0      "
	"## REGISTER dependency:  %xmm0\n"
	"\n"
	"\n"
	"Resources:\n"
	"[0]   - Zn3AGU0\n"
	"[12.1] - Zn3Load\n"
	"\n"
	"\n"
	"Resource pressure per iteration:\n"
	"[0]    [12.1]    \n"
	" -     0.50   \n";

static const char throughput[] = "Iterations:        100\n"
				 "Total Cycles:      410\n"
				 "Total uOps:        1200\n"
				 "Dispatch Width:    6\n"
				 "Block RThroughput: 4.0\n"
				 "\nResources:\n"
				 "[0]   - Zn3FP0\n"
				 "[1]   - Zn3FP1\n"
				 "[2]   - Zn3FP2\n"
				 "\nResource pressure per iteration:\n"
				 "[0]    [1]    [2]\n"
				 "1.00   4.00   - \n";

static const char listing_text[] =
	"0000000000001000 <kernel>:\n"
	"    1000:\tvaddss (%rdi,%rax,4),%xmm0,%xmm0\n"
	"    1005:\t.byte 0x06\n"
	"    1006:\t(bad)\n"
	"    1007:\tadd    $0x1,%rax\n"
	"    1008:\tcall   2000 <expf\"\n.incbin \"x@plt>\n"
	"    1009:\tmov    \"x\",%eax\n"
	"    100f:\tnotrack jne 1000 <kernel>\n";

static void a_chain_of_additions_is_bound_by_latency(void)
{
	struct ao_hotloop loop = { .samples = 1, .instructions = 4 };
	struct ao_buf text = AO_BUF_INIT(4096);

	EXPECT(ao_mca_read(&loop, latency, strlen(latency)));
	EXPECT(loop.cycles > 3.09 && loop.cycles < 3.11);
	EXPECT(loop.throughput_cycles > 0.99 && loop.throughput_cycles < 1.01);
	EXPECT(loop.bound && !strcmp(loop.bound, "latency"));
	EXPECT(loop.chain && !strcmp(loop.chain, "vaddss"));
	ao_hotloop_text(&text, &loop);
	EXPECT(strstr(
		text.ptr,
		"a step takes 3.1 cycles where data is at hand, "
		"bound by the latency of a chain of additions (vaddss); its "
		"throughput needs 1\n"));
	ao_buf_release(&text);
	ao_hotloop_release(&loop);
}

static void the_busiest_port_binds_throughput(void)
{
	struct ao_hotloop loop = { .samples = 1, .instructions = 4 };

	EXPECT(ao_mca_read(&loop, throughput, strlen(throughput)));
	EXPECT(loop.bound && !strcmp(loop.bound, "throughput"));
	EXPECT(loop.port && !strcmp(loop.port, "Zn3FP1"));
	EXPECT(!loop.chain);
	ao_hotloop_release(&loop);
}

static void too_many_instructions_bind_the_front_end(void)
{
	static const char text[] = "Iterations: 100\nTotal Cycles: 403\n"
				   "Total uOps: 2400\nDispatch Width: 6\n"
				   "Block RThroughput: 4.0\n";
	struct ao_hotloop loop = { 0 };

	EXPECT(ao_mca_read(&loop, text, strlen(text)));
	EXPECT(loop.bound && !strcmp(loop.bound, "front end"));
	ao_hotloop_release(&loop);
}

static void other_text_says_nothing(void)
{
	static const char *const texts[] = {
		"",
		"error: no such CPU\n",
		"Iterations: 100\n",
		"Iterations: 0\nTotal Cycles: 3\n",
		"Iterations: nan\nTotal Cycles: inf\n",
		"Iterations: -1\nTotal Cycles: -1\n",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++) {
		struct ao_hotloop loop = { 0 };

		EXPECT(!ao_mca_read(&loop, texts[i], strlen(texts[i])));
		EXPECT(loop.cycles <= 0 && !loop.bound && !loop.chain &&
		       !loop.port);
	}
}

static void only_instructions_are_passed_on(void)
{
	struct ao_buf input = AO_BUF_INIT(AO_MCA_MAX_BYTES);
	struct ao_kernel kernel = { 0 };
	struct ao_listing listing;
	struct ao_hotspot at = { 0 };

	ao_listing_parse(&listing, listing_text, strlen(listing_text), &kernel,
			 "kernel");
	at.last = listing.count - 1;
	ao_mca_write(&input, &listing, &at);
	EXPECT(!strcmp(input.ptr, ".L0:\n"
				  "\tvaddss (%rdi,%rax,4),%xmm0,%xmm0\n"
				  "\tadd    $0x1,%rax\n"
				  "\tjne .L0\n"));
	ao_listing_release(&listing);
	ao_buf_release(&input);
}

static void a_loop_that_calls_is_not_looked_at(void)
{
	static const char text[] = "0000000000001000 <kernel>:\n"
				   "    1000:\tvaddss %xmm1,%xmm0,%xmm0\n"
				   "    1008:\tcall   2000 <expf@plt>\n"
				   "    100f:\tjne 1000 <kernel>\n";
	struct ao_buf input = AO_BUF_INIT(AO_MCA_MAX_BYTES);
	struct ao_kernel kernel = { 0 };
	struct ao_listing listing;
	struct ao_hotspot at = { 0, 2 };

	ao_listing_parse(&listing, text, strlen(text), &kernel, "kernel");
	EXPECT(listing.count == 3 && !ao_mca_write(&input, &listing, &at));
	ao_listing_release(&listing);
	ao_buf_release(&input);
}

int main(void)
{
	RUN(a_chain_of_additions_is_bound_by_latency);
	RUN(the_busiest_port_binds_throughput);
	RUN(too_many_instructions_bind_the_front_end);
	RUN(other_text_says_nothing);
	RUN(only_instructions_are_passed_on);
	RUN(a_loop_that_calls_is_not_looked_at);
	return tap_done();
}
