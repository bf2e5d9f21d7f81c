/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "eval/gate.h"
#include "eval/scan.h"
#include "util/text.h"

/* Where we are; for messages. */
struct place {
	const struct ao_task *task;
	const char *file;
	struct ao_scan *scan;
};

AO_PRINTF(3, 4)
static char *refuse(const struct place *place, uint32_t line, const char *fmt,
		    ...)
{
	struct ao_buf text = AO_BUF_INIT(1024);
	va_list ap;
	char *what;

	va_start(ap, fmt);
	what = ao_xvstrf(fmt, ap);
	va_end(ap);
	ao_buf_addf(&text, "%s:%" PRIu32 ": ", place->file, line);
	ao_text_safe_line(&text, what, strlen(what));
	free(what);
	return ao_buf_take(&text);
}

static bool token_names(const struct ao_scan_token *token, const char *name)
{
	return token->kind == AO_SCAN_NAME && ao_scan_is(token, name);
}

/* "axis" or "scalar" if the builder defines this name, else NULL. */
static const char *builders_name(const struct ao_task *task,
				 const struct ao_scan_token *token)
{
	/* In a generic task the axes are parameters, which may be renamed. */
	for (size_t i = 0; i < task->axis_count && !task->is_generic; i++) {
		if (token_names(token, task->axes[i].name))
			return "axis";
	}
	for (size_t i = 0; i < task->scalar_count; i++) {
		if (token_names(token, task->scalars[i].name))
			return "scalar";
	}
	return NULL;
}

/* The next token that is not a comment. */
static struct ao_scan_token next_code(struct ao_scan *scan)
{
	struct ao_scan_token token;

	do {
		token = ao_scan_next(scan);
	} while (token.kind == AO_SCAN_COMMENT);
	return token;
}

/* The same, but the end of the line stays to be read. */
static struct ao_scan_token next_in_line(struct ao_scan *scan)
{
	struct ao_scan before = *scan;
	struct ao_scan_token token = next_code(scan);

	if (token.kind == AO_SCAN_NEWLINE)
		*scan = before;
	return token;
}

static char *check_macro(const struct place *place, const char *directive)
{
	struct ao_scan_token name = next_in_line(place->scan);
	const char *kind = builders_name(place->task, &name);

	if (!kind)
		return NULL;
	return refuse(place, name.line, "#%s of the %s '%.*s' is not allowed",
		      directive, kind, (int)name.len, name.ptr);
}

/* A name that leaves the kernel's folder or the compiler's. */
static bool is_outside(const char *name, size_t len)
{
	return (len && name[0] == '/') || memmem(name, len, "..", 2);
}

static char *check_include(const struct place *place)
{
	struct ao_scan_token token = next_in_line(place->scan);
	const char *name = token.ptr;
	size_t len = token.len;

	if (token.kind == AO_SCAN_STRING && len > 2) {
		name++;
		len -= 2;
	} else if (ao_scan_is(&token, "<")) {
		struct ao_scan_token end = token;

		while (end.kind != AO_SCAN_NEWLINE && end.kind != AO_SCAN_END &&
		       !ao_scan_is(&end, ">"))
			end = next_in_line(place->scan);
		name++;
		len = (size_t)(end.ptr - name);
	} else {
		return refuse(place, token.line,
			      "an #include without a plain file name is not "
			      "allowed");
	}
	if (!is_outside(name, len))
		return NULL;
	return refuse(place, token.line, "#include of '%.*s' is not allowed",
		      (int)(len < 200 ? len : 200), name);
}

/* One word of optimize("..."), as gcc reads it: "O2", "unroll-loops". */
static char *check_optimize_word(const char *word)
{
	char *flag = ao_xstrf("%s%s",
			      word[0] == '-'   ? ""
			      : word[0] == 'O' ? "-"
					       : "-f",
			      word);
	/* What needs a library is asked for where the whole is. */
	char *why = ao_flags_check(flag, false);

	free(flag);
	return why;
}

static char *check_optimize_string(const struct place *place,
				   const struct ao_scan_token *string)
{
	struct ao_strs words = { 0 };
	char *text = ao_xstrndup(string->ptr, string->len);
	char *what = NULL;
	char *why = NULL;

	for (char *c = text; *c; c++) {
		if (strchr("\"',\\", *c))
			*c = ' ';
	}
	ao_strs_split(&words, text);
	for (size_t i = 0; i < words.count && !what; i++)
		what = check_optimize_word(words.v[i]);
	if (what)
		why = refuse(place, string->line, "%s", what);
	free(what);
	ao_strs_release(&words);
	free(text);
	return why;
}

static struct ao_scan_token next_in_any_line(struct ao_scan *scan)
{
	struct ao_scan_token token;

	do {
		token = next_code(scan);
	} while (token.kind == AO_SCAN_NEWLINE);
	return token;
}

/*
 * Behind the word `optimize`, wherever it stands, as in a macro it may end up
 * anywhere: only words in parentheses that can be read here.
 */
static char *check_optimize(const struct place *place, uint32_t line)
{
	struct ao_scan_token token = next_in_any_line(place->scan);
	bool is_plain = ao_scan_is(&token, "(");
	char *why = NULL;

	while (is_plain && !why) {
		token = next_in_any_line(place->scan);
		if (ao_scan_is(&token, ")"))
			return NULL;
		if (token.kind == AO_SCAN_STRING)
			why = check_optimize_string(place, &token);
		else
			is_plain = token.kind == AO_SCAN_NUMBER ||
				   ao_scan_is(&token, ",");
	}
	if (!why)
		why = refuse(place, line,
			     "'optimize' is only allowed with strings in "
			     "parentheses behind it");
	return why;
}

