/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where the tensors of a call lie in the shared memory.
 *
 * Inputs and outputs lie in a file each, in whole pages, slot after slot.  A
 * slot holds one set of operands; a call uses any of them, so that addresses
 * do not tell calls apart.  A tensor ends less than 64 bytes before the end of
 * its pages, so that running over its end hits the page behind it, which a
 * worker leaves inaccessible.
 *
 * Plain data: it travels to the worker as it is.
 */
#ifndef AO_EVAL_LAYOUT_H
#define AO_EVAL_LAYOUT_H

#include "model/task.h"
#include "util/limits.h"

enum { AO_LAYOUT_MAX_SLOTS = 3 };

struct ao_place {
	uint64_t offset; /* of its pages from the start of the slot */
	uint64_t mapped; /* bytes of its pages */
	uint64_t start;	 /* of the tensor within its pages; 64-byte aligned */
	uint64_t bytes;	 /* of the tensor */
};

struct ao_layout {
	uint32_t slots;
	uint32_t input_count;
	uint32_t output_count;
	uint64_t input_slot_bytes; /* of the file of inputs, for each slot */
	uint64_t output_slot_bytes;
	struct ao_place inputs[AO_MAX_TENSORS];	 /* [input_count] */
	struct ao_place outputs[AO_MAX_TENSORS]; /* [output_count] */
};

/* As many slots as stay within 32 MB, at least one. */
void ao_layout_compute(struct ao_layout *out, const struct ao_task *task,
		       const struct ao_case *c);

/* Bytes of the two files. */
uint64_t ao_layout_input_bytes(const struct ao_layout *layout);
uint64_t ao_layout_output_bytes(const struct ao_layout *layout);

#endif
