/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "rewrite/draft.h"
#include "util/limits.h"

void ao_draft_init(struct ao_draft *draft, struct ao_unit *unit, size_t at)
{
	*draft = (struct ao_draft){ .unit = unit,
				    .text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES),
				    .base = ao_unit_indent_at(unit, at) };
}

void ao_draft_release(struct ao_draft *draft)
{
	ao_buf_release(&draft->text);
}

/* End the line before, if there is one. */
static void end_line(struct ao_draft *draft)
{
	if (draft->is_started)
		ao_buf_addstr(&draft->text, draft->unit->newline);
	draft->is_started = true;
}

/* The blanks that a new line begins with; the first has them already. */
static void start_line(struct ao_draft *draft)
{
	bool is_first = !draft->is_started;

	end_line(draft);
	if (is_first)
		return;
	ao_buf_addstr(&draft->text, draft->base);
	for (unsigned i = 0; i < draft->level; i++)
		ao_buf_addstr(&draft->text, draft->unit->indent);
}

AO_PRINTF(2, 0)
static void add_line(struct ao_draft *draft, const char *fmt, va_list ap)
{
	char *text;

	start_line(draft);
	text = ao_xvstrf(fmt, ap);
	ao_buf_addstr(&draft->text, text);
	free(text);
}

void ao_draft_line(struct ao_draft *draft, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_line(draft, fmt, ap);
	va_end(ap);
}

void ao_draft_open(struct ao_draft *draft, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_line(draft, fmt, ap);
	va_end(ap);
	draft->level++;
}

void ao_draft_indent(struct ao_draft *draft)
{
	draft->level++;
}

void ao_draft_outdent(struct ao_draft *draft)
{
	draft->level--;
}

void ao_draft_close(struct ao_draft *draft, const char *line)
{
	draft->level--;
	ao_draft_line(draft, "%s", line);
}

void ao_draft_blank(struct ao_draft *draft)
{
	end_line(draft);
}

void ao_draft_directive(struct ao_draft *draft, const char *line)
{
	end_line(draft);
	ao_buf_addstr(&draft->text, line);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* One line of the source without the blanks `old` that it begins with. */
static void copy_line(struct ao_draft *draft, const char *line, size_t len,
		      const char *old)
{
	size_t old_len = strlen(old);

	while (len && is_blank(line[len - 1]))
		len--;
	if (len >= old_len && !memcmp(line, old, old_len)) {
		line += old_len;
		len -= old_len;
	}
	/* Directives stay at the margin, and empty lines empty. */
	if (!len || *line == '#')
		end_line(draft);
	else
		start_line(draft);
	ao_buf_add(&draft->text, line, len);
}

void ao_draft_copy(struct ao_draft *draft, size_t at, size_t end)
{
	const char *text = draft->unit->tokens.text;
	const char *old;

	while (at < end && is_blank(text[at]))
		at++;
	while (end > at && is_blank(text[end - 1]))
		end--;
	old = ao_unit_indent_at(draft->unit, at);
	while (at < end) {
		const char *newline = memchr(text + at, '\n', end - at);
		size_t len = newline ? (size_t)(newline - (text + at))
				     : end - at;

		copy_line(draft, text + at, len, old);
		at += len + 1;
	}
}

void ao_draft_comments(struct ao_draft *draft, size_t at, size_t end)
{
	const struct ao_tokens *tokens = &draft->unit->tokens;

	for (uint32_t i = 0; i < tokens->count; i++) {
		const struct ao_token *token = &tokens->v[i];

		if (token->kind == AO_TOKEN_COMMENT && token->at >= at &&
		    token->at + token->len <= end)
			ao_draft_copy(draft, token->at, token->at + token->len);
	}
}

void ao_draft_fall_back(struct ao_draft *draft, const char *condition,
			const char *why, struct ao_span span)
{
	const struct ao_tokens *tokens = &draft->unit->tokens;

	ao_draft_open(draft, "if (%s) {", condition);
	ao_draft_line(draft, "/* %s */", why);
	ao_draft_copy(draft, ao_span_at(tokens, span),
		      ao_span_at_end(tokens, span));
	ao_draft_outdent(draft);
	ao_draft_open(draft, "} else {");
}
