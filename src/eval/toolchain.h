/* SPDX-License-Identifier: MIT */
/*
 * toolchain.h - the C compilers of this machine, and how they are run.
 *
 * A compiler parses hostile text: it runs shut up, see cage.h, in the folder of
 * its source, with an environment of a few listed variables and limits on time,
 * memory and the size of what it writes.
 */
#ifndef AO_EVAL_TOOLCHAIN_H
#define AO_EVAL_TOOLCHAIN_H

#include "eval/isolation.h"
#include "util/process.h"
#include "util/strs.h"

/* All zero is empty. */
struct ao_compiler {
	char *program; /* absolute path */
	char *name;    /* "gcc 12.2.0", "clang 14.0.6" */
	bool is_clang;
	struct ao_strs parts; /* of it, that it has to see */
	size_t max_output; /* of a program that reads objects: what is kept of
			      what it prints; 0: a compiler, AO_MAX_LOG_BYTES */
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
 * A program that reads what compilers make, to be run as they are: at most
 * max_output bytes are kept of what it prints.  The caller releases *out.
 */
void ao_toolchain_reader(struct ao_compiler *out, const char *program,
			 size_t max_output);

/*
 * Write a file that a compiler, which may run as nobody, is able to read,
 * whatever our umask.
 */
AO_MUST_CHECK
struct ao_error *ao_toolchain_write(const char *path, const void *data,
				    size_t len);

/*
 * Run a compiler in `folder`, where its temporary files go too; nowhere else
 * can it write, and with "/" not there either.  How it ended is in *out, with
 * its messages, capped, in *out's output.
 */
AO_MUST_CHECK
struct ao_error *ao_toolchain_run(struct ao_process_end *out,
				  const struct ao_compiler *compiler,
				  const struct ao_strs *args,
				  const char *folder, uint32_t timeout_ms);

/*
 * Make sure that the sandbox of compilers stands, by a compiler that says its
 * version in it; see ao_cage_level() for which it is.
 */
AO_MUST_CHECK
struct ao_error *ao_toolchain_try(const struct ao_compiler *compiler);

/*
 * Whether a source of ours becomes an object in a folder under `folder`, shut
 * up in that way; AO_ISOLATION_COUNT: in the best one.
 */
bool ao_toolchain_works(const struct ao_compiler *compiler, const char *folder,
			enum ao_isolation isolation);

/*
 * The name of a compiler by the first line of its --version, as "gcc 12.2.0";
 * the caller frees it.  What is unknown becomes "cc" and the line's last word.
 */
char *ao_toolchain_name(const char *version_line, bool *is_clang_out);

#endif
