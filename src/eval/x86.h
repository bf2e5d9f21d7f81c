/* SPDX-License-Identifier: MIT */
/*
 * x86.h - where instructions of x86-64 end, and what little else must be known.
 *
 * Lengths are right for all that a processor executes in user mode: one, two
 * and three byte opcodes, 3DNow!, SSE4a, XOP, VEX, and EVEX as of AVX-512.
 * What this module does not know (APX, what comes after it) it says it does
 * not know.  Whether a processor would execute what it knows is not asked.
 */
#ifndef AO_EVAL_X86_H
#define AO_EVAL_X86_H

#include "util/base.h"

enum { AO_X86_MAX_LENGTH = 15 };

enum ao_x86_map {
	AO_X86_ONE_BYTE,
	AO_X86_TWO_BYTE, /* behind 0f */
	AO_X86_0F38,
	AO_X86_0F3A,
	AO_X86_VECTOR_0F, /* as the second, but by VEX or EVEX */
	AO_X86_OTHER,	  /* all others by VEX, EVEX and XOP */
};

struct ao_x86 {
	uint8_t length; /* bytes, 1..15 */
	uint8_t opcode; /* within the map */
	uint8_t modrm;	/* 0 without one */
	enum ao_x86_map map;
	bool has_modrm;
	bool has_memory;  /* an operand that ModRM says is in memory */
	bool has_segment; /* a prefix for fs or gs */
	bool has_16_bits; /* the prefix for operands of 16 bits, and no REX.W */
	bool is_absolute; /* the operand's address is `displacement` alone */
	bool is_rip;	  /* it is `displacement` behind the next instruction */
	bool is_branch;	  /* it goes `immediate` behind the next, or may */
	int32_t displacement;
	int64_t immediate; /* the last one; 0 without one */
};

/* Decode the first of `len` bytes.  Returns false if it is not known. */
bool ao_x86_decode(struct ao_x86 *out, const uint8_t *code, size_t len);

/* How far behind its first byte this points: a branch, or lea of code. */
bool ao_x86_points_to(int64_t *out, const struct ao_x86 *x86);

#endif
