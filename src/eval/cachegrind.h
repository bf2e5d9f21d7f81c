/* SPDX-License-Identifier: MIT */
/*
 * cachegrind.h - a call of a kernel, counted by valgrind's cachegrind: every
 * instruction, and the misses of caches that are the same on all machines.
 *
 * The kernel is built anew, for no more than valgrind knows (x86-64-v3: no
 * AVX-512), with a program around it that reads the operands from a file.  It
 * runs where compilers run, see toolchain.h, and not in a worker, as valgrind
 * needs files; where that keeps no files from it, it is not run.  Equal kernels
 * get equal numbers.
 */
#ifndef AO_EVAL_CACHEGRIND_H
#define AO_EVAL_CACHEGRIND_H

#include "model/counts.h"
#include "model/kernel.h"
#include "model/task.h"

/* What kernels are built for. */
#ifdef __x86_64__
#define AO_CACHEGRIND_MARCH "-march=x86-64-v3"
#else
#define AO_CACHEGRIND_MARCH NULL
#endif

/*
 * Count one call on a case's inputs, which are the same each time.  What keeps
 * it from being counted is in *out, too; an error means that we could not find
 * out.  The caller releases *out with ao_counts_release().
 */
AO_MUST_CHECK
struct ao_error *ao_cachegrind_count(struct ao_counts *out, const char *folder,
				     const struct ao_task *task,
				     const struct ao_case *c,
				     const struct ao_kernel *kernel,
				     uint32_t timeout_ms);

/* Push the arguments that say what to count, and how. */
void ao_cachegrind_add_args(struct ao_strs *args);

/*
 * Read the totals of what cachegrind writes.  Returns false, with *out as it
 * was, if they are not all there.
 */
bool ao_cachegrind_read(struct ao_counts *out, const char *text, size_t len);

#endif
