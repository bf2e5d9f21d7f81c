/* SPDX-License-Identifier: MIT */
/*
 * compile.h - the steps that kernels and references share on the way to an
 * object: files, arguments, and what a compiler's messages mean.
 */
#ifndef AO_EVAL_COMPILE_H
#define AO_EVAL_COMPILE_H

#include "eval/flags.h"
#include "eval/toolchain.h"
#include "model/kernel.h"
#include "model/task.h"

/* A compilation under way.  All zero is empty. */
struct ao_compile {
	struct ao_compiler compiler;
	char *folder;	     /* of the source files; messages do not name it */
	uint32_t timeout_ms; /* for each run of the compiler */
	char *log;	     /* what it said, capped and printable */
	char *failure;	     /* why it failed, one line; NULL: it did not */
	bool is_banned;	     /* as the source reads what it may not */
	uint64_t cpu_ns;     /* so far */
	bool with_openmp;    /* link with its library */
};

/* A new folder under `under`, removed by whoever made that. */
AO_MUST_CHECK
struct ao_error *ao_compile_make_folder(struct ao_compile *compile,
					const char *under);

/* Write the kernel's files there.  AO_EINVALID if a path would leave it. */
AO_MUST_CHECK
struct ao_error *ao_compile_write(const struct ao_compile *compile,
				  const struct ao_kernel *kernel);

/*
 * Push the files of the libraries that the kernel is linked with, links
 * followed: "/usr/lib/.../libopenblasp-r0.3.21.so".  AO_ENOTFOUND says what to
 * install.
 */
AO_MUST_CHECK
struct ao_error *ao_compile_find_libraries(struct ao_strs *out,
					   const struct ao_compile *compile,
					   const struct ao_kernel *kernel);

/* Optimisation and dialect, before anything that a kernel asks for. */
void ao_compile_add_base(struct ao_strs *args);

/* -D for each axis and scalar of a case. */
void ao_compile_add_macros(struct ao_strs *args, const struct ao_task *task,
			   const struct ao_case *c);

/*
 * Run the compiler once.  `failure` is set if it fails; an error means that
 * this is not the source's fault.
 */
AO_MUST_CHECK
struct ao_error *ao_compile_run(struct ao_compile *compile,
				const struct ao_strs *args);

/*
 * Compile the .c files of `kernel` with `args` and link them into
 * folder/kernel.so, whose path is *object_out.  It exports `entry` alone.
 * Where nothing keeps files of this machine from compilers, they are asked
 * which they read; if it is one that they may not, `is_banned` is set, and what
 * they say of it is dropped.
 */
AO_MUST_CHECK
struct ao_error *ao_compile_object(char **object_out,
				   struct ao_compile *compile,
				   const struct ao_strs *args,
				   const struct ao_kernel *kernel,
				   const char *entry);

void ao_compile_release(struct ao_compile *compile);

#endif
