/* SPDX-License-Identifier: MIT */
/*
 * error.h - errors that carry their causes.
 *
 * A function that can fail returns `struct ao_error *`: NULL on success, else
 * an error that the caller now owns.  The owner does exactly one of these:
 *
 *   - returns it, usually wrapped:   return ao_error_wrap(err, "...");
 *   - handles it:                    inspect ao_error_code(), ao_error_free()
 *   - prints it, in src/cli/ only:   ao_error_print(), ao_error_free()
 *
 * Everywhere: on error the outputs of a function are untouched.
 */
#ifndef AO_UTIL_ERROR_H
#define AO_UTIL_ERROR_H

#include "util/base.h"

/* What the caller can do about it; the text says what happened. */
enum ao_errcode {
	AO_OK = 0,
	AO_EUSAGE,    /* the command line or config is wrong */
	AO_ENOTFOUND, /* no such ref, object, file or task */
	AO_ECONFLICT, /* a ref moved under us; read again and retry */
	AO_EINVALID,  /* data from outside does not parse */
	AO_ELIMIT,    /* a size, token, cost or time limit was reached */
	AO_EIO,	      /* a system call or library call failed */
	AO_ETRUST,    /* a signature is missing or does not verify */
	AO_ECANCELED, /* the user interrupted */
};

struct ao_error;

#define ao_error_new(code, ...) \
	ao_error_is(ao_error_new_at(__FILE__, __LINE__, code, __VA_ARGS__))
#define ao_error_errno(...) \
	ao_error_is(ao_error_errno_at(__FILE__, __LINE__, __VA_ARGS__))
#define ao_error_wrap(cause, ...) \
	ao_error_is(ao_error_wrap_at(__FILE__, __LINE__, cause, __VA_ARGS__))

/* Tells compilers and analysers what a returns_nonnull does not tell them. */
AO_MUST_CHECK
static inline struct ao_error *ao_error_is(struct ao_error *err)
{
	if (!err)
		__builtin_unreachable();
	return err;
}

/* Make a root cause.  `fmt` is one line: lower case, no full stop. */
AO_MUST_CHECK AO_PRINTF(4, 5)
struct ao_error *ao_error_new_at(const char *file, int line,
				 enum ao_errcode code, const char *fmt, ...);

/*
 * Make a root cause from errno: `fmt` and then ": " and its text.  The code is
 * AO_ENOTFOUND for ENOENT and ENOTDIR, else AO_EIO.
 */
AO_MUST_CHECK AO_PRINTF(3, 4)
struct ao_error *ao_error_errno_at(const char *file, int line, const char *fmt,
				   ...);

/* Add what we were doing on top of `cause`, which is taken over. */
AO_MUST_CHECK AO_PRINTF(4, 5)
struct ao_error *ao_error_wrap_at(const char *file, int line,
				  struct ao_error *cause, const char *fmt, ...);

/* The code of the root cause; AO_OK for NULL. */
enum ao_errcode ao_error_code(const struct ao_error *err);

/* The text of the outermost error.  Borrowed from `err`. */
const char *ao_error_message(const struct ao_error *err);

/* What caused `err`, or NULL.  Borrowed from `err`. */
const struct ao_error *ao_error_cause(const struct ao_error *err);

/* Print the chain, outermost first.  `where` adds file:line to each line. */
void ao_error_print(FILE *out, const struct ao_error *err, bool where);

/* Free the whole chain; NULL is fine. */
void ao_error_free(struct ao_error *err);

#endif
