/* SPDX-License-Identifier: MIT */
/*
 * arena.h - the memory that judge and workers share: operands of calls.
 *
 * Two files without a name.  The one of inputs is sealed: we write to it
 * through the mapping we had before, and nobody else ever can.  See layout.h.
 */
#ifndef AO_EVAL_ARENA_H
#define AO_EVAL_ARENA_H

#include "eval/check.h"
#include "eval/layout.h"
#include "util/error.h"
#include "util/rng.h"

/* All zero is empty. */
struct ao_arena {
	struct ao_layout layout;
	int input_fd;
	int output_fd;
	char *inputs;	/* mapping of the whole file */
	char *outputs;	/* the same */
	bool is_sealed; /* the kernel keeps workers from writing inputs */

	/* Of each output: bits of the elements it was last poisoned with. */
	uint64_t poison[AO_MAX_TENSORS];
};

/* AO_EIO if the memory is not to be had.  Release with ao_arena_release(). */
AO_MUST_CHECK
struct ao_error *ao_arena_init(struct ao_arena *out, const struct ao_task *task,
			       const struct ao_case *c);
void ao_arena_release(struct ao_arena *arena);

/* Where a tensor of a slot lies. */
char *ao_arena_input(const struct ao_arena *arena, size_t slot, size_t input);
const char *ao_arena_output(const struct ao_arena *arena, size_t slot,
			    size_t output);

/* Fill the outputs of a slot, to the ends of their pages, with new poison. */
void ao_arena_poison(struct ao_arena *arena, const struct ao_task *task,
		     size_t slot, struct ao_rng *rng);

/* Whether what lies before and behind an output is still the poison. */
bool ao_arena_margins_are_intact(const struct ao_arena *arena,
				 const struct ao_task *task, size_t slot,
				 size_t output);

#endif
