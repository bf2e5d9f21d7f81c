/* SPDX-License-Identifier: MIT */
/*
 * mix.h - what kinds of instructions there are, of x86-64 in the syntax of
 * AT&T.
 */
#ifndef AO_EVAL_MIX_H
#define AO_EVAL_MIX_H

#include "eval/listing.h"
#include "model/hotloop.h"

/* Add an instruction to those of a step. */
void ao_mix_count(struct ao_hotloop *loop,
		  const struct ao_instruction *instruction);

#endif
