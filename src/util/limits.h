/* SPDX-License-Identifier: MIT */
/*
 * limits.h - the most we take of anything that comes from outside.
 *
 * Sizes from outside are capped, so they are never a question of memory.
 */
#ifndef AO_UTIL_LIMITS_H
#define AO_UTIL_LIMITS_H

enum {
	AO_MAX_KERNEL_BYTES = 1 << 20, /* generated kernels stay below 100 KB */
	AO_MAX_TASK_BYTES = 1 << 20,   /* a task.json */
	AO_MAX_RECORD_BYTES = 1 << 20, /* one record line of a note */
	AO_MAX_NOTE_BYTES = 16 << 20,  /* all records on one commit */
	AO_MAX_MESSAGE_BYTES = 256 << 10, /* a commit message */
	AO_MAX_LOG_BYTES = 16 << 10,   /* compiler or kernel output we keep */
	AO_MAX_RESULT_BYTES = 4 << 20, /* one bundle or result on a pipe */
	AO_MAX_JSON_DEPTH = 32,
	AO_MAX_JSON_BYTES = 16 << 20, /* any JSON text */
	AO_MAX_JSON_VALUES = 1 << 20, /* in it: some 100 bytes of memory each */
	AO_MAX_PLAN_BYTES = 64 << 10,
	AO_MAX_FILES = 64,     /* of a kernel */
	AO_MAX_TENSORS = 32,   /* of a task */
	AO_MAX_AXES = 32,      /* of a task */
	AO_MAX_RANK = 8,       /* of a tensor */
	AO_MAX_CASES = 64,     /* of a task */
	AO_MAX_REMARKS = 32,   /* of a result */
	AO_MAX_THREADS = 1024, /* of a task */
};

/* Bytes of one tensor, and of all tensors of a case together. */
#define AO_MAX_TENSOR_BYTES ((uint64_t)4 << 30)

#endif
