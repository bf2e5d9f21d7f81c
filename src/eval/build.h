/* SPDX-License-Identifier: MIT */
/*
 * build.h - from a kernel's source to a shared object, for one case.
 *
 * Axes and scalars are macros (-DM=512), or size_t parameters in a generic
 * task.  Flags that a kernel asks for stand in its first comment, behind
 * "cflags:", and must be on the allow-list; compiler=clang or compiler=gcc
 * chooses the compiler.
 */
#ifndef AO_EVAL_BUILD_H
#define AO_EVAL_BUILD_H

#include "model/kernel.h"
#include "model/result.h"
#include "model/task.h"

/* All zero is empty. */
struct ao_build {
	enum ao_verdict verdict; /* PASSED: there is an object */
	char *detail;		 /* why not, one line */
	char *folder;		 /* made for it; NULL: none was needed */
	char *object;		 /* path of the shared object in there */
	char *log;		 /* compiler's output, capped; may be NULL */
	char *flags;		 /* compiler and flags used, for records */
	uint64_t cpu_ns;	 /* that the compiler took */
};

/*
 * Build `kernel` in a new folder under `folder`.  The files are the caller's,
 * who removes them when it likes.  What the candidate did wrong is a verdict;
 * an error means that we could not (no compiler, full disk).
 */
AO_MUST_CHECK
struct ao_error *ao_build_kernel(struct ao_build *out, const char *folder,
				 const struct ao_task *task,
				 const struct ao_case *c,
				 const struct ao_kernel *kernel,
				 uint32_t timeout_ms);
void ao_build_release(struct ao_build *build);

/*
 * The same with a flag behind all others, for tools that look into the object:
 * "-g1" for line numbers.  Kernels are not timed with those: two whose machine
 * code is the same would differ.
 */
AO_MUST_CHECK
struct ao_error *ao_build_with(struct ao_build *out, const char *folder,
			       const struct ao_task *task,
			       const struct ao_case *c,
			       const struct ao_kernel *kernel, const char *flag,
			       uint32_t timeout_ms);

/*
 * Push the files of the libraries that a trusted kernel is linked with, to know
 * of them before anything is built.  AO_ENOTFOUND says what to install.
 */
AO_MUST_CHECK
struct ao_error *ao_build_find_libraries(struct ao_strs *out,
					 const struct ao_kernel *kernel);

/* What clang says about loops that it could not vectorise. */
struct ao_remarks {
	struct ao_remark *items; /* [count] by file and line */
	size_t count;		 /* at most AO_MAX_REMARKS */
	uint64_t cpu_ns;
};

/*
 * Compile once more for remarks.  None, and no error, if clang is not
 * installed or does not take the kernel.
 */
AO_MUST_CHECK
struct ao_error *ao_build_remarks(struct ao_remarks *out, const char *folder,
				  const struct ao_task *task,
				  const struct ao_case *c,
				  const struct ao_kernel *kernel,
				  uint32_t timeout_ms);
void ao_remarks_release(struct ao_remarks *remarks);

#endif
