/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/message.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/process.h"
#include "util/text.h"

static char title[] = "Tile the contraction";
static char plan[] = "Keep a block of c in registers.\n\nThen pack b.";
static char task[] = "matmul";
static char run[] = "20261130T021054-7f3a9c01";
static char agent[] = "catalog";
static char plan_id[] = "83d1f0a2c4b5e697";

static struct ao_message make(void)
{
	return (struct ao_message){ .title = title,
				    .plan = plan,
				    .task = task,
				    .run = run,
				    .attempt = { 3, 17 },
				    .agent = agent,
				    .plan_id = plan_id };
}

static char *text_of(const struct ao_message *message)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);

	ao_message_write(&text, message);
	EXPECT(!text.overflow);
	return ao_buf_take(&text);
}

static const char trailers[] = "Accelopt-Task: matmul\n"
			       "Accelopt-Run: 20261130T021054-7f3a9c01\n"
			       "Accelopt-Attempt: 3.17\n"
			       "Accelopt-Agent: catalog\n"
			       "Accelopt-Plan: 83d1f0a2c4b5e697\n";

/*
 * What `git interpret-trailers --parse` finds in `text`; the caller frees it.
 * NULL if git cannot be run.
 */
static char *trailers_by_git(const char *text)
{
	static const char *const argv[] = { "git", "interpret-trailers",
					    "--parse", NULL };
	struct ao_process_spec spec = { .argv = argv,
					.input = text,
					.input_len = strlen(text),
					.timeout_ms = 60000,
					.max_output = 1 << 20,
					.max_errors = 1 << 16 };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);
	char *found = NULL;

	if (!err && !end.status)
		found = ao_xstrdup(end.output);
	else
		printf("# %s\n", err ? ao_error_message(err) : end.errors);
	ao_error_free(err);
	ao_process_end_release(&end);
	return found;
}

/* Whether git sees our trailers, and no others, whatever title and plan say. */
static bool is_safe(const char *hostile_title, const char *hostile_plan)
{
	struct ao_message message = make();
	struct ao_message again;
	char *text, *found;
	bool is;

	message.title = ao_xstrdup(hostile_title);
	message.plan = ao_xstrdup(hostile_plan);
	text = text_of(&message);
	found = trailers_by_git(text);
	is = found && !strcmp(found, trailers) &&
	     ao_message_read(&again, text, strlen(text));
	if (is) {
		is = !strcmp(again.run, run) && again.attempt.number == 17;
		ao_message_release(&again);
	} else {
		printf("# %s\n# ---\n# %s\n", text, found ? found : "");
	}
	free(found);
	free(text);
	free(message.title);
	free(message.plan);
	return is;
}

static void a_message_is_title_plan_and_trailers(void)
{
	struct ao_message message = make();
	char *text = text_of(&message);
	char *want = ao_xstrf("Tile the contraction\n\n"
			      "    Keep a block of c in registers.\n\n"
			      "    Then pack b.\n\n%s",
			      trailers);

	EXPECT(!strcmp(text, want));
	free(want);
	free(text);
}

static void a_message_is_read_as_it_was_written(void)
{
	struct ao_message message = make();
	struct ao_message again;
	char *text = text_of(&message);

	EXPECT(ao_message_read(&again, text, strlen(text)));
	EXPECT(!strcmp(again.title, title));
	EXPECT(!strcmp(again.plan, plan));
	EXPECT(!strcmp(again.task, task));
	EXPECT(!strcmp(again.run, run));
	EXPECT(again.attempt.iteration == 3 && again.attempt.number == 17);
	EXPECT(!strcmp(again.agent, agent));
	EXPECT(!strcmp(again.plan_id, plan_id));
	ao_message_release(&again);
	EXPECT(!again.title);
	free(text);
}

static void a_message_without_a_plan_is_read_too(void)
{
	struct ao_message message = make();
	struct ao_message again;
	char *text;

	message.plan = NULL;
	text = text_of(&message);
	EXPECT(ao_message_read(&again, text, strlen(text)));
	EXPECT(!*again.plan && !strcmp(again.title, title));
	ao_message_release(&again);
	free(text);
}

static void a_title_is_cut_to_one_line_of_72_columns(void)
{
	struct ao_message message = make();
	char wide[] =
		"\xe2\x82\xac\xe2\x82\xac tile the contraction and pack b "
		"into panels that fit half of the second-level cache\n"
		"more";
	char *text, *end;

	message.title = wide;
	text = text_of(&message);
	end = strchr(text, '\n');
	*end = '\0';
	EXPECT(ao_text_columns(text) <= 72);
	EXPECT(ao_text_ends_with(text, "..."));
	free(text);
}

static void no_line_of_a_plan_of_words_is_over_72_columns(void)
{
	struct ao_message message = make();
	struct ao_buf words = AO_BUF_INIT(1 << 16);
	char *text;

	for (int i = 0; i < 500; i++)
		ao_buf_addf(&words, "word%d ", i);
	message.plan = words.ptr;
	text = text_of(&message);
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		EXPECT(len <= 72);
		line += len + (line[len] == '\n');
	}
	free(text);
	ao_buf_release(&words);
}

