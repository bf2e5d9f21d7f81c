/* SPDX-License-Identifier: MIT */
/*
 * mca.h - what llvm-mca says of a loop: how many cycles a step takes, and what
 * it waits for.
 *
 * Its model is that of the processor it runs on, as far as it knows that, with
 * all data in the nearest cache, and of one way through the loop.
 */
#ifndef AO_EVAL_MCA_H
#define AO_EVAL_MCA_H

#include "eval/hotspot.h"
#include "util/strs.h"

/* Loops of more instructions are not looked at, nor text beyond that. */
enum { AO_MCA_MAX_INSTRUCTIONS = 512, AO_MCA_MAX_BYTES = 1 << 20 };

/*
 * The path of the llvm-mca of the clang that is installed, else of any in PATH;
 * NULL: there is none.  The caller frees it.
 */
char *ao_mca_find(void);

/* Push the arguments that make it print what is read here. */
void ao_mca_add_args(struct ao_strs *args);

/*
 * Append the loop as it takes it.  Returns false if there is nothing to say of
 * it: it is too long, or it calls what is not known.
 */
bool ao_mca_write(struct ao_buf *out, const struct ao_listing *listing,
		  const struct ao_hotspot *at);

/*
 * Fill in cycles and what binds, from what it prints.  Returns false, with
 * nothing filled in, if that is not there.
 */
bool ao_mca_read(struct ao_hotloop *out, const char *text, size_t len);

#endif
