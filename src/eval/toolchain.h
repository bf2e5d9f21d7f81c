/* SPDX-License-Identifier: MIT */
/*
 * toolchain.h - the C compilers of this machine, and how they are run.
 *
 * A compiler parses hostile text: it runs in a process of its own, in the
 * folder of its source, with an environment of a few listed variables and
 * limits on time, memory and the size of what it writes.
 */
#ifndef AO_EVAL_TOOLCHAIN_H
#define AO_EVAL_TOOLCHAIN_H

#include "util/process.h"
#include "util/strs.h"

/* All zero is empty. */
struct ao_compiler {
	char *program; /* absolute path */
	char *name;    /* "gcc 12.2.0", "clang 14.0.6" */
	bool is_clang;
};

/*
 * The compiler of that name ("gcc", "clang"), or with NULL the default: the
 * first of cc, gcc and clang in PATH.  AO_ENOTFOUND says what to install.
 * The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_toolchain_find(struct ao_compiler *out, const char *name);
void ao_compiler_release(struct ao_compiler *compiler);

/*
 * Run a compiler in `folder`, where its temporary files go too.  How it ended
 * is in *out, with its messages, capped, in *out's output.
 */
AO_MUST_CHECK
struct ao_error *ao_toolchain_run(struct ao_process_end *out,
				  const struct ao_compiler *compiler,
				  const struct ao_strs *args,
				  const char *folder, uint32_t timeout_ms);

/*
 * The name of a compiler by the first line of its --version, as "gcc 12.2.0";
 * the caller frees it.  What is unknown becomes "cc" and the line's last word.
 */
char *ao_toolchain_name(const char *version_line, bool *is_clang_out);

#endif