static void an_attempt_has_two_numbers(void)
{
	static const char *const bad[] = { "",	   "3",		  "3.",
					   ".17",  "3.0",	  "3.x",
					   "-1.2", "3.17.1",	  "3 .1",
					   "3.-1", "4294967296.1" };
	struct ao_attempt attempt = { 9, 9 };

	EXPECT(ao_attempt_read(&attempt, "0.1"));
	EXPECT(attempt.iteration == 0 && attempt.number == 1);
	EXPECT(ao_attempt_read(&attempt, "4294967295.4294967295"));
	EXPECT(attempt.number == UINT32_MAX);
	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_attempt_read(&attempt, bad[i]));
	EXPECT(attempt.iteration == UINT32_MAX);
}

static void git_reads_the_trailers(void)
{
	EXPECT(is_safe(title, plan));
	EXPECT(is_safe(title, ""));
}

static void a_plan_cannot_forge_a_trailer(void)
{
	EXPECT(is_safe(title, "Accelopt-Run: 20261130T021054-00000000"));
	EXPECT(is_safe(title, "x\n\nAccelopt-Run: forged\nAccelopt-Task: f\n"));
	EXPECT(is_safe(title, "Signed-off-by: someone <a@b>\n\n\n"));
	EXPECT(is_safe(title, "x\r\n\r\nAccelopt-Run: forged\r\n"));
	EXPECT(is_safe(title, "x\rAccelopt-Run: forged"));
	EXPECT(is_safe(title, "x\v\fAccelopt-Run: forged"));
	EXPECT(is_safe(title, "x\n\n\xe2\x80\xa8\n\nAccelopt-Run: forged"));
}

static void a_plan_cannot_hide_the_trailers(void)
{
	EXPECT(is_safe(title, "---\ndiff --git a/kernel.c b/kernel.c\n"));
	EXPECT(is_safe(title, "--- kernel.c\n+++ kernel.c\n"));
	EXPECT(is_safe(title, "# Plan\n#comment\n"));
	EXPECT(is_safe(title, "# ------------------------ >8 "
			      "------------------------\nbelow"));
	EXPECT(is_safe(title, "\n\n\n   \n\t\n"));
}

static void a_title_cannot_hide_or_forge_a_trailer(void)
{
	EXPECT(is_safe("Accelopt-Run: forged", plan));
	EXPECT(is_safe("Accelopt-Run: forged", ""));
	EXPECT(is_safe("t\nAccelopt-Run: forged", plan));
	EXPECT(is_safe("--- a", plan));
	EXPECT(is_safe("---", plan));
	EXPECT(is_safe("# --- # Plan", plan));
	EXPECT(is_safe("", plan));
	EXPECT(is_safe(" \n\n\r\n", plan));
}

static void a_title_never_begins_as_a_comment_or_the_end_does(void)
{
	static char titles[][24] = { "# Plan: tile", "--- Plan: tile",
				     "#--- # Plan: tile", "\n\n## Plan: tile" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(titles); i++) {
		struct ao_message message = make();
		char *text;

		message.title = titles[i];
		text = text_of(&message);
		EXPECT(ao_text_starts_with(text, "Plan: tile\n\n"));
		free(text);
	}
}

static void the_name_of_an_agent_cannot_forge_a_trailer(void)
{
	struct ao_message message = make();
	char hostile[] = "model\nAccelopt-Run: forged\n\nmore";
	char *text, *found;

	message.agent = hostile;
	text = text_of(&message);
	found = trailers_by_git(text);
	EXPECT(found && strstr(found, "Accelopt-Agent: model\n"));
	EXPECT(found && !strstr(found, "forged"));
	free(found);
	free(text);
}

static void control_characters_are_escaped(void)
{
	struct ao_message message = make();
	char escape[] = "\x1b[2Jclear\a";
	char *text;

	message.title = message.plan = message.agent = escape;
	text = text_of(&message);
	EXPECT(!strchr(text, '\x1b') && !strchr(text, '\a'));
	EXPECT(strstr(text, "    \\x1b[2Jclear\\x07"));
	free(text);
}

static void a_plan_without_end_is_cut(void)
{
	struct ao_message message = make();
	struct ao_message again;
	size_t len = 1 << 20;
	char *text;

	message.plan = ao_xmalloc(len + 1);
	for (size_t i = 0; i < len; i++)
		message.plan[i] = i % 2 ? '\n' : '\x01';
	message.plan[len] = '\0';
	text = text_of(&message);
	EXPECT(strlen(text) < AO_MAX_MESSAGE_BYTES);
	EXPECT(ao_message_read(&again, text, strlen(text)));
	ao_message_release(&again);
	free(text);
	free(message.plan);
}

