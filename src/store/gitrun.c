/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <unistd.h>

#include "store/gitrun.h"
#include "util/text.h"

enum { MAX_ERROR_BYTES = 8 << 10 };

struct ao_error *ao_git_run(struct ao_process_end *out,
			    const struct ao_git_run *run)
{
	struct ao_process_end end = { 0 };
	struct ao_process_spec spec = {
		.env = run->env,
		.folder = run->folder,
		.input = run->input,
		.input_len = run->input_len,
		.max_output = AO_MAX_GIT_BYTES,
		.max_errors = MAX_ERROR_BYTES,
	};
	struct ao_strs argv = { 0 };
	struct ao_error *err;

	ao_strs_push(&argv, "git");
	/* libgit2 knows no replace refs: see the same objects. */
	ao_strs_push(&argv, "--no-replace-objects");
	if (run->no_hooks) {
		ao_strs_push(&argv, "-c");
		ao_strs_push(&argv, "core.hooksPath=/dev/null");
	}
	for (const char *const *arg = run->args; *arg; arg++)
		ao_strs_push(&argv, *arg);
	spec.argv = (const char *const *)argv.v;

	err = ao_process_run(&end, &spec);
	if (!err && end.output_len >= AO_MAX_GIT_BYTES)
		err = ao_error_new(AO_ELIMIT, "'git %s' printed too much",
				   run->args[0]);
	if (!err && end.signal)
		err = ao_error_new(AO_EIO, "'git %s' died of signal %d",
				   run->args[0], end.signal);
	if (err) {
		ao_process_end_release(&end);
		err = ao_error_wrap(err, "cannot ask git");
	} else {
		*out = end;
	}
	ao_strs_release(&argv);
	return err;
}

/* Whether a line of stderr tells what went wrong; returns what follows. */
static const char *after_label(const char *line)
{
	static const char *const labels[] = { "fatal: ", "error: " };

	for (size_t i = 0; i < AO_ARRAY_SIZE(labels); i++)
		if (ao_text_starts_with(line, labels[i]))
			return line + strlen(labels[i]);
	return NULL;
}

/*
 * Join the lines that git says it in: what follows a colon is on the next, and
 * what it hints at is for those who typed a git command.
 */
static void join_lines(struct ao_buf *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		size_t blank = strspn(text, " \t");

		if (ao_text_starts_with(text, "hint: "))
			break;
		if (blank < len) {
			if (out->len)
				ao_buf_addstr(out, out->ptr[out->len - 1] == ':'
							   ? " "
							   : "; ");
			ao_text_safe(out, text + blank, len - blank);
		}
		text += len + (text[len] == '\n');
	}
}

struct ao_error *ao_git_run_error(const struct ao_process_end *end,
				  enum ao_errcode code)
{
	const char *text = end->errors ? end->errors : "";
	struct ao_buf safe = AO_BUF_INIT(MAX_ERROR_BYTES);
	struct ao_error *err;

	/* Warnings may come first: begin where git says what failed. */
	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *said;

		line += *line == '\n';
		said = after_label(line);
		if (said) {
			text = said;
			break;
		}
	}
	join_lines(&safe, text);
	if (safe.len)
		err = ao_error_new(code, "git: %s", safe.ptr);
	else
		err = ao_error_new(code, "git ended with status %d",
				   end->status);
	ao_buf_release(&safe);
	return err;
}

struct ao_error *ao_git_run_ok(struct ao_process_end *out,
			       const struct ao_git_run *run)
{
	struct ao_process_end end;
	struct ao_error *err = ao_git_run(&end, run);

	if (err)
		return err;
	if (end.status)
		err = ao_git_run_error(&end, AO_EIO);
	if (!err && out)
		*out = end;
	else
		ao_process_end_release(&end);
	return err;
}

static bool is_dropped(const char *entry, const char *const *names)
{
	static const char *const always[] = { "LC_ALL", "LANGUAGE",
					      "GIT_OPTIONAL_LOCKS", NULL };
	size_t len = strcspn(entry, "=");

	for (size_t i = 0; always[i]; i++)
		if (strlen(always[i]) == len && !strncmp(entry, always[i], len))
			return true;
	for (size_t i = 0; names && names[i]; i++)
		if (strlen(names[i]) == len && !strncmp(entry, names[i], len))
			return true;
	return false;
}

void ao_git_run_env(struct ao_strs *out, const char *const *drop)
{
	for (char **entry = environ; *entry; entry++)
		if (!is_dropped(*entry, drop))
			ao_strs_push(out, *entry);
	ao_strs_push(out, "LC_ALL=C");
	ao_strs_push(out, "GIT_OPTIONAL_LOCKS=0");
}