/* What an assembler would read from the disk. */
static char *check_string(const struct place *place,
			  const struct ao_scan_token *string)
{
	static const char *const words[] = { ".incbin", ".include" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(words); i++)
		if (memmem(string->ptr, string->len, words[i],
			   strlen(words[i])))
			return refuse(place, string->line,
				      "'%s' in a string is not allowed",
				      words[i]);
	return NULL;
}

/* What _Pragma takes is a directive in a string. */
static char *check_pragma_operator(const struct place *place)
{
	static const char *const words[] = { "optimize", "dependency",
					     "pch_preprocess" };
	struct ao_scan_token token = next_in_any_line(place->scan);

	if (ao_scan_is(&token, "("))
		token = next_in_any_line(place->scan);
	for (size_t i = 0; i < AO_ARRAY_SIZE(words); i++)
		if (token.kind == AO_SCAN_STRING &&
		    memmem(token.ptr, token.len, words[i], strlen(words[i])))
			return refuse(place, token.line,
				      "'%s' in a _Pragma is not allowed",
				      words[i]);
	return NULL;
}

/*
 * Behind the word GCC, wherever it stands, as a macro may make a _Pragma of it:
 * not one that names a file.
 */
static char *check_gcc(const struct place *place)
{
	struct ao_scan ahead = *place->scan; /* the word is looked at again */
	struct ao_scan_token token = next_in_any_line(&ahead);

	if (!token_names(&token, "dependency") &&
	    !token_names(&token, "pch_preprocess"))
		return NULL;
	return refuse(place, token.line, "the pragma '%.*s' is not allowed",
		      (int)token.len, token.ptr);
}

/*
 * gcc quotes in its messages from the file that a line is said to be of: a
 * number alone, and nothing of what a preprocessor leaves, "# 1 file".
 */
static char *check_line(const struct place *place, struct ao_scan_token number)
{
	struct ao_scan_token rest = next_in_line(place->scan);

	if (number.kind == AO_SCAN_NUMBER &&
	    (rest.kind == AO_SCAN_NEWLINE || rest.kind == AO_SCAN_END))
		return NULL;
	return refuse(place, number.line,
		      "'#line' is only allowed with a number alone");
}

/* After a # that begins a line. */
static char *check_directive(const struct place *place)
{
	struct ao_scan_token name = next_in_line(place->scan);

	if (token_names(&name, "define"))
		return check_macro(place, "define");
	if (token_names(&name, "undef"))
		return check_macro(place, "undef");
	if (token_names(&name, "include") || token_names(&name, "import") ||
	    token_names(&name, "include_next"))
		return check_include(place);
	if (token_names(&name, "line"))
		return check_line(place, next_in_line(place->scan));
	if (name.kind == AO_SCAN_NUMBER)
		return check_line(place, name);
	if (token_names(&name, "embed"))
		return refuse(place, name.line, "#embed is not allowed");
	return NULL;
}

static char *check_token(const struct place *place,
			 const struct ao_scan_token *token, bool at_line_start)
{
	static const char *const questions[] = { "__has_include",
						 "__has_include_next",
						 "__has_embed" };

	if (token->kind == AO_SCAN_RAW)
		return refuse(place, token->line,
			      "raw strings are not allowed");
	if (at_line_start && ao_scan_is(token, "#"))
		return check_directive(place);
	if (token_names(token, "optimize") ||
	    token_names(token, "__optimize__"))
		return check_optimize(place, token->line);
	if (token_names(token, "_Pragma"))
		return check_pragma_operator(place);
	if (token_names(token, "GCC"))
		return check_gcc(place);
	for (size_t i = 0; i < AO_ARRAY_SIZE(questions); i++)
		if (token_names(token, questions[i]))
			return refuse(place, token->line, "'%s' is not allowed",
				      questions[i]);
	if (token->kind == AO_SCAN_STRING)
		return check_string(place, token);
	return NULL;
}

static char *check_tokens(const struct place *place)
{
	bool at_line_start = true;
	char *why = NULL;

	while (!why) {
		struct ao_scan_token token = next_code(place->scan);

		if (token.kind == AO_SCAN_END)
			break;
		why = check_token(place, &token, at_line_start);
		at_line_start = token.kind == AO_SCAN_NEWLINE;
	}
	return why;
}

/*
 * clang ends a line at a lone carriage return and gcc does not: what a comment
 * hides would depend on the compiler.
 */
static char *check_carriage_returns(const struct place *place,
				    const struct ao_kernel_file *file)
{
	uint32_t line = 1;

	for (size_t i = 0; i < file->len; i++) {
		if (file->data[i] == '\n')
			line++;
		if (file->data[i] == '\r' &&
		    (i + 1 == file->len || file->data[i + 1] != '\n'))
			return refuse(place, line,
				      "a carriage return within a line is not "
				      "allowed");
	}
	return NULL;
}

static char *check_file(const struct ao_task *task,
			const struct ao_kernel_file *file)
{
	struct ao_scan scan;
	struct place place = { task, file->path, &scan };
	char *why = check_carriage_returns(&place, file);

	if (why)
		return why;
	ao_scan_init(&scan, file->data, file->len);
	why = check_tokens(&place);
	ao_scan_release(&scan);
	return why;
}

char *ao_gate_check(struct ao_flags *out, const struct ao_task *task,
		    const struct ao_kernel *kernel)
{
	struct ao_flags flags = { 0 };
	char *why = NULL;

	if (kernel->count)
		why = ao_flags_read(&flags, kernel->files[0].data,
				    kernel->files[0].len,
				    ao_task_has_threads(task));
	for (size_t i = 0; i < kernel->count && !why; i++)
		why = check_file(task, &kernel->files[i]);
	if (why) {
		ao_flags_release(&flags);
		return why;
	}
	*out = flags;
	return NULL;
}
