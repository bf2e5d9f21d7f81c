/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/x86_ban.h"

#define SYSTEM "calls the system, which a kernel may not; leave it out"
#define CLOCK                                                               \
	"reads a clock or counter, which a kernel may not, as it is timed " \
	"from outside; leave it out"
#define PROCESSOR                                                              \
	"asks what the processor is able to do; kernels are compiled for the " \
	"processor that they run on, so ask by #ifdef __AVX2__ and its like"
#define ROUNDING                                                          \
	"may set how numbers are rounded and denormals treated, which a " \
	"kernel may not; leave it out"
#define THREAD                                                             \
	"reaches what belongs to the thread, which a kernel may not; use " \
	"_Thread_local variables as the compiler makes them"
#define MODE                                                               \
	"changes segments or leaves 64-bit code, which a kernel may not; " \
	"leave it out"
#define UNCLEAR \
	"goes elsewhere on one processor than on another; leave the prefix out"

enum operand { ANY, MEMORY, REGISTER };

/* An opcode, and the bits of ModRM that are part of it. */
static const struct rule {
	enum ao_x86_map map;
	uint8_t opcode;
	uint8_t mask;
	uint8_t modrm;
	enum operand operand;
	struct ao_x86_ban ban;
} rules[] = {
	{ AO_X86_TWO_BYTE, 0x05, 0, 0, ANY, { "syscall", SYSTEM } },
	{ AO_X86_TWO_BYTE, 0x34, 0, 0, ANY, { "sysenter", SYSTEM } },
	{ AO_X86_ONE_BYTE, 0xcd, 0, 0, ANY, { "int", SYSTEM } },
	{ AO_X86_TWO_BYTE, 0x01, 0xff, 0xc1, ANY, { "vmcall", SYSTEM } },
	{ AO_X86_TWO_BYTE, 0x01, 0xff, 0xd9, ANY, { "vmmcall", SYSTEM } },
	{ AO_X86_TWO_BYTE, 0x31, 0, 0, ANY, { "rdtsc", CLOCK } },
	{ AO_X86_TWO_BYTE, 0x33, 0, 0, ANY, { "rdpmc", CLOCK } },
	{ AO_X86_TWO_BYTE, 0x01, 0xff, 0xf9, ANY, { "rdtscp", CLOCK } },
	{ AO_X86_TWO_BYTE, 0x01, 0xff, 0xfd, ANY, { "rdpru", CLOCK } },
	{ AO_X86_TWO_BYTE, 0xa2, 0, 0, ANY, { "cpuid", PROCESSOR } },
	{ AO_X86_TWO_BYTE, 0x01, 0xff, 0xd0, ANY, { "xgetbv", PROCESSOR } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x10, MEMORY, { "ldmxcsr", ROUNDING } },
	{ AO_X86_VECTOR_0F,
	  0xae,
	  0x38,
	  0x10,
	  MEMORY,
	  { "vldmxcsr", ROUNDING } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x08, MEMORY, { "fxrstor", ROUNDING } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x28, MEMORY, { "xrstor", ROUNDING } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x00, REGISTER, { "rdfsbase", THREAD } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x08, REGISTER, { "rdgsbase", THREAD } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x10, REGISTER, { "wrfsbase", THREAD } },
	{ AO_X86_TWO_BYTE, 0xae, 0x38, 0x18, REGISTER, { "wrgsbase", THREAD } },
	{ AO_X86_ONE_BYTE, 0xca, 0, 0, ANY, { "far ret", MODE } },
	{ AO_X86_ONE_BYTE, 0xcb, 0, 0, ANY, { "far ret", MODE } },
	{ AO_X86_ONE_BYTE, 0xcf, 0, 0, ANY, { "iret", MODE } },
	{ AO_X86_ONE_BYTE, 0xff, 0x38, 0x18, MEMORY, { "far call", MODE } },
	{ AO_X86_ONE_BYTE, 0xff, 0x38, 0x28, MEMORY, { "far jmp", MODE } },
	{ AO_X86_ONE_BYTE,
	  0x8e,
	  0,
	  0,
	  ANY,
	  { "mov to a segment register", MODE } },
	{ AO_X86_TWO_BYTE, 0xb2, 0, 0, ANY, { "lss", MODE } },
	{ AO_X86_TWO_BYTE, 0xb4, 0, 0, ANY, { "lfs", MODE } },
	{ AO_X86_TWO_BYTE, 0xb5, 0, 0, ANY, { "lgs", MODE } },
	{ AO_X86_TWO_BYTE, 0xa1, 0, 0, ANY, { "pop fs", MODE } },
	{ AO_X86_TWO_BYTE, 0xa9, 0, 0, ANY, { "pop gs", MODE } },
};

static bool matches(const struct rule *rule, const struct ao_x86 *x86)
{
	return rule->map == x86->map && rule->opcode == x86->opcode &&
	       (x86->modrm & rule->mask) == rule->modrm &&
	       (rule->operand == ANY ||
		(rule->operand == MEMORY) == x86->has_memory);
}

/* String instructions, xlat, and mov by an address in the instruction. */
static bool has_implied_memory(const struct ao_x86 *x86)
{
	return x86->map == AO_X86_ONE_BYTE &&
	       ((x86->opcode >= 0xa0 && x86->opcode <= 0xa7) ||
		(x86->opcode >= 0xaa && x86->opcode <= 0xaf) ||
		(x86->opcode >= 0x6c && x86->opcode <= 0x6f) ||
		x86->opcode == 0xd7);
}

/* mov, sub, xor, cmp and add of a register and what is at an address. */
static bool only_reads(const struct ao_x86 *x86)
{
	static const uint8_t opcodes[] = { 0x8b, 0x2b, 0x33, 0x39, 0x3b, 0x03 };

	return x86->map == AO_X86_ONE_BYTE &&
	       memchr(opcodes, x86->opcode, sizeof(opcodes));
}

/*
 * At fs:0x28 is the stack protector's value, at fs:0 the thread's address.  No
 * other place has a use that a compiler makes by itself, in an object that is
 * loaded by dlopen().
 */
static bool is_compilers(const struct ao_x86 *x86, bool has_tls)
{
	return x86->is_absolute && only_reads(x86) &&
	       (x86->displacement == 0x28 ||
		(x86->displacement == 0 && has_tls));
}

const struct ao_x86_ban *ao_x86_banned(const struct ao_x86 *x86, bool has_tls)
{
	static const struct ao_x86_ban segment = { "access by fs or gs",
						   THREAD };
	static const struct ao_x86_ban unclear = { "branch with a prefix of "
						   "16 bits",
						   UNCLEAR };

	for (size_t i = 0; i < AO_ARRAY_SIZE(rules); i++)
		if (matches(&rules[i], x86))
			return &rules[i].ban;
	if (x86->is_branch && x86->has_16_bits)
		return &unclear;
	if (x86->has_segment && (x86->has_memory || has_implied_memory(x86)) &&
	    !is_compilers(x86, has_tls))
		return &segment;
	return NULL;
}
