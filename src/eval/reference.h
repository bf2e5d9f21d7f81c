/* SPDX-License-Identifier: MIT */
/*
 * reference.h - build a task's reference and run it in a process of its own.
 *
 * The reference file defines
 *
 *     void reference(inputs..., outputs...);
 *
 * with inputs as the kernel gets them, but all outputs are double; a generic
 * task's axes come first, as size_t.  Axes and scalars are macros as for
 * kernels.  It is the task author's, so trusted to mean well, but not to end
 * or to stay within its buffers.
 */
#ifndef AO_EVAL_REFERENCE_H
#define AO_EVAL_REFERENCE_H

#include "model/task.h"

/* All zero is empty. */
struct ao_reference {
	char *folder;	 /* made for it */
	char *object;	 /* path of the shared object in there */
	uint64_t cpu_ns; /* that the compiler took */
};

/*
 * Build it in a new folder under `folder`.  The files are the caller's, who
 * removes them when it likes.  AO_EINVALID with the compiler's words if it does
 * not compile.
 */
AO_MUST_CHECK
struct ao_error *ao_reference_build(struct ao_reference *out,
				    const char *folder,
				    const struct ao_task *task,
				    const struct ao_case *c);
void ao_reference_release(struct ao_reference *reference);

/*
 * Call it once for each set of buffers.
 *
 * buffers  [sets][width] inputs, then outputs; the outputs in memory that a
 *          child process shares
 *
 * AO_EINVALID if it crashes, AO_ELIMIT if all calls together take longer than
 * `timeout_ms`.
 */
AO_MUST_CHECK
struct ao_error *ao_reference_run(uint64_t *cpu_ns_out, const char *object,
				  void *const *buffers, size_t sets,
				  size_t width, uint32_t timeout_ms);

#endif
