/* SPDX-License-Identifier: MIT */
/*
 * order.h - what judge and warden say to each other.
 *
 * Over a socket that keeps messages apart.  The judge sends one ao_order and
 * hears whether the sandbox stands; then an ao_worker_shift for each worker,
 * for which it hears "started" from the worker itself, while that holds no
 * candidate code yet, and "ended" from the warden, which also tells when a
 * worker that may have threads has been stopped.
 */
#ifndef AO_EVAL_ORDER_H
#define AO_EVAL_ORDER_H

#include <sched.h>

#include "eval/layout.h"
#include "eval/sandbox.h"

/* Descriptors of a warden, and what a worker has of them until it loads. */
enum {
	AO_ORDER_FIRST_FD = 3,
	AO_ORDER_SOCKET = AO_ORDER_FIRST_FD,
	AO_ORDER_INPUTS,
	AO_ORDER_OUTPUTS,
	AO_ORDER_CONTROL,
	AO_ORDER_OBJECT,
	AO_ORDER_END_FD,
};

enum { AO_ORDER_ENTRY_SIZE = 128, AO_ORDER_TEXT_SIZE = 128 };

struct ao_order {
	uint32_t isolation; /* enum ao_isolation */
	bool has_object;    /* else only the sandbox is tried */
	struct ao_layout layout;
	uint64_t memory_bytes;		 /* for a worker, beside its tensors */
	char entry[AO_ORDER_ENTRY_SIZE]; /* the function to call */
	uint32_t axis_count;		 /* arguments before the tensors */
	uint64_t axes[AO_MAX_AXES];
	uint32_t libraries; /* of a trusted object, bits of library.h */
	/*
	 * Where workers may make threads: as many that work, and the CPUs for
	 * them; and how many there may be.  0: they may not.
	 */
	uint32_t threads;
	uint32_t most_threads;
	cpu_set_t cpus;
	/*
	 * Look where the kernel is so often, and call it until that has been
	 * seen often enough; 0: do not.
	 */
	uint32_t sample_us;
};

/*
 * All workers are copies of the warden, so their addresses would be the same:
 * what is lucky or unlucky in those would be so in each sample.  Hence each is
 * moved by another amount, and luck is part of the noise.
 */
struct ao_worker_shift {
	uint32_t pages;	 /* of its mappings */
	uint32_t frames; /* of its stack, some 100 bytes each */
};
enum { AO_SHIFT_MAX_PAGES = 4096, AO_SHIFT_MAX_FRAMES = 64 };

enum ao_reply_kind {
	AO_REPLY_READY,
	AO_REPLY_REFUSED, /* no such sandbox here */
	AO_REPLY_STARTED,
	AO_REPLY_STOPPED, /* the last of its threads, by a signal of ours */
	AO_REPLY_ENDED,
};

struct ao_reply {
	uint32_t kind;
	bool has_seccomp;	       /* READY */
	int32_t error;		       /* REFUSED: errno */
	char text[AO_ORDER_TEXT_SIZE]; /* REFUSED: what could not be done */
	int32_t status;		       /* ENDED: as waitpid() has it */
	uint64_t cpu_ns;	       /* ENDED: that it used */
};

#endif
