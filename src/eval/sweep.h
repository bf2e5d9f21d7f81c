/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - look at every instruction of x86-64 that an object begins with
 * anywhere, as far as it says where.
 *
 * Bytes mean what a processor makes of them from where it begins: a constant
 * may hold a system call, for whoever jumps into it.  So instructions are read
 * one after the other from each place at which the object itself says that
 * code may begin: sections, symbols, what relocations and lea point to, and
 * where branches go, into the middle of others or not.  Where an instruction is
 * not known, from each byte behind it that may be the next.  What a constant
 * holds is no instruction as long as nothing points there.
 *
 * Not seen is where a jump goes that is computed while running; data in a
 * section of code are read as code.
 */
#ifndef AO_EVAL_SWEEP_H
#define AO_EVAL_SWEEP_H

#include "eval/x86_ban.h"

/* The bytes of a segment that is executed.  All zero has none. */
struct ao_sweep {
	const uint8_t *code; /* [size] borrowed */
	size_t size;
	uint64_t address; /* of the first byte, when loaded */
	uint8_t *marks;	  /* [size] */
	uint32_t *queue;  /* [count] offsets at which code may begin */
	size_t count;
	size_t alloc;
};

/* More code than any kernel has. */
enum { AO_SWEEP_MAX_BYTES = 16 << 20 };

/* Of at most AO_SWEEP_MAX_BYTES. */
void ao_sweep_init(struct ao_sweep *sweep, const void *code, size_t size,
		   uint64_t address);
void ao_sweep_release(struct ao_sweep *sweep);

/*
 * There is code at these addresses; elsewhere there are data, which are not
 * read.  Returns false if there was some already.
 */
bool ao_sweep_add_code(struct ao_sweep *sweep, uint64_t address, uint64_t size);

/* An instruction may begin here; ignored where there is no code. */
void ao_sweep_add_start(struct ao_sweep *sweep, uint64_t address);

/*
 * Read all.  Returns what stands behind the first instruction that is banned,
 * and its address in *address_out, or NULL.
 */
const struct ao_x86_ban *ao_sweep_run(uint64_t *address_out,
				      struct ao_sweep *sweep, bool has_tls);

#endif
