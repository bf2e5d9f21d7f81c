/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <stdarg.h>

#include "util/error.h"

struct ao_error {
	enum ao_errcode code;
	const char *file;
	int line;
	struct ao_error *cause;
	char msg[];
};

AO_PRINTF(5, 0)
static struct ao_error *make(const char *file, int line, enum ao_errcode code,
			     struct ao_error *cause, const char *fmt,
			     va_list ap)
{
	struct ao_error *err;
	va_list copy;
	int len;

	va_copy(copy, ap);
	len = vsnprintf(NULL, 0, fmt, copy);
	va_end(copy);

	err = ao_xmalloc(sizeof(*err) + (size_t)len + 1);
	err->code = code;
	err->file = file;
	err->line = line;
	err->cause = cause;
	vsnprintf(err->msg, (size_t)len + 1, fmt, ap);
	return err;
}

struct ao_error *ao_error_new_at(const char *file, int line,
				 enum ao_errcode code, const char *fmt, ...)
{
	struct ao_error *err;
	va_list ap;

	va_start(ap, fmt);
	err = make(file, line, code, NULL, fmt, ap);
	va_end(ap);
	return err;
}

struct ao_error *ao_error_errno_at(const char *file, int line, const char *fmt,
				   ...)
{
	int saved = errno;
	enum ao_errcode code = AO_EIO;
	struct ao_error *err;
	va_list ap;
	char *text;

	if (saved == ENOENT || saved == ENOTDIR)
		code = AO_ENOTFOUND;
	va_start(ap, fmt);
	text = ao_xvstrf(fmt, ap);
	va_end(ap);
	err = ao_error_new_at(file, line, code, "%s: %s", text,
			      strerror(saved));
	free(text);
	return err;
}

struct ao_error *ao_error_wrap_at(const char *file, int line,
				  struct ao_error *cause, const char *fmt, ...)
{
	struct ao_error *err;
	va_list ap;

	va_start(ap, fmt);
	err = make(file, line, cause->code, cause, fmt, ap);
	va_end(ap);
	return err;
}

enum ao_errcode ao_error_code(const struct ao_error *err)
{
	return err ? err->code : AO_OK;
}

const char *ao_error_message(const struct ao_error *err)
{
	return err->msg;
}

const struct ao_error *ao_error_cause(const struct ao_error *err)
{
	return err->cause;
}

void ao_error_print(FILE *out, const struct ao_error *err, bool where)
{
	const char *label = "fatal";

	for (; err; err = err->cause) {
		if (where)
			fprintf(out, "%s: %s (%s:%d)\n", label, err->msg,
				err->file, err->line);
		else
			fprintf(out, "%s: %s\n", label, err->msg);
		label = "  caused by";
	}
}

void ao_error_free(struct ao_error *err)
{
	while (err) {
		struct ao_error *cause = err->cause;

		free(err);
		err = cause;
	}
}
