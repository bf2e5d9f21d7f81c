/* SPDX-License-Identifier: MIT */
/*
 * listing.h - the instructions of an object, as objdump prints them.
 *
 * For x86-64, in the syntax of AT&T.  The text is that of a program that was
 * fed hostile bytes: what is not understood is passed over.
 */
#ifndef AO_EVAL_LISTING_H
#define AO_EVAL_LISTING_H

#include "model/kernel.h"

enum {
	AO_MAX_LISTING_BYTES = 8 << 20, /* what is more is not looked at */
	AO_MAX_INSTRUCTIONS = 1 << 17,
};

struct ao_instruction {
	uint64_t address;
	uint64_t target;  /* of a jump; 0: none, or not known */
	const char *text; /* "vaddss (%rax),%xmm0,%xmm1", [len] */
	uint32_t len;
	uint32_t function; /* number of, from 0 */
	uint32_t line;	   /* 0: not of a file of the kernel */
	uint32_t file;	   /* of the kernel, if there is a line */
};

/* All zero is empty. */
struct ao_listing {
	char *text;			     /* owns the texts */
	struct ao_instruction *instructions; /* [count] as listed */
	size_t count;
	size_t alloc;
	bool has_entry;
	uint64_t entry; /* address of the function that was asked for */
};

/*
 * Read a listing of `objdump -d -l --no-show-raw-insn`.  Lines are those of
 * files of `kernel`, and `entry` is a name of a function.
 */
void ao_listing_parse(struct ao_listing *out, const char *text, size_t len,
		      const struct ao_kernel *kernel, const char *entry);
void ao_listing_release(struct ao_listing *listing);

/* The number of the instruction at an address, or `count`. */
size_t ao_listing_find(const struct ao_listing *listing, uint64_t address);

/* Its text behind prefixes: "jne ..." of "notrack jne ...". */
const char *ao_instruction_name(const struct ao_instruction *instruction);
bool ao_instruction_is_jump(const struct ao_instruction *instruction);
bool ao_instruction_is_call(const struct ao_instruction *instruction);

#endif
