/* SPDX-License-Identifier: MIT */
/*
 * flags.h - the compiler flags that a kernel asks for, and may.
 *
 * They stand in its first comment, up to the end of their line:
 *
 *     // cflags: -fno-math-errno -mprefer-vector-width=512
 *     // cflags: compiler=clang -mllvm -polly
 */
#ifndef AO_EVAL_FLAGS_H
#define AO_EVAL_FLAGS_H

#include "util/strs.h"

enum ao_flags_compiler {
	AO_FLAGS_ANY_COMPILER,
	AO_FLAGS_GCC,
	AO_FLAGS_CLANG,
};

/* All zero is empty. */
struct ao_flags {
	struct ao_strs words; /* as a compiler takes them */
	enum ao_flags_compiler compiler;
};

/*
 * Read the flags in the first comment of `source`; comments that follow it
 * with no code between belong to it.  Returns NULL, or one line that names the
 * flag that is not allowed, which the caller frees; *out is then untouched.
 */
AO_MUST_CHECK
char *ao_flags_read(struct ao_flags *out, const char *source, size_t len,
		    bool allows_threads);

/*
 * Whether a kernel may ask for this flag, by itself; some are only for tasks
 * that allow threads.  Returns NULL, or why not,
 * which the caller frees.
 */
AO_MUST_CHECK
char *ao_flags_check(const char *flag, bool allows_threads);

/* Whether what these flags make is to be linked with OpenMP's library. */
bool ao_flags_want_openmp(const struct ao_flags *flags);

void ao_flags_release(struct ao_flags *flags);

#endif
