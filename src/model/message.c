/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/message.h"
#include "model/run.h"
#include "util/limits.h"
#include "util/text.h"

enum { COLUMNS = 72, MAX_VALUE_BYTES = 256 };

static const char indent[] = "    ";

enum trailer { TASK, RUN, ATTEMPT, AGENT, PLAN, TRAILER_COUNT };
static const char *const trailer_keys[TRAILER_COUNT] = {
	[TASK] = "Accelopt-Task",	[RUN] = "Accelopt-Run",
	[ATTEMPT] = "Accelopt-Attempt", [AGENT] = "Accelopt-Agent",
	[PLAN] = "Accelopt-Plan",
};

bool ao_attempt_read(struct ao_attempt *out, const char *text)
{
	const char *dot = strchr(text, '.');
	struct ao_buf iteration = AO_BUF_INIT(16);
	int64_t first, second;
	bool is_good;

	if (!dot)
		return false;
	ao_buf_add(&iteration, text, (size_t)(dot - text));
	is_good = ao_text_to_int(&first, iteration.ptr, 0, UINT32_MAX) &&
		  ao_text_to_int(&second, dot + 1, 1, UINT32_MAX);
	ao_buf_release(&iteration);
	if (is_good)
		*out = (struct ao_attempt){ (uint32_t)first, (uint32_t)second };
	return is_good;
}

void ao_message_release(struct ao_message *message)
{
	free(message->title);
	free(message->plan);
	free(message->task);
	free(message->run);
	free(message->agent);
	free(message->plan_id);
	*message = (struct ao_message){ 0 };
}

/* One line of text without control characters or blanks around it. */
static char *one_line(const char *text, size_t columns)
{
	struct ao_buf safe = AO_BUF_INIT(AO_MAX_PLAN_BYTES);
	struct ao_buf line = AO_BUF_INIT(AO_MAX_PLAN_BYTES);
	size_t len;

	text += strspn(text, " \t\r\n");
	len = strcspn(text, "\r\n");
	if (len > AO_MAX_PLAN_BYTES / 4)
		len = AO_MAX_PLAN_BYTES / 4;
	ao_text_safe(&safe, text, len);
	for (size_t i = 0; i < safe.len; i++)
		if (safe.ptr[i] == '\t')
			safe.ptr[i] = ' ';
	while (safe.len && safe.ptr[safe.len - 1] == ' ')
		safe.ptr[--safe.len] = '\0';
	ao_text_cut(&line, safe.ptr, columns);
	ao_buf_release(&safe);
	return ao_buf_take(&line);
}

/*
 * A title must not start with what git takes for a comment ("# Plan") or for
 * the end of the message ("---"); models like to write both.
 */
static void add_title(struct ao_buf *out, const char *title)
{
	char *line;

	if (!title)
		title = "";
	for (;;) {
		size_t skip = strspn(title, "# \t\r\n");

		if (!strncmp(title + skip, "---", 3))
			skip += strspn(title + skip, "-");
		if (!skip)
			break;
		title += skip;
	}
	line = one_line(title, COLUMNS);
	ao_buf_addstr(out, *line ? line : "(no title)");
	free(line);
}

static void add_plan(struct ao_buf *out, const char *plan)
{
	struct ao_buf safe = AO_BUF_INIT(AO_MAX_PLAN_BYTES);
	size_t len = strlen(plan);
	size_t start = out->len;

	/* Escapes take up to four times the room. */
	if (len > AO_MAX_PLAN_BYTES / 4)
		len = AO_MAX_PLAN_BYTES / 4;
	for (size_t i = 0; i < len;) {
		size_t line = strcspn(plan + i, "\r\n");

		if (line > len - i)
			line = len - i;
		ao_text_safe(&safe, plan + i, line);
		ao_buf_addstr(&safe, "\n");
		i += line;
		if (i < len)
			i += plan[i] == '\r' && plan[i + 1] == '\n' ? 2 : 1;
	}
	ao_text_wrap(out, safe.ptr + strspn(safe.ptr, " \t\n"), indent,
		     COLUMNS);
	ao_buf_release(&safe);
	while (out->len > start && out->ptr[out->len - 1] == '\n')
		out->ptr[--out->len] = '\0';
}

static void add_trailer(struct ao_buf *out, enum trailer key, const char *value)
{
	char *line = one_line(value ? value : "", MAX_VALUE_BYTES);

	ao_buf_addf(out, "%s: %s\n", trailer_keys[key], *line ? line : "-");
	free(line);
}