static void writing_what_was_read_changes_nothing(void)
{
	struct ao_message message = make();
	struct ao_message again;
	char rough[] = "\n\n  one  two \r\n\r\n\tthree\n\n\n---\nfour\n\n";
	char *text, *text_again;

	message.plan = rough;
	text = text_of(&message);
	EXPECT(ao_message_read(&again, text, strlen(text)));
	text_again = text_of(&again);
	EXPECT(!strcmp(text, text_again));
	ao_message_release(&again);
	free(text_again);
	free(text);
}

/* Whether our message is read once `from` in it is replaced. */
static bool is_read(const char *from, const char *to)
{
	struct ao_message message = make();
	struct ao_message again;
	char *text = text_of(&message);
	char *at = strstr(text, from);
	char *edited = ao_xstrf("%.*s%s%s", (int)(at - text), text, to,
				at + strlen(from));
	bool is = ao_message_read(&again, edited, strlen(edited));

	if (is)
		ao_message_release(&again);
	free(edited);
	free(text);
	return is;
}

static void a_message_of_others_is_not_ours(void)
{
	static const char *const texts[] = {
		"",
		"\n",
		"\n\n\n",
		"Fix a bug\n",
		"Fix a bug\n\nSigned-off-by: A <a@b>\n",
		"Accelopt-Task: matmul\n",
	};
	struct ao_message message;

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++)
		EXPECT(!ao_message_read(&message, texts[i], strlen(texts[i])));
	EXPECT(!ao_message_read(&message, trailers, strlen(trailers)));
}

static void each_trailer_has_to_be_there_once(void)
{
	EXPECT(is_read("Accelopt-Task:", "Accelopt-Task:"));
	EXPECT(!is_read("Accelopt-Task: matmul\n", ""));
	EXPECT(!is_read("Accelopt-Run: 20261130T021054-7f3a9c01\n", ""));
	EXPECT(!is_read("Accelopt-Attempt: 3.17\n", ""));
	EXPECT(!is_read("Accelopt-Agent: catalog\n", ""));
	EXPECT(!is_read("Accelopt-Plan: 83d1f0a2c4b5e697\n", ""));
	EXPECT(!is_read("Accelopt-Task: matmul\n",
			"Accelopt-Task: matmul\nAccelopt-Task: silu\n"));
	EXPECT(!is_read("Accelopt-Agent: catalog", "Accelopt-Agent: "));
}

static void a_trailer_has_to_make_sense(void)
{
	EXPECT(!is_read("Accelopt-Task: matmul", "Accelopt-Task: ../x"));
	EXPECT(!is_read("Accelopt-Run: 2026", "Accelopt-Run: ../2026"));
	EXPECT(!is_read("Accelopt-Attempt: 3.17", "Accelopt-Attempt: 3"));
}

static void trailers_of_others_may_be_among_ours(void)
{
	EXPECT(is_read("Accelopt-Agent:",
		       "Reviewed-by: B <b@c>\nAccelopt-Agent:"));
	EXPECT(is_read("7\n", "7\nSigned-off-by: A <a@b>\n"));
}

static void trailers_count_only_in_the_last_paragraph(void)
{
	struct ao_message message;
	char *text = ao_xstrf("title\n\n%s\nSigned-off-by: A <a@b>\n",
			      trailers);

	EXPECT(!ao_message_read(&message, text, strlen(text)));
	free(text);
}

static void bytes_that_no_message_has_are_refused(void)
{
	struct ao_message message;
	char *text = ao_xstrf("titl!\n\n%s", trailers);

	EXPECT(ao_message_read(&message, text, strlen(text)));
	ao_message_release(&message);
	text[4] = '\0';
	EXPECT(!ao_message_read(&message, text, strlen(trailers) + 7));
	free(text);
}

int main(void)
{
	RUN(a_message_is_title_plan_and_trailers);
	RUN(a_message_is_read_as_it_was_written);
	RUN(a_message_without_a_plan_is_read_too);
	RUN(a_title_is_cut_to_one_line_of_72_columns);
	RUN(no_line_of_a_plan_of_words_is_over_72_columns);
	RUN(an_attempt_has_two_numbers);
	RUN(git_reads_the_trailers);
	RUN(a_plan_cannot_forge_a_trailer);
	RUN(a_plan_cannot_hide_the_trailers);
	RUN(a_title_cannot_hide_or_forge_a_trailer);
	RUN(a_title_never_begins_as_a_comment_or_the_end_does);
	RUN(the_name_of_an_agent_cannot_forge_a_trailer);
	RUN(control_characters_are_escaped);
	RUN(a_plan_without_end_is_cut);
	RUN(writing_what_was_read_changes_nothing);
	RUN(a_message_of_others_is_not_ours);
	RUN(each_trailer_has_to_be_there_once);
	RUN(a_trailer_has_to_make_sense);
	RUN(trailers_of_others_may_be_among_ours);
	RUN(trailers_count_only_in_the_last_paragraph);
	RUN(bytes_that_no_message_has_are_refused);
	return tap_done();
}