void ao_message_write(struct ao_buf *out, const struct ao_message *message)
{
	char attempt[32];

	snprintf(attempt, sizeof(attempt), "%" PRIu32 ".%" PRIu32,
		 message->attempt.iteration, message->attempt.number);
	add_title(out, message->title);
	ao_buf_addstr(out, "\n\n");
	if (message->plan && message->plan[strspn(message->plan, " \t\r\n")]) {
		add_plan(out, message->plan);
		ao_buf_addstr(out, "\n\n");
	}
	add_trailer(out, TASK, message->task);
	add_trailer(out, RUN, message->run);
	add_trailer(out, ATTEMPT, attempt);
	add_trailer(out, AGENT, message->agent);
	add_trailer(out, PLAN, message->plan_id);
}

/* A piece of a text. */
struct span {
	const char *at;
	size_t len;
};

/* The next line of what is left of `text`, without its newline. */
static bool next_line(struct span *line, struct span *text)
{
	const char *end;

	if (!text->len)
		return false;
	end = memchr(text->at, '\n', text->len);
	line->at = text->at;
	line->len = end ? (size_t)(end - text->at) : text->len;
	text->at += line->len + (end != NULL);
	text->len -= line->len + (end != NULL);
	return true;
}

/* Cut the last paragraph off `text`; what is left has no newline behind. */
static struct span take_last_paragraph(struct span *text)
{
	struct span last = { 0 };

	while (text->len && text->at[text->len - 1] == '\n')
		text->len--;
	last = *text;
	for (size_t i = text->len; i >= 2; i--) {
		if (text->at[i - 1] != '\n' || text->at[i - 2] != '\n')
			continue;
		last = (struct span){ text->at + i, text->len - i };
		text->len = i;
		while (text->len && text->at[text->len - 1] == '\n')
			text->len--;
		return last;
	}
	text->len = 0;
	return last;
}

/* Whether each of our trailers is in `block` exactly once. */
static bool find_trailers(struct span values[TRAILER_COUNT], struct span block)
{
	struct span line;

	for (size_t i = 0; i < TRAILER_COUNT; i++)
		values[i] = (struct span){ 0 };
	while (next_line(&line, &block)) {
		for (size_t i = 0; i < TRAILER_COUNT; i++) {
			size_t key = strlen(trailer_keys[i]);

			if (line.len <= key + 2 || line.at[key] != ':' ||
			    line.at[key + 1] != ' ' ||
			    memcmp(line.at, trailer_keys[i], key) != 0)
				continue;
			if (values[i].at)
				return false;
			values[i].at = line.at + key + 2;
			values[i].len = line.len - key - 2;
		}
	}
	for (size_t i = 0; i < TRAILER_COUNT; i++)
		if (!values[i].at)
			return false;
	return true;
}

static char *copy(struct span span)
{
	return ao_xstrndup(span.at, span.len);
}

/* The plan again: without the indent, and without blank lines around it. */
static char *unindent(struct span plan)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);
	struct span line;

	while (plan.len && *plan.at == '\n') {
		plan.at++;
		plan.len--;
	}
	while (next_line(&line, &plan)) {
		size_t skip = 0;

		while (skip < line.len && skip < sizeof(indent) - 1 &&
		       line.at[skip] == ' ')
			skip++;
		ao_buf_add(&text, line.at + skip, line.len - skip);
		ao_buf_addstr(&text, plan.len ? "\n" : "");
	}
	return ao_buf_take(&text);
}

bool ao_message_read(struct ao_message *out, const char *text, size_t len)
{
	struct span values[TRAILER_COUNT];
	struct span rest = { text, len };
	struct span title = { 0 };
	struct ao_message message = { 0 };
	char *attempt;
	bool is_good;

	if (len > AO_MAX_MESSAGE_BYTES || memchr(text, '\0', len) ||
	    !find_trailers(values, take_last_paragraph(&rest)) ||
	    !next_line(&title, &rest))
		return false;
	message.task = copy(values[TASK]);
	message.run = copy(values[RUN]);
	attempt = copy(values[ATTEMPT]);
	is_good = ao_attempt_read(&message.attempt, attempt) &&
		  ao_task_name_is_valid(message.task) &&
		  ao_run_id_is_valid(message.run);
	free(attempt);
	if (!is_good) {
		ao_message_release(&message);
		return false;
	}
	message.title = copy(title);
	message.plan = unindent(rest);
	message.agent = copy(values[AGENT]);
	message.plan_id = copy(values[PLAN]);
	*out = message;
	return true;
}
